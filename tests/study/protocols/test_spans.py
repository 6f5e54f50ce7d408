"""Errors marked in the text."""

from __future__ import annotations

from typing import Any

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

ITEM = Item("1", outputs={"A": "\U0001f600 text"}, sources=("s",))
TASK = Task("1", ("A",))
SPANS = PROTOCOLS.build("spans")
SCALES = SPANS.dimensions


def span(start=0, end=1, category="fluency", severity="major"):
    return {"start": start, "end": end, "category": category, "severity": severity}


def score(*spans):
    answer = SPANS.read_answer({"spans": list(spans)}, ITEM, TASK, SCALES)
    return next(SPANS.rows(answer, ITEM, TASK, SCALES))["score"]


def test_the_score_is_minus_the_weights():
    assert score() == 0
    assert score(span(), span(2, 6, "accuracy", "minor")) == -6
    assert score(span(severity="critical")) == -25


@pytest.mark.parametrize(
    "wrong",
    [span(-1), span(3, 3), span(0, 7), span(True, 3), span(category="x"), span(severity="x"), {"start": 0}, 1],
)
def test_other_answers_are_refused(wrong):
    with pytest.raises(RefusedEvent):
        SPANS.read_answer({"spans": [wrong]}, ITEM, TASK, SCALES)


def test_categories_and_severities_are_parameters():
    own: Any = PROTOCOLS.build("spans(categories=omission|addition, severities=small:0.1|large:2)")
    assert own.category_names == ["omission", "addition"]
    assert own.weights == {"small": 0.1, "large": 2.0}
    assert own.view_page(ITEM, TASK, 1)["severities"] == ["small", "large"]
    for text in ("spans(severities=small)", "spans(categories=a||b)", "spans(severities=a:b)"):
        with pytest.raises(InputError):
            PROTOCOLS.build(text)
