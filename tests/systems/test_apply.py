"""A system on an evaluation set, and what is said of what is no text."""

from __future__ import annotations

import pytest

import assay
from assay.data.evalset import EvalSet, Item
from assay.errors import AlignmentError, AssayError, InputError, UnknownName
from assay.systems.apply import Requirements, apply, apply_chunks, build_system
from assay.systems.budget import Budget

DATA = EvalSet(
    [
        Item("1", outputs={"x": "cat"}, sources=("The cat sat on the mat.",), extra={"kept": 1}),
        Item("2", outputs={"x": "dog"}, sources=("Dogs bark at night.",), group="g"),
    ]
)


def test_outputs_are_added_and_all_else_stays():
    made = apply("lead", DATA, words=3)
    assert [dict(item.outputs) for item in made] == [
        {"x": "cat", "lead": "The cat sat."},
        {"x": "dog", "lead": "Dogs bark at."},
    ]
    assert [(i.id, i.sources, i.group, i.extra) for i in made] == [(i.id, i.sources, i.group, i.extra) for i in DATA]
    assert DATA.systems == ("x",)
    twice = apply("identity", apply("lead", DATA, words=3, name="three"))
    assert twice.systems == ("x", "three", "identity")


def test_chunks_give_what_the_whole_gives():
    system, requirements = build_system("random(seed=3)"), Requirements(Budget(words=2))
    chunks = [EvalSet([item]) for item in DATA]
    texts = [output.result.text for chunk in apply_chunks(system, chunks, requirements) for output in chunk]
    assert texts == [item.outputs["random"] for item in apply(system, DATA, words=2)]
    assert texts == [made.text for made in assay.compress([i.sources[0] for i in DATA], system, words=2)]


def test_chunks_are_read_as_they_are_needed():
    asked = []

    def chunks():
        for item in DATA:
            asked.append(item.id)
            yield EvalSet([item])

    next(iter(apply_chunks(build_system("lead"), chunks(), Requirements())))
    assert asked == ["1"]


def test_a_fuser_takes_all_sources():
    data = EvalSet([Item("1", sources=("A cat.", "One old cat.")), Item("2", sources=("A cat.\nOne old cat sat.",))])
    assert [item.outputs["longer"] for item in apply("longer", data)] == ["One old cat.", "One old cat sat."]


def test_what_does_not_fit_is_said():
    with pytest.raises(AlignmentError, match="item '1' has an output of system 'x' already"):
        apply("lead", DATA, name="x")
    with pytest.raises(InputError, match="item '1' has no source"):
        apply("lead", EvalSet([Item("1")]))
    with pytest.raises(InputError, match="item '1' has 2 sources, and a compressor takes one"):
        apply("lead", EvalSet([Item("1", sources=("a", "b"))]))
    with pytest.raises(InputError, match='"context" must be a list'):
        apply("lead", EvalSet([Item("1", sources=("a",), extra={"context": [1]})]))
    with pytest.raises(UnknownName, match="did you mean 'longer'"):
        apply("langer", DATA)
    with pytest.raises(InputError, match="does not keep or drop"):
        apply("lead", DATA, keep=["x"])


@pytest.mark.parametrize("bad", [None, b"a cat", ["a cat"], 3, "half \ud83d"])
@pytest.mark.parametrize("system", ["lead", "identity", "tagger-tree", "ilp"])
def test_compress_names_the_place_of_what_is_no_text(system, bad):
    with pytest.raises(AssayError, match="text 2 "):
        assay.compress(["A cat sat.", bad], system, words=2)


@pytest.mark.parametrize("bad", [None, b"a cat", ["a cat"], 3, "half \ud83d"])
@pytest.mark.parametrize("system", ["longer", "joint", "wordgraph"])
def test_fuse_names_the_place_of_what_is_no_text(system, bad):
    with pytest.raises(AssayError, match="cluster 2: sentence 1 "):
        assay.fuse([["A cat."], [bad, "A cat."]], system)


@pytest.mark.parametrize("bad", [None, b"a cat", 3])
def test_a_cluster_is_a_list(bad):
    with pytest.raises(AssayError, match="cluster 2 must be a list of texts"):
        assay.fuse([["A cat."], bad], "longer")
    with pytest.raises(AssayError, match=r"takes a list of clusters"):
        assay.fuse(bad, "longer")
    with pytest.raises(AssayError, match="takes a list of texts"):
        assay.compress(bad, "lead")


def test_parses_are_remembered(monkeypatch, tmp_path):
    """A text that was compressed is not parsed again, whoever asks for its parse."""
    from assay.text.parse.own import OwnEngine

    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    text = "Nobody but the old ferryman saw the seventeen geese."
    first = assay.compress([text], words=5)[0].text
    monkeypatch.setattr(OwnEngine, "parse", lambda *_: pytest.fail("parsed again"))
    assert assay.compress([text], words=5)[0].text == first
    assert assay.compress([text], "ilp", words=5)[0].text
    assert assay.fuse([[text]], "joint", words=5)[0].text
