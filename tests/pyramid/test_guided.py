"""Units by weight, aspect and category, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from topics import read_topics

import assay
from assay.errors import InputError
from assay.pyramid.guided import GUIDED, analyze_units, aspect_scores, name_parts


def test_the_scheme_is_that_of_the_paper():
    assert {name: len(aspects) for name, aspects in GUIDED.items()} == {
        "Accidents": 7,
        "Attacks": 8,
        "Health": 5,
        "Resources": 4,
        "Trials": 6,
    }


def test_weights_by_hand():
    """Ferry: three units of weight 4, four of 2, one of 1; six peers state 9 units of weight 4 in all."""
    rows = {row.weight: row for row in analyze_units(read_topics()).weights if row.category == "Accidents"}
    assert [rows[w].pyramids for w in (4, 3, 2, 1)] == [3, 0, 4, 1]
    assert [rows[w].share for w in (4, 2)] == [3 / 8, 4 / 8]
    assert rows[4].systems == pytest.approx(9 / 6)


def test_aspects_by_hand():
    """Countermeasures of the measles: schools (2) and vaccine (3); peers 1, 3, 5 and 6 state one of them each.

    Peer 1 finds the heavier one (3/3), the others the lighter one (2/3).
    """
    rows = {(row.category, row.aspect): row for row in analyze_units(read_topics()).aspects}
    row = rows["Health", "countermeasures"]
    assert (row.pyramid_units, row.pyramid_weight) == (2, 2.5)
    assert row.system_units == pytest.approx(4 / 6)
    assert row.system_weight == pytest.approx((3 + 2 + 2 + 2) / 4)
    assert row.partial == pytest.approx((1 + 2 / 3 * 3) / 6)


def test_the_best_systems_are_looked_at():
    result = analyze_units(read_topics(), top=2)
    assert result.systems[0] == "1"
    assert len(result.systems) == 2
    judged = [
        replace(item, judgments=tuple(assay.Judgment(s, "r", "responsiveness", float(s)) for s in item.outputs))
        for item in read_topics()
    ]
    result = analyze_units(assay.EvalSet(judged), top=2, dimension="responsiveness")
    assert set(result.systems) == {"5", "6"}
    assert {row.measure for row in result.categories} == {"modified pyramid", "responsiveness"}


def test_initial_and_update_summaries_are_told_by_their_ids():
    items = [replace(item, id=f"{item.id}-{part}") for item in read_topics() for part in "AB"]
    result = analyze_units(assay.EvalSet(items))
    assert {row.part for row in result.weights} == {"initial", "update"}
    assert name_parts([]) == {}
    assert {row.part for row in analyze_units(read_topics()).weights} == {"all"}


def test_letters_need_two_topics_in_each_category():
    """Six copies of each topic: categories differ with certainty, so each letter stands alone or nowhere."""
    items = [replace(item, id=f"{item.id}{k}") for item in read_topics() for k in range(3)]
    rows = [row for row in analyze_units(assay.EvalSet(items)).categories if row.texts == "systems"]
    assert [row.category for row in rows] == ["Trials", "Accidents", "Health"]
    assert all(row.anova == row.tukey == "" for row in rows)
    assert all(row.topics == 3 for row in rows)


def test_partial_scores_of_a_system():
    rows = aspect_scores(read_topics(), "3").aspects
    scores = {(row.category, row.aspect): row.score for row in rows}
    assert scores["Accidents", "countermeasures"] == 1.0  # one of two equally heavy units
    assert scores["Health", "countermeasures"] == pytest.approx(2 / 3)
    assert scores["Trials", "plead"] == 0.0
    with pytest.raises(InputError, match="system '99' was not annotated"):
        aspect_scores(read_topics(), "99")


def test_the_headline_and_charts():
    view = analyze_units(read_topics()).view()
    assert view.headline.startswith("Models share most units: 14% have weight 1, 18% weight 4; 32% of those")
    assert [chart.description for chart in view.charts] == [
        "Content units by weight",
        "What systems state of each aspect",
    ]
