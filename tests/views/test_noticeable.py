"""Noticeable differences in words, tables and a chart."""

from __future__ import annotations

import pytest
from made import noisy, people, scores

from assay.errors import UndefinedWarning
from assay.meta import noticeable_difference, noticeable_differences
from assay.views._format import format_number

HUMAN = people(15, 20)
METRIC = noisy(HUMAN, 3.0)


def test_the_sentences_quote_the_table():
    result = noticeable_difference(METRIC, HUMAN, resamples=100)
    view = result.view()
    assert view.headline.startswith(f"Two systems must differ by {format_number(result.value)} (95% CI ")
    assert f"of the {result.above} pairs that differ by that much or more" in view.sentences[1]
    assert view.sentences[2].endswith(f"95% is reached at {format_number(result.local)}.")
    assert view.tables[0].rows()[0][1] == format_number(result.value)


def test_a_metric_without_such_a_difference_is_a_dash():
    with pytest.warns(UndefinedWarning):
        result = noticeable_differences({"bad": scores(-HUMAN.values), "m": METRIC}, HUMAN, resamples=50)
    view = result.view()
    assert "in m before people agree" in view.headline
    assert [row[1] == "–" for row in view.tables[0].rows()] == [True, False]


def test_the_chart_has_a_line_where_people_agree():
    result = noticeable_difference(METRIC, HUMAN, resamples=20)
    (chart,) = result.view().charts
    assert chart.spec["layer"][1]["data"]["values"] == [{"at": result.value}]
    assert sum(row["pairs"] for row in chart.spec["data"]["values"]) == result.n
