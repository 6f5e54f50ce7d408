"""Two systems: difference, effect, shares of items, and what would decide it."""

from __future__ import annotations

from math import isnan

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


def test_open_question_says_what_the_items_find():
    pair = is_better(FOUR, "A", "B")
    assert not pair.significant
    assert isnan(pair.needed)  # no difference is worth having until one is named
    critical = abs(pair.high - pair.difference) / pair.error
    assert pair.detectable == pytest.approx((critical + 0.8416) * pair.error, rel=1e-4)
    assert f"These items find a difference of {pair.detectable:.4f} with power 0.8." in pair.view().headline


def test_a_difference_worth_having_says_how_many_items():
    pair = is_better(FOUR, "A", "B", notice=0.1)
    assert pair.needed == items_by_error(60, 0.1, pair.error, abs(pair.high - pair.difference) / pair.error)
    assert pair.needed == pytest.approx(60 * (pair.detectable / 0.1) ** 2, abs=1)
    assert f"; {pair.needed:,.0f} find one of 0.100." in pair.view().headline
    assert is_better(FOUR, "A", "B", notice=0.1, test="t").needed == pytest.approx(pair.needed, rel=0.05)
    assert " find one of" not in is_better(FOUR, "A", "B", notice=5.0).view().headline


def test_what_the_items_find_is_found_four_times_in_five():
    rng = np.random.default_rng(3)
    first = is_better(scores(rng.normal(size=(2, 40)), systems="AB"), "A", "B")
    gap = first.detectable * 2**0.5 / (first.error * 40**0.5)  # of draws with the spread that is true
    found = [
        is_better(scores(rng.normal(size=(2, 40)) + np.array([[gap], [0.0]]), systems="AB"), "A", "B").significant
        for _ in range(300)
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=0.07)


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
