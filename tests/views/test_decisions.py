"""Decisions about pairs of systems in words, tables and a chart."""

from __future__ import annotations

from made import noisy, people, scores

from assay.meta import decision_agreement, decision_agreements

HUMAN = people(8, 25, spread=0.6)
METRICS = {"good": noisy(HUMAN, 0.2), "poor": noisy(HUMAN, 6.0, seed=3)}


def test_the_headline_is_of_the_best_metric():
    view = decision_agreements(METRICS, HUMAN).view()
    share = view.tables[0].rows()[0][3]
    assert view.headline.startswith(f"good and human come to the same decision on {share} of 28 pairs of systems")
    assert [row[0] for row in view.tables[0].rows()] == ["good", "poor"]


def test_pairs_with_people_are_rows_of_their_own():
    rows = decision_agreement(METRICS["good"], HUMAN, people=("s6", "s7")).view().tables[0].rows()
    assert [row[1:3] for row in rows] == [("systems", "15"), ("person and system", "12")]


def test_a_baseline_is_a_column():
    human = people(30, 25)
    metrics = {"good": noisy(human, 0.3), "poor": noisy(human, 9.0, seed=3)}
    view = decision_agreements(metrics, human, baseline="poor").view()
    assert view.headline.endswith("good decides as people do significantly more often than poor.")
    columns = {column.head: list(column.cells) for column in view.tables[0].columns}
    assert columns["vs poor"] == ["better", ""]
    assert columns["difference"][0].startswith("+")
    assert " to " in columns["95% CI of it"][0]


def test_without_a_baseline_metrics_are_compared_with_the_best():
    human = people(30, 25)
    metrics = {"poor": noisy(human, 9.0, seed=3), "good": noisy(human, 0.3), "fair": noisy(human, 0.3, seed=4)}
    view = decision_agreements(metrics, human).view()
    best = view.tables[0].rows()[0][0]
    columns = {column.head: list(column.cells) for column in view.tables[0].columns}
    assert columns[f"vs {best}"] == ["", "same", "worse"]
    assert columns["difference"][2].startswith("-")
    assert "Not significantly worse: " in view.headline


def test_five_systems_are_too_few_for_a_test_between_metrics():
    human = people(5, 25)
    metrics = {"poor": noisy(human, 9.0, seed=3), "good": noisy(human, 0.3)}
    few = "Too few pairs of systems (10) to say how often good decides as human: 15, those of 6 systems, are needed."
    assert decision_agreements(metrics, human).view().headline == few
    assert decision_agreements(metrics, human, baseline="poor").view().headline == few


def test_opposite_decisions_are_named():
    human = people(3, 25, spread=5)
    view = decision_agreement(scores(-human.values, "m"), human).view()
    assert any(note.startswith("m and human decide the opposite on: s0 and s1") for note in view.notes)


def test_the_bars_add_up_to_all_pairs():
    (chart,) = decision_agreement(METRICS["poor"], HUMAN).view().charts
    assert abs(sum(row["share"] for row in chart.spec["data"]["values"]) - 1) < 1e-12
