"""Dominance in words, tables and a matrix."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores

from assay.errors import UndefinedWarning
from assay.meta import dominate

HUMAN = people(4, 200)
METRICS = {
    "SKIP-2+Recall+MULT-ALL": noisy(HUMAN, 0.5, seed=0),
    "LR-1+Recall+MULT-ALL": noisy(HUMAN, 4.0, seed=1),
    "twin": noisy(HUMAN, 0.5, seed=2),
}


def test_the_best_and_those_not_worse():
    result = dominate(METRICS, HUMAN)
    best, other = result.ranking[0].metric, result.ranking[1].metric
    assert result.view().headline.startswith(f"{best} correlates best with human on single items: mean r = 0.895")
    assert result.view().headline.endswith(f"over 6 pairs of systems. Not significantly worse: {other}.")


def test_the_best_of_each_group_has_a_table_of_its_own():
    view = dominate(METRICS, HUMAN).view()
    assert [t.columns[0].head for t in view.tables] == ["metric", "best per unit"]
    assert view.tables[1].rows()[0][2] == "-"
    assert "* dominates the metrics marked -" in view.notes[0]


def test_the_matrix_shows_the_shares():
    result = dominate(METRICS, HUMAN)
    (chart,) = result.view().charts
    cells = {(r["row"], r["column"]): r["share"] for r in chart.spec["data"]["values"]}
    assert len(cells) == 6
    assert cells["twin", "LR-1+Recall+MULT-ALL"] == 1.0
    assert not dominate({"twin": METRICS["twin"]}, HUMAN).view().charts


def test_nothing_to_correlate():
    with pytest.warns(UndefinedWarning):
        result = dominate({"flat": scores(np.ones((4, 200)), "flat")}, HUMAN)
    assert result.view().headline == "No metric has a correlation with human on the differences between two systems."
