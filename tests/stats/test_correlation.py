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


@pytest.mark.parametrize("h", [[2, 2, 2], [2, np.nan, 2, 2, 2]])
def test_constant_gains_have_no_order(h):
    """Every order of equal gains is the best one: 1 would say that the metric is perfect."""
    with pytest.warns(UndefinedWarning):
        assert np.isnan(stats.ndcg(h, np.arange(float(len(h)))))


@pytest.mark.parametrize("top", [1, 2, 4])
def test_ndcg_at_the_top_equal_to_sklearn(top):
    rng = np.random.default_rng(top)
    for _ in range(20):
        h, m = rng.integers(0, 5, 6).astype(float), rng.integers(0, 4, 6).astype(float)
        if np.ptp(h) > 0:
            expected = sklearn.metrics.ndcg_score([h], [m], k=top)
            assert stats.ndcg(h, m, top=top) == pytest.approx(expected, abs=1e-12)
            assert stats.coefficient(h, m, method=f"ndcg@{top}") == pytest.approx(expected, abs=1e-12)


def test_discounts_by_hand():
    h, m = [3, 1, 2], [0.5, 0.9, 0.1]  # ranked 1, 3, 2
    assert stats.ndcg(h, m, discount="reciprocal") == pytest.approx((1 + 3 / 2 + 2 / 3) / (3 + 2 / 2 + 1 / 3))
    assert stats.ndcg(h, m, discount="none", top=2) == pytest.approx((1 + 3) / (3 + 2))
    assert stats.coefficient(h, m, method="ndcg(top=2, discount=none)") == stats.ndcg(h, m, discount="none", top=2)
    assert stats.correlate(
        np.array([h]).T, np.array([m]).T, level="item", method="ndcg(top=2, discount=none)"
    ).value == (pytest.approx(4 / 5))


@pytest.mark.parametrize("method", ["ndcg@0", "ndcg(top=x)", "ndcg(discount=square)", "ndcg(best=2)", "pearson@3"])
def test_unknown_forms_of_ndcg(method):
    with pytest.raises(
        InputError, match=r"or ndcg\(top=5, discount=log\) with a discount of log, reciprocal, none, got"
    ):
        stats.coefficient([1, 2, 3], [1, 2, 3], method=method)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_at_all_is_undefined(method):
    for values in ([], [np.nan] * 4):
        with pytest.warns(UndefinedWarning, match="0 complete pair"):
            assert np.isnan(stats.coefficient(values, values, method=method))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1e308, 1e-300])
def test_very_large_and_very_small_scores(method, scale):
    """Squares and sums of 1e308 are infinite; no coefficient depends on the scale."""
    h = np.array([[1.0, 0.5], [0.2, 0.3], [0.7, 0.1], [0.4, 0.9]])
    m = np.array([[0.9, 0.1], [0.3, 0.2], [0.5, 0.6], [0.1, 0.8]])
    with np.errstate(over="raise"):
        for a, b in ((h * scale, m), (h, m * scale)):
            expected = stats.coefficient(h[:, 0], m[:, 0], method=method)
            assert stats.coefficient(a[:, 0], b[:, 0], method=method) == pytest.approx(expected)
            for level in ("system", "item", "pooled"):
                expected = stats.correlate(h, m, level=level, method=method).value
                assert stats.correlate(a, b, level=level, method=method).value == pytest.approx(expected)
                low = stats.bootstrap(h, m, level=level, method=method, resamples=20).low
                assert stats.bootstrap(a, b, level=level, method=method, resamples=20).low == pytest.approx(low)


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
