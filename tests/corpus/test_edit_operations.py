"""What was done to a text: kinds, operations and counts of hand-made examples, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet
from assay.corpus import KINDS, classify, edits
from assay.errors import InputError
from assay.text.align.monolingual import align

SOURCE = "The old mayor of Lisbon resigned on Monday after a long dispute."
TWO = "The storm reached the coast on Sunday. It destroyed about forty boats in the harbour."


@pytest.mark.parametrize(
    ("source", "output", "kind", "operations"),
    [
        (SOURCE, "The mayor resigned on Monday.", "delete", {"delete"}),
        (SOURCE, "The mayor of Lisbon resigned, Monday!", "delete", {"delete"}),
        (SOURCE, "On Monday the old mayor of Lisbon resigned.", "reorder", {"delete", "reorder"}),
        (SOURCE, "The mayor stepped down on Monday.", "rephrase", {"delete", "substitute"}),
        (SOURCE, "The mayor resigned on Monday in tears.", "rephrase", {"delete", "substitute"}),
        (SOURCE, SOURCE.upper(), "unchanged", set()),
        (SOURCE, "", "empty", {"delete"}),
        (SOURCE, " ... !", "empty", {"delete"}),
        (TWO, "The storm reached the coast and destroyed forty boats.", "rephrase",
         {"delete", "substitute", "fewer sentences", "merge"}),
        (TWO, "The storm reached the coast on Sunday.", "delete", {"delete", "fewer sentences", "sentence deletion"}),
        (TWO, "The storm reached the coast. It destroyed boats.", "delete", {"delete"}),
        ("The storm reached the coast and destroyed forty boats.", "The storm reached the coast. It destroyed boats.",
         "rephrase", {"delete", "substitute", "split"}),
    ],
)  # fmt: skip
def test_kinds_and_operations(source, output, kind, operations):
    edit = classify(align(source, output))
    assert (edit.kind, edit.operations) == (kind, frozenset(operations))


def test_counts_add_up():
    edit = classify(align(SOURCE, "The mayor stepped down in tears on Monday."))
    assert (edit.copied, edit.paraphrased, edit.inserted) == (4, 2, 2)
    assert (edit.kept, edit.deleted) == (5, 7)


words = st.lists(
    st.sampled_from(["the", "a", "cat", "cats", "sat", "on", "mat", ".", ",", "two", "2", "quickly"]), max_size=12
).map(" ".join)


@settings(deadline=None, max_examples=150)
@given(words, words)
def test_what_always_holds(source, output):
    edit = classify(align(source, output))
    assert edit.kind in KINDS
    assert min(edit.copied, edit.paraphrased, edit.inserted, edit.kept, edit.deleted) >= 0
    said = [w for w in output.split() if w not in ".,"]
    assert edit.words == len(said)
    assert edit.kept + edit.deleted == sum(w not in ".," for w in source.split())
    rest = iter([w for w in source.split() if w not in ".,"])
    subsequence = all(w in rest for w in said)
    assert (edit.kind in ("delete", "unchanged", "empty")) == subsequence
    assert ("substitute" in edit.operations) == (edit.kind == "rephrase")


def test_a_set_and_its_shares():
    data = EvalSet.from_texts(
        {"A": ["The mayor resigned.", "Boats."], "B": ["The mayor quit.", ""]}, sources=[SOURCE, TWO]
    )
    found = edits(data)
    assert [(e.item, e.system, e.kind) for e in found.edits] == [
        ("1", "A", "delete"), ("1", "B", "rephrase"), ("2", "A", "delete"), ("2", "B", "empty"),
    ]  # fmt: skip
    assert found.kinds() == {"delete": 0.5, "reorder": 0, "rephrase": 0.25, "unchanged": 0, "empty": 0.25}
    assert found.operations()["sentence deletion"] == 0.5
    assert found.rates().copied == pytest.approx(6 / 7)
    assert found.of(lambda e: e.system == "B").kinds()["rephrase"] == 0.5
    assert found.view().headline.startswith("Of 4 outputs, 50.0% only delete words")


def test_without_sources():
    with pytest.raises(InputError, match="no item has both"):
        edits(EvalSet.from_texts(["a", "b"], ["a", "b"]))
    data = EvalSet.from_texts({"A": ["cat", "dog"]}, sources=["a cat", " "])
    assert edits(data).without_source == 1
