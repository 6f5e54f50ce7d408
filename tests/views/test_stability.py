"""Stability in words, tables and charts."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores

from assay.errors import UndefinedWarning
from assay.meta import item_stability, stabilities

HUMAN = people(15, 24)
METRICS = {"good": noisy(HUMAN, 1.0), "poor": noisy(HUMAN, 3.0, seed=2)}


def test_items_references_and_halves():
    each = METRICS["good"].values + np.random.default_rng(1).normal(size=(2, 15, 24))
    tables = {"good": {1: each, 2: METRICS["good"].values[None]}}
    view = stabilities(METRICS, HUMAN, reference_tables=tables, draws=50).view()
    assert view.headline.startswith("With all 24 items, good correlates with human at r = ")
    assert view.sentences[1].startswith("With all 2 references, good correlates")
    assert view.sentences[2].startswith("Mean human scores from two separate sets of 12 items correlate at r = ")
    assert [c.head for c in view.tables[0].columns] == ["items", "good", "poor", "human, two halves"]
    assert [row[0] for row in view.tables[1].rows()] == [
        "1",
        "2 (all)",
        "all, without outliers",
        "systems resampled",
        "p",
    ]
    assert len(view.charts) == 2


def test_how_many_are_enough():
    wide = item_stability(METRICS["good"], HUMAN, tolerance=0.5, draws=50)
    assert f"{wide.smallest} are enough for a loss of at most 0.500" in wide.view().headline.replace("is", "are")
    narrow = item_stability(METRICS["good"], HUMAN, sizes=[1], tolerance=0.0, draws=50)
    assert "No smaller number that was tried is enough" in narrow.view().headline


def test_metrics_without_a_correlation_are_not_drawn():
    flat = scores(np.ones((15, 24)), "flat")
    with pytest.warns(UndefinedWarning):
        view = stabilities({"good": METRICS["good"], "flat": flat}, HUMAN, draws=20).view()
    assert {row["metric"] for row in view.charts[0].spec["data"]["values"]} == {"good"}


def test_the_figure_without_outliers_has_a_row():
    rng = np.random.default_rng(4)
    human = scores(np.append(rng.normal(0, 0.3, 11), -9.0)[:, None] + rng.normal(0, 0.1, (12, 30)), "quality")
    result = item_stability(noisy(human, 0.5), human, sizes=[5], draws=20)
    assert result.outliers == ("s11",)
    rows = dict(row[:2] for row in result.view().tables[0].rows())
    assert rows["all, without outliers"] == f"{result.without_outliers:.3f}" != rows["30 (all)"]
