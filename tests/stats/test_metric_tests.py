"""Permutation and bootstrap tests of two metrics against a plain loop over the same draws."""

import numpy as np
import pytest
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats import permutation_kernels
from assay.stats.levels import LEVELS
from assay.stats.metric_tests import _common
from assay.stats.permutation_null import permute_differences, swap_draws
from assay.stats.resampling import Resamples
from assay.stats.vectorized_correlation import METHODS


def plain_null(h, x, y, level, method, over, resamples, seed):
    """Swap, correlate, subtract: one draw at a time."""
    keep = swap_draws(np.random.default_rng(seed), resamples, shape=h.shape, over=over).swapaxes(1, 2) > 0
    pairs = [
        (twins.level(h, np.where(k, x, y), level, method), twins.level(h, np.where(k, y, x), level, method))
        for k in keep
    ]
    if level == "system" and method == "pearson":
        pairs = [tuple(np.arctanh(np.clip(pair, -1 + 1e-6, 1 - 1e-6))) for pair in pairs]
    return [a - b for a, b in pairs]


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    ties=st.sampled_from([(0, 0), (1, 0), (1, 1)]),
    missing=st.sampled_from([0, 0.15]),
    level=st.sampled_from(LEVELS),
    method=st.sampled_from(METHODS[:-1]),
    small=st.booleans(),
    over=st.sampled_from(["systems", "inputs", "both"]),
)
def test_null_equals_loop(seed, ties, missing, level, method, over, small):
    rng = np.random.default_rng(seed)
    shape = (4, 5) if small else (7, 4)
    h, a = (
        twins.table(rng, shape, ties=ties[0], missing=missing),
        twins.table(rng, shape, ties=ties[0], missing=missing),
    )
    h, x, y = _common(h, a, twins.table(rng, shape, ties=ties[1]))
    value_x, value_y, null = permute_differences(h, x, y, level, method, over, 6, seed)
    assert twins.same([value_x, value_y], [twins.level(h, v, level, method) for v in (x, y)])
    assert twins.same(null, plain_null(h, x, y, level, method, over, 6, seed))


@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_many_points_take_the_plain_road(method, monkeypatch):
    rng = np.random.default_rng(0)
    h, x, y = _common(*twins.table(rng, (3, 8, 6), ties=True))
    expected = permute_differences(h, x, y, "item", method, "both", 20, 1)[2]
    monkeypatch.setattr(permutation_kernels, "SMALL", 3)
    assert twins.same(permute_differences(h, x, y, "item", method, "both", 20, 1)[2], expected)


@pytest.mark.parametrize("level", ["item", "system"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pvalue_counts_plus_one(alternative, level):
    rng = np.random.default_rng(3)
    h = rng.normal(size=(10, 8))
    a, b = h + rng.normal(size=h.shape), h + 1.5 * rng.normal(size=h.shape)
    result = stats.permutation(h, a, b, level=level, over="both", alternative=alternative, resamples=99, seed=5)
    null = np.array(plain_null(*_common(h, a, b), level, "pearson", "both", 99, 5))
    d = result.difference if level == "item" else np.arctanh(result.value_a) - np.arctanh(result.value_b)
    extreme = {"two-sided": np.abs(null) >= abs(d), "greater": null >= d, "less": null <= d}[alternative]
    assert result.pvalue == pytest.approx((1 + extreme.sum()) / 100)


def test_bootstrap_test_equals_loop():
    rng = np.random.default_rng(3)
    h = rng.normal(size=(10, 8))
    a, b = h + rng.normal(size=h.shape), h + 1.5 * rng.normal(size=h.shape)
    result = stats.bootstrap_test(h, a, b, level="item", method="spearman", resamples=60, seed=5)
    rows, columns = Resamples(5, shape=h.shape, over="both").indices(60)
    null = []
    for r, c in zip(rows, columns, strict=True):
        at = np.ix_(r, c)
        null.append(twins.level(h[at], a[at], "item", "spearman") - twins.level(h[at], b[at], "item", "spearman"))
    d = result.difference
    assert result.pvalue == pytest.approx((1 + (np.abs(np.array(null) - d) >= abs(d) - 1e-12).sum()) / 61)


def test_same_metric_has_p_of_one():
    rng = np.random.default_rng(0)
    h, a = rng.normal(size=(2, 9, 7))
    for method in ("pearson", "spearman", "kendall"):
        for level in LEVELS:
            result = stats.permutation(h, a, 2 * a + 1, level=level, method=method, resamples=50)
            assert result.pvalue == 1
            assert result.difference == pytest.approx(0, abs=1e-12)


def test_matrix_equals_single_tests():
    rng = np.random.default_rng(1)
    h = rng.normal(size=(9, 7))
    ms = np.stack([h + s * rng.normal(size=h.shape) for s in (0.5, 1, 2)])
    ms[1, 2, 3] = np.nan
    matrix = stats.permutation_matrix(h, ms, level="item", resamples=99, seed=8)
    start = int(np.random.default_rng(8).integers(2**62))
    for i, j in ((0, 1), (1, 2), (0, 2)):
        one = stats.permutation(h, ms[i], ms[j], level="item", alternative="greater", resamples=99, seed=start)
        assert matrix.pvalues[i, j] == one.pvalue
        assert matrix.differences[i, j] == pytest.approx(one.difference)
        assert matrix.differences[j, i] == -matrix.differences[i, j]


def test_undefined_and_bad_input():
    rng = np.random.default_rng(0)
    with pytest.warns(UndefinedWarning, match="permutation test of pearson at system level"):
        assert np.isnan(stats.permutation(np.ones((4, 3)), *rng.normal(size=(2, 4, 3)), resamples=9).pvalue)
    with pytest.warns(UndefinedWarning, match="permutation test of pearson at system level"):
        assert np.isnan(stats.permutation(np.full((4, 3), np.nan), *rng.normal(size=(2, 4, 3)), resamples=9).pvalue)
    with pytest.raises(InputError, match="b and h must have the same shape"):
        stats.permutation(np.ones((4, 3)), np.ones((4, 3)), np.ones((4, 2)))
    with pytest.raises(InputError, match="alternative must be one of"):
        stats.permutation(*rng.normal(size=(3, 4, 3)), alternative="bigger")
