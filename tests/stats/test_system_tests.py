"""Paired tests of systems: equal to SciPy row by row, for single pairs and all pairs."""

import itertools
import warnings

import numpy as np
import pytest
import scipy.stats
import stats_twins as twins

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.resampling import bits
from assay.stats.wilcoxon import signed_ranks


def plain_wilcoxon(d, alternative):
    d = d[~np.isnan(d)]
    if not len(d):
        return np.nan
    if not d.any():
        return 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scipy.stats.wilcoxon(d, alternative=alternative).pvalue


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("ties", "n"), [(False, 5), (False, 30), (False, 50), (False, 60), (True, 9), (True, 40), (True, 60)]
)
def test_wilcoxon_equals_scipy(alternative, ties, n):
    rng = np.random.default_rng(n)
    d = np.round(rng.normal(0.3, 2, size=(12, n))) if ties else rng.normal(0.3, 1, size=(12, n))
    d[3:6, rng.random(n) < 0.2] = np.nan
    _, p = signed_ranks(d, alternative)
    if (
        ties and 0 < n <= 13
    ):  # SciPy permutes at random here; given the same rule the exact answer is a sum over all signs
        expected = [exact_given_ties(row, alternative) for row in d]
    else:
        expected = [plain_wilcoxon(row, alternative) for row in d]
    assert twins.same(p, expected)


def exact_given_ties(d, alternative):
    d = d[~np.isnan(d) & (d != 0)]
    if not len(d):
        return 1.0
    ranks = scipy.stats.rankdata(np.abs(d))
    every = np.array([np.dot(s, ranks) for s in itertools.product([0, 1], repeat=len(d))])
    w = ranks[d > 0].sum()
    less, greater = (every <= w + 1e-9).mean(), (every >= w - 1e-9).mean()
    return {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}[alternative]


@pytest.mark.parametrize("test", ["wilcoxon", "t", "flip"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_matrix_equals_single_tests(test, alternative):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(4, 25)) + np.arange(4)[:, None] / 4
    scores[2, :3] = np.nan
    result = stats.paired_matrix(scores, test=test, alternative=alternative, resamples=199, seed=3)
    start = int(np.random.default_rng(3).integers(2**62))
    for i, k in itertools.permutations(range(4), 2):
        one = stats.paired_test(scores[i], scores[k], test=test, alternative=alternative, resamples=199, seed=start)
        assert result.pvalue[i, k] == pytest.approx(one.pvalue, abs=1e-12)
        assert result.statistic[i, k] == pytest.approx(one.statistic, abs=1e-12)
        assert result.difference[i, k] == pytest.approx(one.difference, abs=1e-12)
        assert result.n[i, k] == one.n == (22 if 2 in (i, k) else 25)
    assert np.diag(result.pvalue).tolist() == [1] * 4
    assert np.diag(result.n).tolist() == [25, 25, 22, 25]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_t_equals_scipy(alternative):
    x, y = np.random.default_rng(0).normal(size=(2, 20))
    expected = scipy.stats.ttest_rel(x, y, alternative=alternative)
    result = stats.paired_test(x, y, test="t", alternative=alternative)
    assert (result.statistic, result.pvalue) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)
    assert result.effect == pytest.approx((x - y).mean() / (x - y).std(ddof=1))


def test_flips_equal_loop():
    d = np.random.default_rng(1).normal(0.2, 1, size=15)
    result = stats.paired_test(d, np.zeros(15), test="flip", resamples=300, seed=9)
    signs = 2.0 * bits(np.random.default_rng(9), 15, 300) - 1
    extreme = sum(abs((s * d).sum()) >= abs(d.sum()) - 1e-12 for s in signs)
    assert result.pvalue == (1 + extreme) / 301


def test_nothing_in_common_and_no_difference():
    for test in ("wilcoxon", "t", "flip"):
        with pytest.warns(UndefinedWarning, match=r"0 item\(s\) in common"):
            assert np.isnan(stats.paired_test([1, np.nan], [np.nan, 2], test=test).pvalue)
    same = stats.paired_test([1, 2, 3], [1, 2, 3])
    assert (same.pvalue, same.difference, same.effect) == (1, 0, 0)
    assert stats.paired_test([1, 2, 3], [1, 2, 3], test="flip").pvalue == 1
    with pytest.warns(UndefinedWarning, match="all differences equal"):
        stats.paired_test([0.1, 0.2, 0.3], [1.1, 1.2, 1.3], test="t")
    with pytest.raises(InputError, match="test must be one of wilcoxon, t, flip"):
        stats.paired_test([1, 2], [3, 4], test="z")


def test_wilcoxon_golden():
    # Conover (1980), p. 284, as in R's ?wilcox.test (depression): V = 40, p = .01953 one-sided
    x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = stats.paired_test(x, y, alternative="greater")
    assert (result.statistic, round(result.pvalue, 5)) == (40, 0.01953)


def test_results_that_are_kept_are_those_of_the_same_scores_and_test():
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=(4, 30)) for _ in range(12)]
    first = [stats.paired_matrix(t) for t in tables]
    for table, before in zip(tables, first, strict=True):
        again = stats.paired_matrix(table)
        np.testing.assert_array_equal(again.pvalue, before.pvalue)
        again.pvalue[:] = 7.0  # what a caller does to a result is not kept
        np.testing.assert_array_equal(stats.paired_matrix(table).pvalue, before.pvalue)
        assert not np.array_equal(stats.paired_matrix(table, test="t").pvalue, before.pvalue)
    for _ in range(2):
        with pytest.warns(UndefinedWarning, match="too few items"):
            stats.paired_matrix(np.full((3, 5), np.nan))
