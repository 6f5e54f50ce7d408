"""Units by weight, aspect and category, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from topics import read_topics

import assay
from assay.data.content_units import ContentUnit, Contributor, PeerAnnotation, PeerUnit, Pyramid, TextSpan
from assay.errors import InputError, UnknownName
from assay.pyramid.guided import FORMS, GUIDED, analyze_units, aspect_scores, name_parts


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


def test_partial_scores_of_a_system():
    rows = aspect_scores(read_topics(), "3").aspects
    assert {row.part for row in rows} == {"all"}
    scores = {(row.category, row.aspect): row.score for row in rows}
    assert scores["Accidents", "countermeasures"] == 1.0  # one of two equally heavy units
    assert scores["Health", "countermeasures"] == pytest.approx(2 / 3)
    assert scores["Trials", "plead"] == 0.0
    with pytest.raises(InputError, match="system '99' was not annotated"):
        aspect_scores(read_topics(), "99")
    with pytest.raises(UnknownName, match="unknown form 'whole'"):
        aspect_scores(read_topics(), "3", form="whole")


def test_the_modified_form_divides_by_the_units_of_a_model():
    """One top unit found of several is 1.00 in the original form, and less where a model states more than one."""
    found = {form: {r.aspect: r.score for r in aspect_scores(one_topic(), "7", form=form).aspects} for form in FORMS}
    assert found == {"original": {"what": 1.0, "why": 0.0}, "modified": {"what": 2 / (2 + 2 + 1 + 1), "why": 0.0}}


def one_topic() -> list[Pyramid]:
    """Units of "what" weigh 2, 2, 1, 1, 1: 3.5 for each of two models, so four count; the peer states the first."""
    word = (TextSpan(0, 4),)
    stated = {"1": "AB", "2": "AB", "3": "A", "4": "B", "5": "B", "6": "A"}
    units = tuple(
        ContentUnit(id, id, tuple(Contributor(m, word) for m in models), ("why",) if id == "6" else ("what",))
        for id, models in stated.items()
    )
    peers = (PeerAnnotation("7", (PeerUnit("1", (Contributor("7", word),)),)),)
    texts = {"A": "Text", "B": "Text", "7": "Text"}
    return [Pyramid("t", {"A": "Text", "B": "Text"}, units, peers, texts)]


def test_the_headline_and_charts():
    view = analyze_units(read_topics()).view()
    assert view.headline.startswith("Models share most units: 14% have weight 1, 18% weight 4; 32% of those")
    assert [chart.description for chart in view.charts] == [
        "Content units by weight",
        "What systems state of each aspect: mean partial score",
    ]


def test_weights_over_all_categories_by_hand():
    """Table 3: of 22 units 4 have weight 4 (3 + 1 + 0), 6 weight 3, 9 weight 2 and 3 weight 1."""
    rows = {row.weight: row for row in analyze_units(read_topics()).weights if row.category == "all"}
    assert [rows[w].share for w in (4, 3, 2, 1)] == pytest.approx([4 / 22, 6 / 22, 9 / 22, 3 / 22])


def test_aspects_come_in_the_order_of_the_scheme():
    rows = [row.aspect for row in analyze_units(read_topics()).aspects if row.category == "Accidents"]
    assert rows == ["what", "when", "where", "why", "who affected", "damages", "countermeasures"]
    scheme = {"Accidents": ["why", "what"]}
    rows = [row.aspect for row in analyze_units(read_topics(), scheme=scheme).aspects if row.category == "Accidents"]
    assert rows[:2] == ["why", "what"]


def test_partial_scores_are_apart_for_initial_and_update_summaries():
    items = [replace(item, id=f"{item.id}-{part}") for item in read_topics() for part in "AB"]
    rows = aspect_scores(assay.EvalSet(items), "3").aspects
    assert [row.part for row in rows] == ["initial"] * (len(rows) // 2) + ["update"] * (len(rows) // 2)
