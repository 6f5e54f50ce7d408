"""Cutting a source into units."""

from __future__ import annotations

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", sources=("one", "two"))
CUT = PROTOCOLS.build("cut")


def test_units_are_texts_that_differ():
    assert CUT.view_page(ITEM, Task("1"), 1) == {"source": ["one", "two"]}
    assert CUT.read_answer({"units": [" a  b ", "c"]}, ITEM, Task("1"), ()) == {"units": ["a b", "c"]}


@pytest.mark.parametrize("units", [[], [""], ["a", " a"], [1], ["x" * 2001], ["a"] * 201])
def test_other_answers_are_refused(units):
    with pytest.raises(RefusedEvent):
        CUT.read_answer({"units": units}, ITEM, Task("1"), ())


def test_a_source_is_needed():
    with pytest.raises(InputError, match="no source"):
        CUT.check_item(Item("1"))
