"""Pairs, with ties or without."""

from __future__ import annotations

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", outputs={"A": "1", "B": "2", "C": "3"}, sources=("s",))
TASK = Task("1", ("B", "A"))
COMPARE = PROTOCOLS.build("compare")
SCALES = COMPARE.dimensions


def test_all_pairs_are_compared():
    assert COMPARE.combine(["A", "B", "C"]) == [("A", "B"), ("A", "C"), ("B", "C")]
    with pytest.raises(InputError, match="two or more"):
        COMPARE.check_item(Item("1", outputs={"A": "x"}))


@pytest.mark.parametrize(
    ("choice", "scores"), [("a", {"B": 1, "A": 2}), ("b", {"B": 2, "A": 1}), ("tie", {"B": 1, "A": 1})]
)
def test_the_better_one_has_rank_1(choice, scores):
    answer = COMPARE.read_answer({"choices": {"preference": choice}}, ITEM, TASK, SCALES)
    rows = list(COMPARE.rows(answer, ITEM, TASK, SCALES))
    assert {row["system"]: row["score"] for row in rows} == scores
    assert all(row["order"] == ["B", "A"] for row in rows)
    assert COMPARE.stated_scales(SCALES)["preference"].kind == "pairs"


@pytest.mark.parametrize("choices", [{}, {"preference": "B"}, {"preference": None}, {"preference": "a", "x": "a"}])
def test_other_answers_are_refused(choices):
    with pytest.raises(RefusedEvent):
        COMPARE.read_answer({"choices": choices}, ITEM, TASK, SCALES)


def test_ties_may_be_refused():
    with pytest.raises(RefusedEvent, match="one of a, b"):
        PROTOCOLS.build("compare(ties=false)").read_answer({"choices": {"preference": "tie"}}, ITEM, TASK, SCALES)
