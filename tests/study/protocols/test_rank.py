"""Ranks with ties."""

from __future__ import annotations

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", outputs={"A": "1", "B": "2", "C": "3"}, sources=("s",))
TASK = Task("1", ("C", "A", "B"))
RANK = PROTOCOLS.build("rank")
SCALES = RANK.dimensions


def read(answer, protocol=RANK):
    return protocol.read_answer(answer, ITEM, TASK, SCALES)


def test_groups_become_ranks_without_gaps():
    answer = read({"groups": {"a": 7, "b": 2, "c": 2}})
    assert answer == {"groups": {"a": 2, "b": 1, "c": 1}}
    ranks = {row["system"]: row["score"] for row in RANK.rows(answer, ITEM, TASK, SCALES)}
    assert ranks == {"C": 2.0, "A": 1.0, "B": 1.0}
    assert RANK.stated_scales(SCALES)["rank"].kind == "ranking"


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        ({"a": 1, "b": 2}, "incomplete_answer"),
        ({"a": 0, "b": 1, "c": 2}, "invalid_answer"),
        ({"a": 1, "b": 1, "c": 1.5}, "invalid_answer"),
        ({"a": 1, "b": 1, "c": True}, "invalid_answer"),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, "invalid_answer"),
        ({"A": 1, "B": 2, "C": 3}, "invalid_answer"),
    ],
)
def test_other_answers_are_refused(groups, code):
    with pytest.raises(RefusedEvent) as error:
        read({"groups": groups})
    assert error.value.code == code


def test_ties_and_partial_ranks_are_a_matter_of_parameters():
    assert read({"groups": {"a": 1, "c": 2}}, PROTOCOLS.build("rank(partial=true)")) == {"groups": {"a": 1, "c": 2}}
    with pytest.raises(RefusedEvent, match="ties"):
        read({"groups": {"a": 1, "b": 1, "c": 2}}, PROTOCOLS.build("rank(ties=false)"))


def test_two_to_twenty_outputs_are_ranked():
    RANK.check_item(Item("1", outputs={str(n): "x" for n in range(20)}))
    for count in (1, 21):
        with pytest.raises(InputError, match="2 to 20"):
            RANK.check_item(Item("1", outputs={str(n): "x" for n in range(count)}))
