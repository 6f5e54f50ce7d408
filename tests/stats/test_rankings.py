"""Concordance of rankings: equal to SciPy's Friedman test and to R's Skillings.Mack."""

import numpy as np
import pytest
import scipy.stats
from stats_twins import same

from assay import stats
from assay.errors import InputError, UndefinedWarning

nan = np.nan
# Skillings and Mack (1981): times of four methods of assembly in nine blocks; the example of R's Skillings.Mack.
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, nan],
    [nan, 4.2, 3.4, nan],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, nan, 3.7, 3.9],
]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("shape", [(2, 3), (12, 5), (40, 3)])
def test_both_equal_friedman_on_complete_rankings(ties, shape):
    rng = np.random.default_rng(shape[0])
    scores = rng.integers(0, 4, size=shape) if ties else rng.normal(size=shape)
    expected = scipy.stats.friedmanchisquare(*scores.T)
    concordance, test = stats.kendall_w(scores), stats.skillings_mack(scores)
    for result in (concordance, test):
        assert (result.statistic, result.pvalue) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-10)
    assert (concordance.df, concordance.n, test.df, test.n) == (shape[1] - 1, shape[0]) * 2


def test_w_equals_its_formula_with_ties():
    ranks = np.array([[1, 2.5, 2.5, 4], [1, 2, 3.5, 3.5], [2, 2, 2, 4], [1, 2, 3, 4]])
    sums, m, k = ranks.sum(axis=0), 4, 4
    ties = (8 - 2) + (8 - 2) + (27 - 3) + 0
    expected = (12 * (sums**2).sum() - 3 * m * m * k * (k + 1) ** 2) / (m * m * k * (k * k - 1) - m * ties)
    assert stats.kendall_w(ranks).value == pytest.approx(expected, abs=1e-12)


def test_w_is_1_for_one_order_and_0_for_opposite_ones():
    assert stats.kendall_w([[1, 2, 3], [1, 2, 3]]).value == 1
    assert stats.kendall_w([[1, 2, 3], [3, 2, 1]]).value == 0


@pytest.mark.parametrize("ranks", [[[1, 2, 3]], [[1], [1]], [[1, 1], [2, 2]]])
def test_w_is_undefined_without_an_order(ranks):
    with pytest.warns(UndefinedWarning, match="Kendall's W"):
        assert np.isnan(stats.kendall_w(ranks).value)


def test_w_refuses_missing_ranks():
    with pytest.raises(InputError, match="3 of 9 lack"):
        stats.kendall_w(ASSEMBLY)


def test_skillings_mack_equals_r():
    """Skillings.Mack 1.10, Ski.Mack(): 15.493 with 3 degrees of freedom, p = .001440."""
    result = stats.skillings_mack(ASSEMBLY)
    assert result.statistic == pytest.approx(15.493, abs=5e-4)
    assert result.pvalue == pytest.approx(0.00144, abs=5e-6)
    assert (result.df, result.n) == (3, 9)
    assert result.sums.sum() == pytest.approx(0, abs=1e-12)


def plain_covariance(ranks, draws=20_000):
    """Shuffle the ranks within each ranking and take the covariance of the weighted sums."""
    rng, total = np.random.default_rng(0), np.zeros((draws, len(ranks[0])))
    for row in ranks:
        there = np.flatnonzero(~np.isnan(row))
        order = np.sqrt(12 / (len(there) + 1)) * (scipy.stats.rankdata(row[there]) - (len(there) + 1) / 2)
        total[:, there] += rng.permuted(np.tile(order, (draws, 1)), axis=1)
    return np.cov(total.T)


def test_covariance_with_ties_and_gaps_is_that_of_shuffled_ranks():
    from assay.stats.rankings import _weighted_scores

    ranks = np.array([[1, 1, 2, 3], [1, 2, nan, nan], [2, nan, 1, 1], [nan, 1, 2, 2], [1, 1, 1, 2], [nan, 2, 1, nan]])
    assert same(_weighted_scores(ranks)[1], plain_covariance(ranks), 0.15)


def test_rankings_of_one_system_are_left_out():
    ranks = [[1, 2, 3], [1, 3, 2], [2, 1, nan]]
    assert stats.skillings_mack([*ranks, [1, nan, nan]]).statistic == stats.skillings_mack(ranks).statistic


def test_disconnected_systems_are_named():
    with pytest.raises(InputError, match=r"never ranked together: A, B \| C, D"):
        stats.skillings_mack([[1, 2, nan, nan], [nan, nan, 1, 2]], names="ABCD")
    with pytest.raises(InputError, match=r"never ranked together: 0, 1 \| 2"):
        stats.skillings_mack([[1, 2, nan], [2, 1, nan]])


@pytest.mark.parametrize("ranks", [[[1, 1, 1], [2, 2, 2]], [[1, 2, nan], [nan, 1, 1]], [[1]]])
def test_systems_that_always_tie_leave_it_undefined(ranks):
    with pytest.warns(UndefinedWarning, match="Skillings-Mack"):
        result = stats.skillings_mack(ranks)
    assert np.isnan(result.statistic)
    assert np.isnan(result.pvalue)


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
def test_level_on_incomplete_rankings(ties):
    """20 rankings of 3 to 5 of 5 systems, all equally good, 4,000 runs at .05: rejected .043, with ties .044."""
    rejected = []
    for run in range(4000):
        rng = np.random.default_rng(run)
        scores = rng.integers(0, 4, size=(20, 5)).astype(float) if ties else rng.normal(size=(20, 5))
        for row in scores:
            row[rng.permutation(5)[: rng.integers(0, 3)]] = nan
        rejected.append(stats.skillings_mack(scores).pvalue <= 0.05)
    assert 0.03 <= np.mean(rejected) <= 0.065
