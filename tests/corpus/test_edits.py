"""Edits of a whole set, by system."""

from __future__ import annotations

import pytest

from assay import EvalSet
from assay.corpus import edits
from assay.errors import InputError

DATA = EvalSet.from_texts({"A": ["The cat slept."], "B": ["It slept, the cat."]}, sources=["The old cat slept."])


def test_records_of_all_and_of_each_system():
    records = edits(DATA).records()
    assert [r["system"] for r in records] == [None, "A", "B"]
    assert [r["kind_delete"] for r in records] == [0.5, 1.0, 0.0]


def test_one_system_is_not_repeated():
    assert list(edits(DATA, systems=["A"]).by_system()) == [None]


def test_no_source_is_an_error():
    with pytest.raises(InputError, match="no item has both"):
        edits(EvalSet.from_texts({"A": ["a"]}, [["b"]]))
