"""Differences of two metrics under random swaps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from assay.stats import permutation_null
from assay.stats.permutation_null import permute_differences, swap_draws

RNG = np.random.default_rng(0)
HUMAN, FIRST, SECOND = RNG.normal(size=(3, 6, 9))


@pytest.mark.parametrize(("over", "constant_along"), [("systems", 1), ("inputs", 2), ("both", None)])
def test_whole_systems_or_items_swap_together(over, constant_along):
    draws = swap_draws(np.random.default_rng(1), 50, shape=(6, 9), over=over)
    assert draws.shape == (50, 9, 6)
    assert 0.4 < draws.mean() < 0.6
    if constant_along is not None:
        assert (draws == np.take(draws, [0], axis=constant_along)).all()


def test_system_level_is_that_of_swapped_means():
    """Each difference is found again among those of all 2^6 ways to swap systems."""
    a, b, null = permute_differences(HUMAN, FIRST, SECOND, "system", "pearson", "systems", 40, 3)
    means = [v.mean(axis=1) for v in (HUMAN, FIRST, SECOND)]
    assert a == pytest.approx(pearsonr(means[1], means[0])[0])
    assert b == pytest.approx(pearsonr(means[2], means[0])[0])
    every = []
    for code in range(64):
        swap = np.array([(code >> i) & 1 for i in range(6)], dtype=bool)
        x, y = np.where(swap, means[2], means[1]), np.where(swap, means[1], means[2])
        every.append(np.arctanh(pearsonr(x, means[0])[0]) - np.arctanh(pearsonr(y, means[0])[0]))
    for difference in null:
        assert np.abs(np.array(every) - difference).min() < 1e-10


@pytest.mark.parametrize("level", ["system", "item", "pooled"])
def test_the_same_seed_gives_the_same_draws(level):
    runs = [permute_differences(HUMAN, FIRST, SECOND, level, "pearson", "both", 30, 7)[2] for _ in range(2)]
    assert runs[0].tolist() == runs[1].tolist()
    assert abs(runs[0].mean()) < 3 * runs[0].std()


def test_points_that_are_there_are_packed_with_the_same_differences(monkeypatch):
    """Where each item has a few of many systems, only these are swapped: the null is that of the whole table."""
    rng = np.random.default_rng(0)
    h = np.where(rng.random((40, 12)) < 0.15, rng.normal(size=(40, 12)), np.nan)
    x, y = (h + rng.normal(size=h.shape) for _ in range(2))
    for method in ("pearson", "spearman", "kendall"):
        packed = permutation_null.permute_differences(h, x, y, "item", method, "systems", 50, 0)
        with monkeypatch.context() as patch:
            patch.setattr(permutation_null, "_pack", lambda _: None)
            whole = permutation_null.permute_differences(h, x, y, "item", method, "systems", 50, 0)
        assert packed[:2] == whole[:2]
        np.testing.assert_allclose(packed[2], whole[2], atol=1e-12)
