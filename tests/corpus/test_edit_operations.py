"""What was done to a text: types, operations and counts of hand-made examples, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus import TYPES, classify_edit
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
        (
            TWO,
            "The storm reached the coast and destroyed forty boats.",
            "rephrase",
            {"delete", "substitute", "fewer sentences", "merge"},
        ),
        (TWO, "The storm reached the coast on Sunday.", "delete", {"delete", "fewer sentences", "sentence deletion"}),
        (TWO, "The storm reached the coast. It destroyed boats.", "delete", {"delete"}),
        (
            "The storm reached the coast and destroyed forty boats.",
            "The storm reached the coast. It destroyed boats.",
            "rephrase",
            {"delete", "substitute", "split"},
        ),
    ],
)
def test_types_and_operations(source, output, kind, operations):
    edit = classify_edit(align(source, output))
    assert (edit.type, set(edit.operations)) == (kind, operations)


def test_counts_add_up():
    edit = classify_edit(align(SOURCE, "The mayor stepped down in tears on Monday."))
    assert (edit.copied, edit.paraphrased, edit.inserted) == (4, 2, 2)
    assert (edit.linked, edit.deleted) == (5, 7)


words = st.lists(
    st.sampled_from(["the", "a", "cat", "cats", "sat", "on", "mat", ".", ",", "two", "2", "quickly"]), max_size=12
).map(" ".join)


@settings(deadline=None, max_examples=150)
@given(words, words)
def test_what_always_holds(source, output):
    edit = classify_edit(align(source, output))
    assert edit.type in TYPES
    assert min(edit.copied, edit.paraphrased, edit.inserted, edit.linked, edit.deleted) >= 0
    said = [w for w in output.split() if w not in ".,"]
    assert edit.words == len(said)
    assert edit.linked + edit.deleted == sum(w not in ".," for w in source.split())
    rest = iter([w for w in source.split() if w not in ".,"])
    subsequence = all(w in rest for w in said)
    assert (edit.type in ("delete", "unchanged", "empty")) == subsequence
    assert ("substitute" in edit.operations) == (edit.type == "rephrase")
