"""What must hold of every compressor: the folder is walked, so that none is forgotten."""

from __future__ import annotations

import pytest

from assay.errors import InputError, UnknownName
from assay.systems.budget import Budget
from assay.systems.compress import COMPRESSORS, Source, compress
from assay.systems.compress._rendering import is_final
from assay.systems.compress.edits.rewrite import Rewrite
from assay.testing.component import check_signature
from assay.testing.systems import TEXTS, check_budgets, check_repetition, check_texts

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
    check_signature(made)
    assert COMPRESSORS.build(made.signature()) == made
    assert made.summary().endswith(".")


def test_one_text_each_and_never_empty(named):
    for c in check_texts(COMPRESSORS.build(named)):
        kept = "".join(c.tokens[i].text for i in c.kept_tokens)
        if isinstance(c, Rewrite):
            kept = "".join(e.text for e in c.edits).replace(" ", "")
            assert "".join(c.source[e.start : e.end] for e in c.edits).replace(" ", "") == c.source.replace(" ", "")
        assert c.text.replace(" ", "").rstrip(".").lower() == kept.rstrip(".").lower()


def test_budgets_hold_or_are_said_to_be_impossible(named):
    check_budgets(COMPRESSORS.build(named))


def test_the_same_again_and_alone(named):
    check_repetition(COMPRESSORS.build(named))


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
