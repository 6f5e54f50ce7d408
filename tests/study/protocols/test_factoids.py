"""Marking which units a text holds."""

from __future__ import annotations

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", outputs={"A": "x", "B": "y"}, extra={"units": ["u1", "u2", "u3"]})
FACTOIDS, TOGETHER = PROTOCOLS.build("factoids"), PROTOCOLS.build("factoids(together=true)")
SCALES = FACTOIDS.dimensions


def test_one_text_or_all_side_by_side():
    assert FACTOIDS.combine(["A", "B"]) == [("A",), ("B",)]
    assert TOGETHER.combine(["A", "B"]) == [("A", "B")]
    screen = TOGETHER.view_page(ITEM, Task("1", ("B", "A")), 1)
    assert screen == {"units": ["u1", "u2", "u3"], "texts": [{"key": "a", "text": "y"}, {"key": "b", "text": "x"}]}


def test_the_score_is_the_share_of_units():
    task = Task("1", ("B", "A"))
    answer = TOGETHER.read_answer({"units": {"a": [True, False, True], "b": [False] * 3}}, ITEM, task, SCALES)
    rows = list(TOGETHER.rows(answer, ITEM, task, SCALES))
    assert [(row["system"], row["score"]) for row in rows] == [("B", 2 / 3), ("A", 0.0)]
    assert rows[0]["units"] == [True, False, True]


@pytest.mark.parametrize(
    "marks", [{}, {"a": [True]}, {"a": [1, 0, 1]}, {"a": [True] * 3, "b": [True] * 3}, {"a": None}]
)
def test_other_answers_are_refused(marks):
    with pytest.raises(RefusedEvent):
        FACTOIDS.read_answer({"units": marks}, ITEM, Task("1", ("A",)), SCALES)


def test_units_are_needed():
    with pytest.raises(InputError, match="lists no content units"):
        FACTOIDS.check_item(Item("1", outputs={"A": "x"}))
