"""Correlations of many rows at once: scipy's, row by row, also with missing values and weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.stats.vectorized_correlation import coefficients, midranks

PLAIN = {
    "pearson": lambda x, y: scipy_stats.pearsonr(x, y)[0],
    "spearman": lambda x, y: scipy_stats.spearmanr(x, y)[0],
    "kendall": lambda x, y: scipy_stats.kendalltau(x, y)[0],
    "kendall-c": lambda x, y: scipy_stats.kendalltau(x, y, variant="c")[0],
}


@pytest.mark.parametrize("method", PLAIN)
@pytest.mark.parametrize("n", [4, 9, 40, 150])
def test_each_row_is_scipys_with_ties_and_missing_values(method, n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 6, (2, 5, n)).astype(float)
    x[0, 1] = y[1, 2] = np.nan
    for row, own in enumerate(coefficients(x, y, method=method)):
        there = ~np.isnan(x[row] + y[row])
        assert own == pytest.approx(PLAIN[method](x[row][there], y[row][there]), abs=1e-12)


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_a_weight_of_two_is_a_point_twice(method):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, (2, 8)).astype(float)
    weights = np.array([1.0, 2, 1, 3, 0, 1, 1, 2])
    repeat = weights.astype(int)
    expected = coefficients(np.repeat(x, repeat)[None], np.repeat(y, repeat)[None], method=method)[0]
    assert coefficients(x[None], y[None], method=method, weights=weights[None])[0] == pytest.approx(expected, abs=1e-12)


def test_constant_rows_are_undefined():
    assert np.isnan(coefficients(np.ones((1, 4)), np.arange(4.0)[None])).all()


def test_midranks_are_scipys():
    x = np.random.default_rng(0).integers(0, 9, (4, 30)).astype(float)
    assert midranks(x) == pytest.approx(scipy_stats.rankdata(x, axis=1))
