"""Two systems: difference, effect, shares of items, and what would decide it."""

from __future__ import annotations

import numpy as np
import pytest
from made import scores
from scipy import stats as scipy_stats

from assay.comparison._power import items_by_error, items_needed
from assay.comparison.compare import is_better

VALUES = np.random.default_rng(0).normal(size=(4, 60)) + np.array([[0.0], [0.05], [1.0], [1.1]])
FOUR = scores(VALUES, "rouge2", systems="ABCD")


def test_effect_and_shares():
    pair = is_better(FOUR, "A", "D")
    d = VALUES[3] - VALUES[0]
    assert (pair.better, pair.worse) == ("D", "A")
    assert pair.difference == pytest.approx(d.mean())
    assert pair.effect == pytest.approx(d.mean() / d.std(ddof=1))
    assert pair.won == (d > 0).mean()
    assert "D is significantly better than A in rouge2" in pair.view().headline


def test_open_question_says_how_many_more_items():
    pair = is_better(FOUR, "A", "B")
    assert not pair.significant
    assert pair.needed == pytest.approx(items_needed(pair.effect, test="t"), rel=0.05)
    assert pair.needed == items_by_error(60, pair.difference, pair.error, abs(pair.high - pair.difference) / pair.error)
    assert f"about {pair.further:,.0f} more items" in pair.view().headline


def test_items_needed_is_what_a_simulation_needs():
    n = int(items_needed(0.4, test="t"))
    rng = np.random.default_rng(0)
    p = scipy_stats.ttest_1samp(rng.normal(0.4, 1, size=(4000, n)), 0, axis=1).pvalue
    assert (p < 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_smaller_than_people_notice():
    assert is_better(FOUR, "A", "D", notice=5.0).unnoticed
    assert "they may not notice this one" in is_better(FOUR, "A", "D", notice=5.0).view().headline
    assert not is_better(FOUR, "A", "D", notice=0.1).unnoticed


def test_items_that_disagree_with_the_mean_decide_nothing():
    values = np.array([[1.0] * 20 + [-50.0] * 2, [0.0] * 22])
    pair = is_better(scores(values, systems="AB"), "A", "B", test="wilcoxon")
    assert (pair.better, pair.against_ranks, pair.significant) == ("B", True, False)
    assert "the test statistic A" in pair.view().headline
