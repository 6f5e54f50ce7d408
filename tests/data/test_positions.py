"""Texts by position: when they become columns, and what does not fit."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.evalset import EvalSet
from assay.data.item import Item, Reference
from assay.errors import AlignmentError, InputError


@pytest.mark.parametrize(
    "references", [["a", "b"], [["a"], ["b"]], [("a",), ["b", "c"]], (["a"], ["b"]), iter([["a"], ["b"]])]
)
def test_plain_references_become_columns(references):
    assert EvalSet.from_texts(["x", "y"], references).columns is not None


@pytest.mark.parametrize(
    ("outputs", "references"),
    [
        ({"A": ["x", None]}, [["a"], ["b"]]),
        ({"A": ["x", "y"]}, [[Reference("a", "ann")], ["b"]]),
        ({"A": ["x", "y"]}, ["a", ["b"]]),
        ({"A": np.array(["x", "y"])}, np.array([["a"], ["b"]])),
    ],
)
def test_others_are_read_item_by_item(outputs, references):
    data = EvalSet.from_texts(outputs, references, allow_missing=True)
    assert len(data) == 2
    assert data["2"].references == (Reference("b"),)


@pytest.mark.parametrize(
    ("outputs", "references", "message"),
    [
        (["x", "y"], [["a"]], "references for 1 items but outputs for 2"),
        (["x", 1], ["a", "b"], "the output of system 'system' must be a text"),
        (["x", "y"], ["a", 3], "item '2': its reference must be a text"),
        (["x", "y"], [["a"], ["b", 4]], "item '2': a reference must be a text"),
        ({"A": ["x"], "B": ["y", "z"]}, ["a"], "system 'B' has 2 outputs but 'A' has 1"),
        ([], [], "at least one item"),
    ],
)
def test_errors_are_those_of_items(outputs, references, message):
    with pytest.raises((InputError, AlignmentError), match=message):
        EvalSet.from_texts(outputs, references)


def test_a_list_that_changes_later_does_not_change_the_set():
    outputs, references, sources = ["a", "b"], [["c"], ["d"]], ["s", "t"]
    data = EvalSet.from_texts(outputs, references, sources)
    outputs[0] = references[0][0] = sources[0] = "changed"
    assert data["1"] == Item("1", (Reference("c"),), {"system": "a"}, ("s",))
    assert data.flat[0] == ["a", "b"]


def test_lists_of_different_length():
    with pytest.raises(AlignmentError, match="system 'B' has 1 outputs but 'A' has 2"):
        EvalSet.from_texts({"A": ["x", "y"], "B": ["x"]}, ["r", "s"])
    with pytest.raises(AlignmentError, match="references for 1 items but outputs for 2"):
        EvalSet.from_texts(["x", "y"], ["r"])
    with pytest.raises(AlignmentError, match="3 sources for 2 outputs"):
        EvalSet.from_texts(["x", "y"], ["r", "s"], ["1", "2", "3"])


def test_transposed_references_are_recognised():
    with pytest.raises(AlignmentError, match=r"look like 2 lists of 3 references.*list\(zip\(\*references\)\)"):
        EvalSet.from_texts(["x", "y", "z"], [["a", "b", "c"], ["d", "e", "f"]])
