"""What must hold of every compressor: the folder is walked, so that none is forgotten."""

from __future__ import annotations

import pytest

from assay.errors import InputError, UnknownName
from assay.systems._budget import Budget
from assay.systems.compress import COMPRESSORS, Source, compress
from assay.systems.compress._rendering import is_final
from assay.systems.compress._rewrite import Rewrite

TEXTS = [
    "The White House said on Monday that it would not rule out a meeting between the two presidents in New York.",
    "After a long absence, the shop on Main Street (once a bank) is returning to the area next year, owners said.",
    "Yes",
    "",
    "...",
    "No verb here",
    "Prices rose 3.5% to $40m; wages didn't.",
]
ALL = COMPRESSORS.names
NAMED = {"namas": "namas(beam=2)"}  # for speed


@pytest.fixture(scope="module", params=[NAMED.get(name, name) for name in ALL])
def named(request):
    return request.param


def test_the_systems_of_the_papers_are_there():
    assert {
        "identity",
        "lead",
        "drop-stop-words",
        "random",
        "word-based",
        "ilp",
        "decision-tree",
        "tagger-tree",
    } <= set(ALL)


def test_signature_gives_the_same_system(named):
    made = COMPRESSORS.build(named)
    assert COMPRESSORS.build(made.signature()) == made
    assert made.summary().endswith(".")


def test_one_text_each_and_never_empty(named):
    made = compress(TEXTS, named)
    assert [c.source for c in made] == TEXTS
    for text, c in zip(TEXTS, made, strict=True):
        assert bool(c.text) == bool(text)
        assert "\n" not in c.text
        kept = "".join(c.tokens[i].text for i in c.kept_tokens)
        if isinstance(c, Rewrite):
            kept = "".join(e.text for e in c.edits).replace(" ", "")
            assert "".join(text[e.start : e.end] for e in c.edits).replace(" ", "") == text.replace(" ", "")
        assert c.text.replace(" ", "").rstrip(".").lower() == kept.rstrip(".").lower()
        assert all(text[t.start : t.end] == t.text for t in c.tokens)


@pytest.mark.parametrize("budget", [{"words": 4}, {"ratio": 0.43}, {"chars": 40}], ids=str)
def test_budgets_hold_or_are_said_to_be_impossible(named, budget):
    if not COMPRESSORS.build(named).has_length:
        pytest.skip("has no length")
    for c in compress(TEXTS, named, **budget):
        limit = Budget(**budget).limit(c.source)
        assert limit.holds(c.text) or any("longer than the limit" in note for note in c.notes), c
        assert c.text or not c.source


def test_the_same_again_and_alone(named):
    together = compress(TEXTS, named, words=5)
    assert compress(TEXTS, named, words=5) == together
    assert compress(TEXTS[1:2], named, words=5) == together[1:2]


def test_five_hundred_tokens_in_bounded_time(named):
    long = " ".join(f"The man number{i} saw a big dog near the old house, and it ran." for i in range(32))
    [c] = COMPRESSORS.build(named).compress([Source(long, Budget(ratio=0.4))])
    assert c.text
    assert Budget(ratio=0.4).limit(long).holds(c.text) or c.notes


def test_ends_as_the_source_does(named):
    [c] = compress([TEXTS[0]], named, words=6)
    assert is_final(c.text[-1])


def test_unknown_names():
    with pytest.raises(UnknownName, match="unknown compressor 'ipl'; did you mean 'ilp'"):
        compress(["x"], "ipl")
    with pytest.raises(UnknownName, match=r"unknown parameter of ilp 'lamda'; did you mean 'lambda'\?"):
        compress(["x"], "ilp(lamda=2)")


def test_patterns_are_obeyed_or_refused():
    with pytest.raises(InputError, match=r"lead does not keep or drop words.*; these do: edit, ilp, tagger-tree"):
        compress(["x"], "lead", keep=["x"])
    with pytest.raises(InputError, match="is not a regular expression"):
        compress(["x"], keep=["("])


def test_one_text_is_not_a_list():
    with pytest.raises(InputError, match="compress takes a list of texts, not one text"):
        compress("one text")
