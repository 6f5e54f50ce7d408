"""Means over pairs of systems, against plain loops and simulations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import stats
from assay.errors import InputError, UndefinedWarning


def plain_variance(values, pairs):
    """Mean squared less the mean product of two pairs without a common system."""
    mean = np.mean(values)
    products = [
        (values[e] - mean) * (values[f] - mean)
        for e, f in itertools.permutations(range(len(pairs)), 2)
        if not set(pairs[e]) & set(pairs[f])
    ]
    return -np.mean(products)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(4, 9))
def test_variance_is_the_unbiased_one(seed, count):
    rng = np.random.default_rng(seed)
    pairs = stats.system_pairs(count)
    own = 5 * rng.normal(size=count)
    values = own[pairs].sum(axis=1) + 0.1 * rng.normal(size=len(pairs))
    result = stats.pair_means(values, pairs)
    least = values.var(ddof=1) / len(values)
    assert result.values == pytest.approx(values.mean())
    assert result.errors**2 == pytest.approx(max(plain_variance(values, pairs), least))
    assert (result.systems, result.pairs, result.df) == (count, len(pairs), count - 2)


def test_systems_have_any_number_and_stacks_any_shape():
    rng = np.random.default_rng(0)
    pairs = stats.system_pairs(6)
    values = rng.normal(size=(2, 3, len(pairs)))
    stacked = stats.pair_means(values, pairs + 40)
    alone = stats.pair_means(values[1, 2], pairs)
    assert stacked.errors.shape == (2, 3)
    assert stacked.errors[1, 2] == pytest.approx(float(alone.errors))
    assert stacked.low[1, 2] == pytest.approx(float(alone.low))


def test_a_mean_of_exactly_zero_is_no_difference():
    pairs = stats.system_pairs(5)
    assert stats.pair_means(np.zeros(10), pairs).pvalues == 1.0
    assert stats.pair_means(np.ones(10), pairs).pvalues == 0.0


def test_too_few_systems():
    with pytest.warns(UndefinedWarning, match=r"3 system\(s\); at least 4"):
        assert np.isnan(stats.pair_means(np.ones(3), stats.system_pairs(3)).errors)
    with pytest.raises(InputError, match="each pair must have a value"):
        stats.pair_means(np.ones(3), stats.system_pairs(4))


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_interval_covers_over_systems(noise):
    """Values that belong to systems, or to pairs: 20 systems, 400 runs; an interval of independent pairs does not."""
    pairs, covered, naive = stats.system_pairs(20), [], []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=20)[pairs].sum(axis=1) + noise * rng.normal(size=len(pairs))
        result = stats.pair_means(values, pairs)
        covered.append(result.low <= 0 <= result.high)
        naive.append(abs(values.mean()) <= 1.96 * values.std() / np.sqrt(len(pairs)))
    assert 0.92 <= np.mean(covered) <= 0.98
    assert np.mean(naive) < (0.6 if noise == 0 else 0.95)
