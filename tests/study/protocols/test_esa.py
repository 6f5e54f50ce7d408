"""Errors with a severity, then a score."""

from __future__ import annotations

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.task import Task

GIVEN = {"A": [{"start": 0, "end": 4, "severity": "major"}]}
ITEM = Item("1", outputs={"A": "some text"}, sources=("s",), extra={"error_spans": GIVEN})
TASK = Task("1", ("A",))
ESA = PROTOCOLS.build("esa")
SPAN = {"start": 0, "end": 4, "category": "error", "severity": "minor"}


def test_the_score_is_what_was_given_and_the_spans_are_next_to_it():
    answer = ESA.read_answer({"spans": [SPAN], "ratings": {"esa": 70}}, ITEM, TASK, ESA.dimensions)
    [row] = ESA.rows(answer, ITEM, TASK, ESA.dimensions)
    assert (row["dimension"], row["score"], row["spans"]) == ("esa", 70.0, [SPAN])
    assert ESA.stated_scales(ESA.dimensions)["esa"].range == (0, 100)


@pytest.mark.parametrize(
    "answer",
    [
        {"spans": []},
        {"ratings": {"esa": 5}},
        {"spans": [], "ratings": {}},
        {"spans": [], "ratings": {"esa": 101}},
        {"spans": [{**SPAN, "severity": "critical"}], "ratings": {"esa": 5}},
        {"spans": [], "ratings": {"esa": 5}, "more": 1},
    ],
)
def test_other_answers_are_refused(answer):
    with pytest.raises(RefusedEvent):
        ESA.read_answer(answer, ITEM, TASK, ESA.dimensions)


def test_a_models_spans_are_begun_with_only_where_it_is_asked_for():
    assert "first_spans" not in ESA.view_page(ITEM, TASK, 1)
    prefilled = PROTOCOLS.build("esa(prefill=true)")
    assert prefilled.view_page(ITEM, TASK, 1)["first_spans"] == [{**GIVEN["A"][0], "category": "error"}]
    prefilled.check_item(ITEM)
    for spans in ({"A": [{"start": 0, "end": 40, "severity": "major"}]}, {"A": [{"start": 0}]}, {"A": 1}, []):
        with pytest.raises(InputError, match="error_spans"):
            prefilled.check_item(Item("1", outputs={"A": "text"}, extra={"error_spans": spans}))
