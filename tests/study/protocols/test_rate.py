"""Ratings on one or more scales, with the output hidden or not."""

from __future__ import annotations

import pytest

from assay import Item, Reference
from assay.errors import RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.settings import RatingScale
from assay.study.task import Task

ITEM = Item("1", (Reference("ref"),), {"SYSTEM": "out"}, ("src",))
TASK = Task("1", ("SYSTEM",))
SCALES = (RatingScale(name="meaning", high=3), RatingScale(name="quality", low=0, high=100, slider=True))
RATE = PROTOCOLS.build("rate")


def test_everything_is_visible_unless_it_is_to_be_revealed():
    assert RATE.view_page(ITEM, TASK, 1) == {"source": ["src"], "texts": [{"key": "a", "text": "out"}]}
    hidden = PROTOCOLS.build("rate(reveal=true, reference=true)")
    assert hidden.hides(1)
    assert hidden.view_page(ITEM, TASK, 1) == {"source": ["src"], "references": ["ref"]}
    assert hidden.view_hidden(ITEM, TASK, 1) == {"texts": [{"key": "a", "text": "out"}]}
    assert "source" not in PROTOCOLS.build("rate(source=false)").view_page(ITEM, TASK, 1)


def test_an_answer_has_a_rating_on_every_scale():
    answer = RATE.read_answer({"ratings": {"meaning": 2, "quality": 55}}, ITEM, TASK, SCALES)
    assert answer == {"ratings": {"meaning": 2.0, "quality": 55.0}}
    rows = list(RATE.rows(answer, ITEM, TASK, SCALES))
    assert rows[1] == {"system": "SYSTEM", "dimension": "quality", "score": 55.0}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({}, "invalid_answer"),
        ({"ratings": []}, "invalid_answer"),
        ({"ratings": {"meaning": 2}}, "incomplete_answer"),
        ({"ratings": {"meaning": 4, "quality": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": 2.5, "quality": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": True, "quality": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": "2", "quality": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": float("nan"), "quality": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": 2, "quality": 1, "other": 1}}, "invalid_answer"),
        ({"ratings": {"meaning": 2, "quality": 1}, "more": 1}, "invalid_answer"),
    ],
)
def test_other_answers_are_refused(answer, code):
    with pytest.raises(RefusedEvent) as error:
        RATE.read_answer(answer, ITEM, TASK, SCALES)
    assert error.value.code == code
