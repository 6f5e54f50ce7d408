"""Noticeable differences in words, tables and a chart."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from made import noisy, people, scores

from assay.errors import UndefinedWarning
from assay.meta import noticeable_difference, noticeable_differences
from assay.views._format import format_number, format_percent

HUMAN = people(15, 20)
METRIC = noisy(HUMAN, 3.0)


def test_the_sentences_quote_the_table():
    result = noticeable_difference(METRIC, HUMAN)
    view = result.view()
    assert view.headline.startswith(f"Two systems must differ by {format_number(result.value)} (95% CI ")
    assert f"They agree on {format_percent(result.below)} of the pairs that differ by less" in view.sentences[1]
    assert view.sentences[2].endswith(f"every pair that differs by {format_number(result.certain)} or more.")
    assert "below .013 about half of the pairs are in the wrong order, above .04 none is" in view.notes[0]
    assert view.tables[0].rows()[0][1] == format_number(result.value)


def test_a_metric_without_such_a_difference_is_a_dash():
    with pytest.warns(UndefinedWarning):
        result = noticeable_differences({"bad": scores(-HUMAN.values), "m": METRIC}, HUMAN)
    view = result.view()
    assert "in m before people agree" in view.headline
    assert [row[1] == "–" for row in view.tables[0].rows()] == [True, False]


def test_an_interval_without_an_upper_end():
    result = noticeable_difference(METRIC, HUMAN)
    view = replace(result, low=0.5, high=inf).view()
    assert "(95% CI 0.500 or more) in m" in view.headline
    assert view.tables[0].rows()[0][2] == "0.500 or more"


def test_the_chart_has_a_line_where_people_agree():
    result = noticeable_difference(METRIC, HUMAN)
    (chart,) = result.view().charts
    assert chart.spec["layer"][1]["data"]["values"] == [{"at": result.value}]
    assert sum(row["pairs"] for row in chart.spec["data"]["values"]) == result.n
