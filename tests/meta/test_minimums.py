"""Smallest numbers of systems and items: with one fewer, no test could reach .05."""

from __future__ import annotations

import numpy as np
from scipy.stats import wilcoxon

from assay.meta.minimums import MIN_ITEMS, MIN_SYSTEMS


def test_with_fewer_systems_no_permutation_reaches_the_level():
    assert 2 / 2**MIN_SYSTEMS < 0.05 < 2 / 2 ** (MIN_SYSTEMS - 1)


def test_with_fewer_items_no_signed_rank_test_reaches_the_level():
    """scipy.stats.wilcoxon, exact: the smallest p is that of differences of one sign."""
    assert wilcoxon(np.arange(1, MIN_ITEMS + 1)).pvalue < 0.05 < wilcoxon(np.arange(1, MIN_ITEMS)).pvalue
