"""Correlations of differences against loops over pairs."""

import itertools

import numpy as np
import pytest
import stats_twins as twins

from assay import stats
from assay.errors import UndefinedWarning

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_per_pair_equals_loop(method):
    h, x = twins.table(RNG, (4, 30), missing=0.1), twins.table(RNG, (3, 4, 30), missing=0.1)
    result = stats.difference_correlations(h, x, method=method)
    for p, (i, k) in enumerate(itertools.combinations(range(4), 2)):
        assert result.pairs[p].tolist() == [i, k]
        for a in range(3):
            expected = twins.coefficient(x[a, i] - x[a, k], h[i] - h[k], method)
            assert result.values[a, p] == pytest.approx(expected, abs=1e-12)
            assert result.n[a, p] == (~np.isnan(x[a, i] - x[a, k] + h[i] - h[k])).sum()


def test_pooled_equals_all_ordered_differences():
    h, x = twins.table(RNG, (5, 20), missing=0.1), twins.table(RNG, (2, 5, 20), missing=0.1)
    for a, value in enumerate(stats.pooled_difference_stack(h, x)):
        pairs = [(h[i] - h[k], x[a, i] - x[a, k]) for i, k in itertools.permutations(range(5), 2)]
        dh, dm = np.concatenate(pairs, axis=1)
        assert value == pytest.approx(twins.coefficient(dm, dh, "pearson"), abs=1e-12)
        assert stats.pooled_difference_pearson(h, x[a]) == value


def test_no_differences():
    with pytest.warns(UndefinedWarning, match="no differences"):
        assert np.isnan(stats.pooled_difference_pearson([[0.1, 0.7], [0.1, 0.7], [0.1, 0.7]], RNG.normal(size=(3, 2))))
    with pytest.warns(UndefinedWarning, match="1 of 3 sets"):
        stats.difference_correlations([[1, 2, 3, 4], [1, 2, 3, 4], [1, 3, 2, 4]], RNG.normal(size=(1, 3, 4)))


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("block", [1, 100, 700])
def test_blocks_of_pairs_change_no_digit(monkeypatch, missing, block):
    h, x = twins.table(RNG, (7, 40), missing=missing), twins.table(RNG, (2, 7, 40), missing=missing)
    people, metrics = stats.pair_differences(h), stats.pair_differences(x)
    whole = stats.coefficients(metrics, people), stats.paired_matrix(h, test="t"), stats.paired_matrix(h)
    soft = stats.soft_pairwise_accuracy(h, x, resamples=50)
    flips = stats.paired_matrix(h, test="flip", resamples=50)
    monkeypatch.setattr("assay.stats.differences.BLOCK", block)
    monkeypatch.setattr("assay.stats.system_tests.FLIPPED", block)
    monkeypatch.setattr("assay.stats.pair_accuracy.FLIPPED", block)
    assert np.array_equal(stats.difference_correlations(h, x).values, whole[0])
    assert np.array_equal(stats.paired_matrix(h, test="t").pvalue, whole[1].pvalue, equal_nan=True)
    assert np.array_equal(stats.paired_matrix(h).pvalue, whole[2].pvalue, equal_nan=True)
    assert np.array_equal(stats.paired_matrix(h).statistic, whole[2].statistic, equal_nan=True)
    assert np.array_equal(stats.soft_pairwise_accuracy(h, x, resamples=50).values, soft.values)
    assert np.array_equal(stats.paired_matrix(h, test="flip", resamples=50).pvalue, flips.pvalue)
