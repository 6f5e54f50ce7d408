"""Correlations in words, tables and charts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made import noisy, people, scores

from assay.errors import UndefinedWarning
from assay.meta import correlate, differences, failures
from assay.views.correlation import chart_systems

HUMAN = people()
METRICS = {"good": noisy(HUMAN, 0.5), "poor": noisy(HUMAN, 4.0, seed=2)}


def test_the_headline_quotes_the_first_row_of_the_table():
    result = correlate(METRICS, HUMAN, resamples=50)
    view = result.view()
    assert view.headline.startswith("good has the highest correlation with human at system level: r = 0.9")
    cells = dict(zip((c.head for c in view.tables[0].columns), view.tables[0].rows()[0], strict=True))
    assert cells["metric"] == "good"
    assert f"r = {cells['r (system)']} (95% CI {cells['95% CI']})" in view.headline
    assert [c.head for c in view.tables[0].columns][-3:] == ["items failed", "r of differences", "pooled"]


def test_several_levels_are_rows():
    view = correlate(METRICS, HUMAN, level=("system", "item"), resamples=20).view()
    rows = view.tables[0].rows()
    assert [row[:2] for row in rows] == [
        ("good", "systems"),
        ("good", "within items"),
        ("poor", "systems"),
        ("poor", "within items"),
    ]
    assert [bool(row[-1]) for row in rows] == [False, True, False, True]  # what is counted within items


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("item", "within items: r = 0.9"),
        ("item", "averaged over 30 items with up to 12 systems"),
        ("per-system", "averaged over 12 systems with up to 30 items"),
        ("pooled", "over all outputs: r = 0.9"),
    ],
)
def test_the_level_is_said(level, text):
    assert text in correlate(METRICS["good"], HUMAN, level=level, resamples=20).view().headline


def test_too_few_systems_is_said_before_the_number():
    few = correlate(METRICS["good"], HUMAN, systems=["s0", "s1", "s2", "s3"], resamples=200)
    assert np.isnan([few.low, few.high]).all()
    assert few.view().headline.startswith("Too few systems (4) to say how well m correlates with human: 6 are needed.")


@pytest.mark.parametrize(("low", "high", "cell"), [(-1.0, 1.0, "too few systems"), (-1.0, 0.9, "-1.000 to 0.900")])
def test_an_interval_of_everything_is_called_too_few_systems(low, high, cell):
    """Even with 10 systems, where an interval that includes 0 alone is called no significant correlation."""
    result = replace(correlate(METRICS["good"], HUMAN, resamples=20), low=low, high=high)
    assert result.view().tables[0].rows()[0][2] == cell
    assert result.view().headline.startswith("Too few systems (12)" if cell.startswith("too") else "No significant")


def test_five_systems_are_too_few_whatever_the_interval():
    """The bootstrap draws the same five again and again: its interval is far too narrow."""
    result = correlate(METRICS, HUMAN, systems=["s0", "s1", "s2", "s3", "s4"], resamples=200)
    assert result.view().headline.startswith("Too few systems (5)")
    assert {row[2] for row in result.view().tables[0].rows()} == {"too few systems"}
    assert {row[3] for row in result.view().tables[1].rows()} == {"too few systems"}


def test_the_figure_without_outliers_stands_beside_each_system_correlation():
    rng = np.random.default_rng(4)
    values = np.append(rng.normal(0, 0.1, 11), -3.0)[:, None] + np.zeros((12, 30))
    human, far = scores(values + rng.normal(0, 0.01, (12, 30)), "quality"), {"s11"}
    blind = scores(np.append(rng.normal(0, 0.1, 11), -3.0)[:, None] + rng.normal(0, 0.01, (12, 30)), "blind")
    result = correlate({"blind": blind, "same": noisy(human, 0.01)}, human, level=["system", "item"], resamples=50)
    inner = correlate(blind, human, systems=[s for s in human.systems if s not in far], interval=None).value
    record = next(r for r in result.records() if r.get("metric") == "blind" and r["kind"] == "correlation")
    assert record["outliers"] == ["s11"]
    assert record["without_outliers"] == pytest.approx(inner)
    view = result.view()
    columns = {column.head: column.cells for column in view.tables[0].columns}
    assert sorted(columns["without outliers"])[:2] == ["", ""]  # nothing within items
    assert f"{inner:.3f}" in columns["without outliers"]
    assert any(note.startswith("Outliers: s11 (mean quality more than 2.5 x 1.483") for note in view.notes)
    assert "outlier" not in view.headline  # the best metric keeps its figure
    assert f"Without the outlier s11 it is {inner:.3f}." in correlate(blind, human, resamples=50).view().headline


def test_no_outliers_and_too_few_systems_to_look():
    assert correlate(METRICS["good"], HUMAN, resamples=20).view().tables[0].rows()[0][3] == "no outliers"
    nine = correlate(METRICS["good"], HUMAN, systems=list(HUMAN.systems[:9]), resamples=20).view()
    assert "Outliers are not looked for among fewer than 10 systems." in nine.notes


def test_differences_from_the_best_metric_have_intervals():
    result = correlate(METRICS, HUMAN, resamples=200)
    best, other = result.correlations[0], result.correlations[-1]
    row = next(d for d in result.metric_differences if d.metric == other.metric)
    assert row.difference == pytest.approx(other.value - best.value)
    assert row.low <= row.difference <= row.high
    assert (row.best, row.clear) == (best.metric, True)
    heads = [column.head for column in result.view().tables[1].columns]
    assert heads == ["metric", "compared with", "difference", "95% CI", "p"]


def test_a_metric_that_may_be_as_good_is_named():
    twin = {"one": noisy(HUMAN, 0.5, seed=1), "two": noisy(HUMAN, 0.5, seed=2)}
    result = correlate(twin, HUMAN, level="item", resamples=200)
    assert f"Not clearly worse: {result.correlations[1].metric} (the interval" in result.view().headline


def test_corpus_scores_differ_by_the_figures_in_the_table():
    judged = np.where(np.arange(30) < 10, HUMAN.values, np.nan)
    human = scores(judged, "human")
    corpus = scores(HUMAN.values, "c", corpus=noisy(HUMAN, 1.0, seed=3).values.mean(axis=1))
    result = correlate({"c": corpus, "m": METRICS["good"]}, human, resamples=50)
    (row,) = result.metric_differences
    assert row.difference == pytest.approx(result.correlations[1].value - result.correlations[0].value)


def test_no_correlation():
    noise = noisy(scores(np.zeros((12, 30)), "zero"), 1.0, seed=7, name="noise")
    assert correlate(noise, HUMAN).view().headline.startswith("No significant correlation of noise with human")
    with pytest.warns(UndefinedWarning):
        flat = correlate(scores(np.ones((12, 30)), "flat"), HUMAN)
    assert flat.view().headline == "flat has no pearson correlation with human at system level (over 12 systems)."


def test_people_and_signatures_are_noted():
    human = scores(HUMAN.values, "human", people=("s0",))
    metric = scores(METRICS["good"].values, "m", signature="m(a=1)")
    notes = correlate({"m": metric}, human, resamples=20).view().notes
    assert "Left out: 1 person among the systems (s0); --people include keeps them." in notes
    assert notes[-1] == "m = m(a=1)"


def test_failures_and_differences():
    below = failures(METRICS["poor"], HUMAN, thresholds={"spearman": 0.55})["spearman"]
    assert below.view().headline.startswith("m fails on ")
    assert "its rho with human is below 0.550" in below.view().headline
    pairs = differences(METRICS["good"], HUMAN).view()
    assert "averaged over 66 pairs of systems" in pairs.headline
    assert len(pairs.tables[0].rows()) == 66


def test_a_point_per_system():
    chart = chart_systems(METRICS["good"], HUMAN)
    assert len(chart.spec["data"]["values"]) == 12
    assert [field["type"] for field in chart.spec["encoding"]["tooltip"]] == ["nominal", "quantitative", "quantitative"]
