"""Scores on different items: Welch's test, swaps, and means adjusted for the items."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.stats import compare_all, crossed_model, partial_contrasts


def draw(systems, items, common, seed=0, gain=0.0):
    """Draw scores on items of which the first n are scored for all systems."""
    rng = np.random.default_rng(seed)
    total = common + systems * (items - common)
    x = rng.normal(size=total) + rng.normal(size=(systems, total)) + gain * np.arange(systems)[:, None]
    for s in range(systems):
        own = np.zeros(total, dtype=bool)
        own[:common] = True
        own[common + s * (items - common) : common + (s + 1) * (items - common)] = True
        x[s, ~own] = np.nan
    return x


def test_disjoint_is_welch():
    x = draw(2, 30, 0)
    a, b = (row[~np.isnan(row)] for row in x)
    expected = scipy_stats.ttest_ind(a, b * 3, equal_var=False)
    result = partial_contrasts(np.stack([x[0], 3 * x[1]]), resamples=20_000)
    assert result.difference[0, 1] / result.error[0, 1] == pytest.approx(expected.statistic, rel=1e-10)
    assert result.df[0, 1] == pytest.approx(expected.df, rel=1e-10)
    assert result.adjusted[0, 1] == pytest.approx(expected.pvalue, abs=0.01)
    assert result.method == "all-data"


def test_welch_of_three_keeps_the_tails_of_t():
    x = draw(3, 12, 0, gain=1.0)
    rows = [row[~np.isnan(row)] * 10**s for s, row in enumerate(x)]
    scaled = x * np.array([[1], [10], [100]])
    result = partial_contrasts(scaled)
    expected = scipy_stats.ttest_ind(rows[0], rows[2], equal_var=False)
    assert result.pvalue[0, 2] == pytest.approx(expected.pvalue, rel=0.4)
    assert (result.adjusted >= result.pvalue - 1e-12).all()


def test_all_data_of_complete_scores_is_the_paired_difference():
    """With everything shared, error and degrees of freedom of plain means are those of paired scores."""
    x = draw(2, 10, 10, seed=2)
    paired = compare_all(x)
    partly = partial_contrasts(x)
    assert paired.method == "paired"
    assert partly.method == "all-data"
    assert partly.error[0, 1] == pytest.approx(paired.error[0, 1])
    assert partly.df[0, 1] == pytest.approx(9)


def test_wmt_design_finds_what_all_data_show():
    """Two items in common of a hundred: by these two alone nothing could be found."""
    result = compare_all(draw(6, 100, 2, gain=0.3))
    assert result.method == "all-data"
    assert result.adjusted[0, 5] < 1e-6
    assert result.low[5, 0] > 0.8
    assert result.best.tolist()[5]
    assert not result.best[0]


def test_adjusted_from_fifteen_in_common():
    x = draw(3, 40, 20, gain=0.5)
    result = compare_all(x)
    system, item = np.nonzero(~np.isnan(x))
    fit = crossed_model(x[system, item], system, {"item": item})
    assert result.method == "adjusted"
    assert result.means == pytest.approx(fit.means)
    assert result.error[0, 1] == pytest.approx(fit.error[0, 1])
    assert result.difference[0, 1] == pytest.approx(result.means[0] - result.means[1])


def test_adjusted_means_undo_easy_items():
    """A system scored only on easy items is not better for it."""
    rng = np.random.default_rng(0)
    ease = np.linspace(-3, 3, 60)
    x = ease + 0.3 * rng.normal(size=(2, 60))
    x[1, :30] = np.nan
    result = compare_all(x)
    assert np.nanmean(x[1]) - np.nanmean(x[0]) > 1.3
    assert abs(result.difference[0, 1]) < 0.3
    assert result.adjusted[0, 1] > 0.05


@pytest.mark.parametrize("systems", [2, 4])
@pytest.mark.parametrize("common", [0, 5, 20])
def test_test_and_interval_are_one(systems, common):
    for seed in range(25):
        x = draw(systems, 25, common, seed, gain=0.3)
        result = compare_all(x, resamples=199, seed=seed)
        i, k = np.triu_indices(systems, 1)
        outside = (result.low[i, k] > 0) | (result.high[i, k] < 0)
        assert (outside == (result.adjusted[i, k] <= 0.05)).all()


def test_systems_without_scores():
    x = draw(3, 20, 0)
    x[1] = np.nan
    x[1, 0] = 3.0
    result = compare_all(x)
    assert np.isnan(result.adjusted[0, 1])
    assert not np.isnan(result.adjusted[0, 2])
    assert result.means[1] == 3


def test_shared_clusters_are_not_independent():
    """Scores of one document move together: ignoring it would find differences in a third of null comparisons."""
    hits = {"clusters": 0, "none": 0}
    for seed in range(150):
        rng = np.random.default_rng(seed)
        codes = np.arange(200) // 10
        x = rng.normal(size=(2, 20))[:, codes] + rng.normal(size=(2, 200))
        x[0, ::2] = np.nan
        x[1, 1::2] = np.nan
        for name, own in (("clusters", codes), ("none", None)):
            hits[name] += compare_all(x, own, resamples=199, seed=seed).adjusted[0, 1] <= 0.05
    assert hits["clusters"] <= 16
    assert hits["none"] > 30
