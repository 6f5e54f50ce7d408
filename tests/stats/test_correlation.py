"""Coefficients of two vectors: against SciPy and scikit-learn, and what is undefined."""

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.vectorized_correlation import METHODS, coefficients

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [3, 10, 200])
def test_equal_to_scipy(n, ties):
    x, y = twins.table(RNG, n, ties=ties), twins.table(RNG, n, ties=ties)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        x[0], y[-1] = 9, 9
    assert stats.pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-12)
    assert stats.spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-12)
    for variant in "bc":
        expected = scipy.stats.kendalltau(x, y, variant=variant).statistic
        assert stats.kendall(x, y, variant=variant) == pytest.approx(expected, abs=1e-12)


def test_ndcg_equal_to_sklearn():
    for ties in (False, True):
        h, m = twins.table(RNG, 30, ties=ties), twins.table(RNG, 30, ties=ties)
        assert stats.ndcg(h, m) == pytest.approx(sklearn.metrics.ndcg_score([h], [m]), abs=1e-12)
        expected = sklearn.metrics.ndcg_score([2**h - 1], [m])
        assert stats.ndcg(h, m, gain="exponential") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", ["kendall", "kendall-c"])
def test_long_kendall_is_the_same(method, monkeypatch):
    x, y = twins.table(RNG, (2, 3, 30), ties=True, missing=0.1)
    w = RNG.integers(0, 3, size=(3, 30)).astype(float)
    short = coefficients(x, y, method=method), coefficients(x, y, method=method, weights=w)
    monkeypatch.setattr("assay.stats.vectorized_correlation.LONG", 10)
    long = coefficients(x, y, method=method), coefficients(x, y, method=method, weights=w)
    assert twins.same(short, long)


def test_missing_is_dropped_pairwise_never_shifted():
    x, y = RNG.normal(size=12), RNG.normal(size=12)
    for method in METHODS[:-1]:
        expected = stats.coefficient(
            x[[0, 1, 2, 4, 5, 6, 8, 9, 10, 11]], y[[0, 1, 2, 4, 5, 6, 8, 9, 10, 11]], method=method
        )
        a, b = x.copy(), y.copy()
        a[3], b[7] = np.nan, np.nan
        assert stats.coefficient(a, b, method=method) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_too_few_points_say_so(method):
    with pytest.warns(UndefinedWarning, match=r"2 complete pair\(s\); at least 3"):
        assert np.isnan(stats.coefficient([1, 2, np.nan], [2, 1, 4], method=method))


@pytest.mark.parametrize("method", METHODS[:-1])
def test_constant_says_so(method):
    with pytest.warns(UndefinedWarning, match="4 pairs of which one side is constant"):
        assert np.isnan(stats.coefficient([1, 2, 3, 4], [0.1] * 4, method=method))


def test_gains_of_nothing():
    with pytest.warns(UndefinedWarning):
        assert np.isnan(stats.ndcg([0, 0, 0], [1, 2, 3]))
    with pytest.raises(InputError, match="at least 0, got -1"):
        stats.ndcg([-1, 0, 1], [1, 2, 3])


def test_errors_are_sentences():
    with pytest.raises(InputError, match=r"same shape, got \(3,\) and \(2,\)"):
        stats.pearson([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match=r"method must be one of pearson, .*, got 'pearsen'"):
        stats.coefficient([1, 2, 3], [1, 2, 3], method="pearsen")
    with pytest.raises(InputError, match=r"1 infinite value\(s\)"):
        stats.pearson([1, 2, np.inf], [1, 2, 3])
    with pytest.raises(InputError, match="array of numbers"):
        stats.pearson(["a", 2, 3], [1, 2, 3])


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 9),
    ties=st.booleans(),
    missing=st.sampled_from([0, 0.3]),
    method=st.sampled_from(METHODS),
    weighted=st.booleans(),
)
def test_stack_equals_twin(seed, n, ties, missing, method, weighted):
    rng = np.random.default_rng(seed)
    x, y = (
        twins.table(rng, (2, 3, n), ties=ties, missing=missing),
        twins.table(rng, (2, 1, n), ties=ties, missing=missing),
    )
    w = rng.integers(0, 3, size=(2, 1, n)) if weighted else np.ones((2, 1, n), dtype=int)
    found = coefficients(x, y, method=method, weights=w.astype(float) if weighted else None)
    expected = [
        [twins.coefficient(np.repeat(x[b, k], w[b, 0]), np.repeat(y[b, 0], w[b, 0]), method) for k in range(3)]
        for b in range(2)
    ]
    assert twins.same(found, expected)


def test_midranks_equal_scipy():
    x = twins.table(RNG, (4, 5, 30), ties=True)
    assert np.array_equal(stats.midranks(x), scipy.stats.rankdata(x, axis=-1))
