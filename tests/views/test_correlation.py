"""Correlations in words, tables and charts."""

from __future__ import annotations

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
    assert few.low < 0 < few.high
    assert few.view().headline.startswith("Too few systems to say how well m correlates with human: r = ")


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
