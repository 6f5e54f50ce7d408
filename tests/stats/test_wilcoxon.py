"""Wilcoxon's signed ranks: scipy's numbers, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from assay.stats.wilcoxon import signed_ranks


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [5, 12, 30, 51, 200])
def test_each_row_is_scipys(n, alternative):
    d = np.random.default_rng(n).normal(0.2, 1, (6, n))
    statistic, p = signed_ranks(d, alternative)
    for row, w, own in zip(d, statistic, p, strict=True):
        theirs = wilcoxon(row, alternative=alternative, method="exact" if n <= 50 else "approx")
        assert own == pytest.approx(theirs.pvalue, abs=1e-12)
        positive = row[row > 0]
        ranks = np.argsort(np.argsort(np.abs(row))) + 1.0
        assert w == pytest.approx(ranks[row > 0].sum() if len(positive) else 0.0)


def test_ties_zeros_and_missing_items():
    d = np.array([[1.0, 1, -1, 2, 0, np.nan, 3, -2, 2, 2, 1, 1, 5, 4, -4, 3, 2, 2, 2, 1]])
    _, p = signed_ranks(d)
    rest = d[0][~np.isnan(d[0]) & (d[0] != 0)]
    assert p[0] == pytest.approx(wilcoxon(rest, method="approx", correction=False).pvalue, abs=1e-9)


def test_no_differences_are_no_evidence():
    assert signed_ranks(np.zeros((1, 4)))[1].tolist() == [1.0]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_both_ways_are_the_rows_and_their_negatives(alternative):
    """Ranks are taken once, and give exactly what ranking the negatives would."""
    from assay.stats.wilcoxon import signed_ranks_both_ways

    rng = np.random.default_rng(1)
    for items in (2, 9, 13, 40, 60):
        d = np.round(rng.normal(size=(30, items)), 1)
        d[rng.random(d.shape) < 0.2] = np.nan
        plus, minus, p, back = signed_ranks_both_ways(d, alternative)
        for ours, theirs in zip(
            (plus, p, minus, back), (*signed_ranks(d, alternative), *signed_ranks(-d, alternative)), strict=True
        ):
            assert np.array_equal(ours, theirs, equal_nan=True)
