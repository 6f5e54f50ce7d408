"""Reference, then output, on two pages."""

from __future__ import annotations

import pytest

from assay import Item, Reference
from assay.errors import InputError
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", (Reference("ref"), Reference("second")), {"A": "out"}, ("src",))
TASK = Task("1", ("A",))
ABSOLUTE = PROTOCOLS.build("absolute")


def test_no_page_shows_both():
    assert ABSOLUTE.view_page(ITEM, TASK, 1) == {"references": ["ref"]}
    assert ABSOLUTE.view_page(ITEM, TASK, 2) == {"texts": [{"key": "a", "text": "out"}]}
    assert ABSOLUTE.pages == 2
    assert ABSOLUTE.is_final


def test_1_is_best():
    scales = ABSOLUTE.dimensions
    answer = ABSOLUTE.read_answer({"ratings": {"score": 1}}, ITEM, TASK, scales)
    assert [row["score"] for row in ABSOLUTE.rows(answer, ITEM, TASK, scales)] == [1.0]
    assert ABSOLUTE.stated_scales(scales)["score"].lower_is_better


def test_a_reference_is_needed():
    with pytest.raises(InputError, match="no reference"):
        ABSOLUTE.check_item(Item("1", outputs={"A": "x"}))
