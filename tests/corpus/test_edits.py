"""The edits of a whole set: shares by hand."""

from __future__ import annotations

import pytest

from assay import EvalSet
from assay.corpus import edits
from assay.errors import InputError

SOURCE = "The old mayor of Lisbon resigned on Monday after a long dispute."
TWO = "The storm reached the coast on Sunday. It destroyed about forty boats in the harbour."


def test_a_set_and_its_shares():
    data = EvalSet.from_texts(
        {"A": ["The mayor resigned.", "Boats."], "B": ["The mayor quit.", ""]}, sources=[SOURCE, TWO]
    )
    result = edits(data)
    assert [(e.item, e.system, e.type) for e in result.outputs] == [
        ("1", "A", "delete"),
        ("1", "B", "rephrase"),
        ("2", "A", "delete"),
        ("2", "B", "empty"),
    ]
    assert result.types() == {"delete": 0.5, "reorder": 0, "rephrase": 0.25, "unchanged": 0, "empty": 0.25}
    assert result.operations()["sentence deletion"] == 0.5
    assert result.word_shares().copied == pytest.approx(6 / 7)
    assert result.select(lambda e: e.system == "B").types()["rephrase"] == 0.5
    assert [row.system for row in result.summary().systems] == [None, "A", "B"]
    assert result.view().headline.startswith("Of 4 outputs, 50.0% only delete words")


def test_without_sources():
    with pytest.raises(InputError, match="no item has both"):
        edits(EvalSet.from_texts(["a", "b"], ["a", "b"]))
    data = EvalSet.from_texts({"A": ["cat", "dog"]}, sources=["a cat", " "])
    assert edits(data).without_source == 1
