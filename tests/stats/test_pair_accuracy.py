"""Accuracies over pairs of systems against plain double loops."""

import itertools

import numpy as np
import pytest
import stats_twins as twins

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.resampling import bits


def test_accuracy_equals_loop():
    rng = np.random.default_rng(0)
    h, m = np.round(rng.normal(size=(2, 12)))
    pairs = list(itertools.combinations(range(12), 2))
    right = sum(np.sign(h[i] - h[k]) == np.sign(m[i] - m[k]) for i, k in pairs)
    assert stats.pairwise_accuracy(h, m) == stats.PairwiseAccuracy(right / len(pairs), right, len(pairs))
    h[3] = np.nan
    assert stats.pairwise_accuracy(h, m).pairs == 55
    with pytest.warns(UndefinedWarning, match="fewer than two systems"):
        assert np.isnan(stats.pairwise_accuracy([1, np.nan], [1, 2]).value)


def test_restricted_kendall():
    rng = np.random.default_rng(0)
    h, m = np.round(rng.normal(size=(2, 15)), 1)
    assert stats.restricted_kendall(h, m).value == pytest.approx(twins.coefficient(h, m, "kendall"), abs=1e-12)
    near = [(i, k) for i, k in itertools.combinations(range(15), 2) if 0.3 <= abs(m[i] - m[k]) <= 0.8]
    order = [np.sign(h[i] - h[k]) * np.sign(m[i] - m[k]) for i, k in near]
    untied = sum(h[i] != h[k] for i, k in near)
    result = stats.restricted_kendall(h, m, low=0.3, high=0.8)
    assert result.value == pytest.approx(sum(order) / np.sqrt(untied * len(near)))
    assert (result.pairs, result.concordant - result.discordant) == (len(near), sum(order))
    with pytest.warns(UndefinedWarning, match="0 pair"):
        stats.restricted_kendall(h, m, low=100)
    with pytest.raises(InputError, match="0 <= low <= high"):
        stats.restricted_kendall(h, m, low=2, high=1)


def plain_spa(h, m, signs):
    gaps = []
    for i, k in itertools.combinations(range(len(h)), 2):
        both = ~np.isnan(h[i] + h[k] + m[i] + m[k])
        if both.any():
            p = []
            for v in (h, m):
                d = (v[i] - v[k])[both]
                null = signs[:, both] @ d
                p.append((1 + (null >= d.sum() - 1e-12 * np.abs(d).sum()).sum()) / (len(signs) + 1))
            gaps.append(abs(p[0] - p[1]))
    return 1 - np.mean(gaps)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_soft_accuracy_equals_loop(missing):
    rng = np.random.default_rng(0)
    h, ms = twins.table(rng, (6, 20), ties=True, missing=missing), twins.table(rng, (2, 6, 20), missing=missing / 3)
    start = int(np.random.default_rng(5).integers(2**62))
    signs = 2.0 * bits(np.random.default_rng(start), 20, 150) - 1
    result = stats.soft_pairwise_accuracy(h, ms, resamples=150, seed=5)
    assert result.values == pytest.approx([plain_spa(h, m, signs) for m in ms], abs=1e-12)


def test_soft_accuracy_of_people_with_themselves_is_one():
    h = np.random.default_rng(0).normal(size=(5, 30))
    assert stats.soft_pairwise_accuracy(h, [h, 3 * h]).values.tolist() == [1, 1]
    with pytest.warns(UndefinedWarning, match="no pair of systems shares an item"):
        assert np.isnan(stats.soft_pairwise_accuracy([[1, np.nan], [np.nan, 1]], [[[1, 2], [3, 4]]]).values[0])
