"""Draws: reproducible, independent of the batch size, and of the right kind."""

import numpy as np
import pytest

from assay import stats
from assay.errors import InputError
from assay.stats.metric_tests import _common
from assay.stats.permutation_null import permute_differences, swap_draws
from assay.stats.resampling import Resamples, batches, bits, weights


@pytest.mark.parametrize("over", ["systems", "inputs", "both"])
def test_resamples_do_not_depend_on_batches(over):
    whole = Resamples(3, shape=(7, 5), over=over).weights(10)
    parts = Resamples(3, shape=(7, 5), over=over)
    pieces = [parts.weights(count) for count in (3, 1, 6)]
    for side in (0, 1):
        assert np.array_equal(whole[side], np.concatenate([p[side] for p in pieces]))
    assert (whole[0].sum(axis=1) == 7).all()
    assert (whole[1].sum(axis=1) == 5).all()
    assert (whole[0] == 1).all() == (over == "inputs")


@pytest.mark.parametrize("over", ["systems", "inputs", "both"])
def test_swaps_do_not_depend_on_batches(over):
    whole = swap_draws(np.random.default_rng(1), 9, shape=(13, 11), over=over)
    rng = np.random.default_rng(1)
    parts = [swap_draws(rng, count, shape=(13, 11), over=over) for count in (4, 5)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert whole.shape == (9, 11, 13)


def test_batches_bound_memory(monkeypatch):
    rng = np.random.default_rng(0)
    h, a, b = rng.normal(size=(3, 9, 8))
    expected = permute_differences(*_common(h, a, b), "item", "pearson", "both", 50, 1)[2]
    monkeypatch.setattr("assay.stats.permutation_null.batches", lambda total, cost: batches(total, cost, budget=500))
    assert np.array_equal(permute_differences(*_common(h, a, b), "item", "pearson", "both", 50, 1)[2], expected)
    assert sum(batches(1000, 12345)) == 1000


def test_coins_are_fair():
    assert abs(bits(np.random.default_rng(0), 100, 1000).mean() - 0.5) < 0.01


def test_weights_count():
    index = np.random.default_rng(0).integers(0, 6, size=(4, 6))
    assert np.array_equal(weights(index, 6), [[(row == i).sum() for i in range(6)] for row in index])


def test_subsets_and_halves():
    rng = np.random.default_rng(0)
    drawn = stats.subsets(rng, 48, 12, 2000)
    assert all(len(set(row)) == 12 for row in drawn.tolist())
    assert np.allclose(np.bincount(drawn.ravel()) / 2000, 0.25, atol=0.05)
    first, second = stats.halves(rng, 48, 24, 50)
    assert all(not set(a) & set(b) for a, b in zip(first.tolist(), second.tolist(), strict=True))
    assert (
        stats.subset(np.random.default_rng(5), 9, 4).tolist() == stats.subset(np.random.default_rng(5), 9, 4).tolist()
    )
    with pytest.raises(InputError, match="between 1 and n = 3, got 4"):
        stats.subset(rng, 3, 4)
    with pytest.raises(InputError, match="need n >= 6, got n = 5"):
        stats.halves(rng, 5, 3, 1)


def test_seed_or_generator():
    rng = np.random.default_rng(0)
    h, m = rng.normal(size=(2, 8, 9))
    by_number = stats.bootstrap(h, m, resamples=20, seed=4)
    by_generator = stats.bootstrap(h, m, resamples=20, seed=np.random.default_rng(4))
    assert by_number.low == by_generator.low
    assert (by_number.seed, by_generator.seed) == (4, None)
    with pytest.raises(InputError, match="seed must be a whole number of at least 0"):
        stats.bootstrap(h, m, resamples=20, seed=-1)
