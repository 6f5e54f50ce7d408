"""Pooled differences within items, against plain loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay import stats
from assay.errors import UndefinedWarning
from assay.stats.pooled_differences import _system_variance


def sparse(seed, systems=12, items=20, share=0.4):
    rng = np.random.default_rng(seed)
    h = rng.integers(0, 4, size=(systems, items)).astype(float)
    h[rng.random(h.shape) > share] = np.nan
    return h, h + rng.normal(size=(2, systems, items))


def plain(h, m):
    """Pearson over all ordered differences within items, and the share of pairs in people's order."""
    dh, dm = [], []
    for x, y in zip(h.T, m.T, strict=True):
        there = np.flatnonzero(~np.isnan(x))
        for i, k in itertools.permutations(there, 2):
            dh.append(x[i] - x[k])
            dm.append(y[i] - y[k])
    dh, dm = np.array(dh), np.array(dm)
    right = np.sign(dh) * np.sign(dm)
    return np.corrcoef(dh, dm)[0, 1], (right[dh != 0] > 0).mean() + (right[dh != 0] == 0).mean() / 2, (dh > 0).sum()


def test_values_equal_the_plain_loop():
    h, ms = sparse(0)
    result = stats.pooled_differences(h, ms, resamples=50)
    for k in range(2):
        r, agreement, pairs = plain(h, ms[k])
        assert result.values[k] == pytest.approx(r)
        assert result.agreements[k] == pytest.approx(agreement)
        assert result.pairs == pairs
    assert result.values == pytest.approx(stats.pooled_difference_stack(h, ms))


def test_items_are_drawn_with_all_their_outputs():
    """Each resample is the value of the drawn items put side by side."""
    h, ms = sparse(1)
    kept = (~np.isnan(h)).sum(axis=0) > 1
    result = stats.pooled_differences(h, ms, resamples=5, seed=3)
    drawn = np.random.default_rng(3).integers(0, kept.sum(), size=(5, kept.sum()))
    for sample, columns in zip(result.samples, drawn, strict=True):
        for k in range(2):
            assert sample[k] == pytest.approx(plain(h[:, kept][:, columns], ms[k][:, kept][:, columns])[0])


def test_differences_of_two_metrics():
    h, _ = sparse(2, items=60)
    rng = np.random.default_rng(0)
    good, poor = h + 0.3 * rng.normal(size=h.shape), h + 5 * rng.normal(size=h.shape)
    result = stats.pooled_differences(h, [good, poor], resamples=200)
    difference, low, high, p = result.compare(0, 1)
    assert low < difference < high
    assert difference == pytest.approx(result.values[0] - result.values[1])
    assert p < 0.001
    assert result.compare(0, 0) == (0.0, 0.0, 0.0, 1.0)


def test_variance_of_systems_equals_all_products_of_pairs_that_share_one():
    """Influence of a pair by the change of r when its weight grows; then a double loop over pairs of outputs."""
    h, (a, b) = sparse(4, systems=7, items=14, share=0.8)
    a = a + 3 * np.random.default_rng(0).normal(size=(7, 1))  # leanings
    a, b = (np.where(np.isnan(h), np.nan, m) for m in (a, b))
    pairs = [
        (j, i, k) for j in range(h.shape[1]) for i, k in itertools.combinations(np.flatnonzero(~np.isnan(h[:, j])), 2)
    ]

    def r(m, weights):
        dh, dm = (np.array([v[i, j] - v[k, j] for j, i, k in pairs]) for v in (h, m))
        return (weights * dh * dm).sum() / np.sqrt((weights * dh**2).sum() * (weights * dm**2).sum())

    one, step = np.ones(len(pairs)), 1e-6
    u = [
        (r(a, one + step * unit) - r(b, one + step * unit) - r(a, one) + r(b, one)) / step
        for unit in np.eye(len(pairs))
    ]
    shared = within = 0.0
    for (j, *first), x in zip(pairs, u, strict=True):
        for (other, *second), y in zip(pairs, u, strict=True):
            if set(first) & set(second):
                shared += x * y
                within += x * y * (j == other)
    expected = 7 * 6 / (5 * 4) * shared - within
    assert _system_variance(h, a, b, 7) == pytest.approx(max(expected, 0.0), rel=1e-3)
    assert expected > 0


def test_nothing_to_pool():
    with pytest.warns(UndefinedWarning, match="no differences"):
        result = stats.pooled_differences([[1.0, np.nan], [np.nan, 2]], [[[1.0, 2], [3, 4]]], resamples=9)
    assert np.isnan(result.values).all()
    assert (result.items, result.pairs) == (0, 0)
