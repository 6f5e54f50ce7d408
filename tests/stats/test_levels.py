"""Levels against the plain group-by-group loop, and what is skipped."""

import numpy as np
import pytest
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.levels import LEVELS
from assay.stats.vectorized_correlation import METHODS


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 7),
    m=st.integers(2, 7),
    ties=st.booleans(),
    missing=st.sampled_from([0, 0.2]),
    level=st.sampled_from(LEVELS),
    method=st.sampled_from(METHODS),
)
@pytest.mark.filterwarnings("ignore::assay.errors.UndefinedWarning")
def test_equals_twin(seed, n, m, ties, missing, level, method):
    rng = np.random.default_rng(seed)
    h, x = twins.table(rng, (n, m), ties=ties, missing=missing), twins.table(rng, (3, n, m), ties=ties, missing=missing)
    expected = [twins.level(h, v, level, method) for v in x]
    assert twins.same(stats.correlate_stack(h, x, level=level, method=method), expected)
    assert twins.same([stats.correlate(h, v, level=level, method=method).value for v in x], expected)


def test_aliases_and_counts():
    h = np.array([[1.0, 2, np.nan, 1], [2, 3, 1, 1], [3, 5, 2, 1], [4, 4, 3, 1]])
    m = np.arange(16.0).reshape(4, 4)
    for alias in ("summary", "input", "item"):
        result = stats.correlate(h, m, level=alias)
        assert (result.level, result.n, result.groups, result.skipped) == ("item", 4, 3, 1)
    assert stats.correlate(h, m, level="global").n == 15
    assert stats.correlate(h, m, level="system-grouped").groups == 4


def test_system_means_use_common_cells_or_their_own():
    h, m = [[1, 3, np.nan], [2, 2, 5]], [[1, 2, 9], [4, 6, 8]]
    people, metric = stats.system_means(h, m)
    assert people.tolist() == [2, 3]
    assert metric.tolist() == [1.5, 6]
    assert stats.system_means(h, m, paired_items=False)[1].tolist() == [4, 6]


def test_rounding_in_means_makes_no_ranks():
    m = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1], [0.9, 0.8, 0.7], [0.5, 0.5, 0.6]])
    h = np.array([[1.0] * 3, [2.0] * 3, [3.0] * 3, [4.0] * 3, [3.5] * 3])
    expected = twins.coefficient(np.array([0.2, 0.2, 0.2, 0.8, 0.5333]), h[:, 0], "kendall")
    assert stats.correlate(h, m, method="kendall").value == pytest.approx(expected)


def test_group_coefficients_are_what_is_averaged():
    rng = np.random.default_rng(0)
    h, x = rng.normal(size=(6, 5)), rng.normal(size=(2, 6, 5))
    each = stats.group_coefficients(h, x, level="item", method="spearman")
    assert each.shape == (2, 5)
    assert twins.same(each.mean(axis=1), stats.correlate_stack(h, x, level="item", method="spearman"))


def test_undefined_is_nan_with_a_reason():
    with pytest.warns(UndefinedWarning, match="no group of at least 3 points"):
        result = stats.correlate([[1, 2], [2, 3]], [[1, 2], [2, 3]], level="item")
    assert np.isnan(result.value)
    assert (result.groups, result.skipped) == (0, 2)
    with pytest.raises(InputError, match=r"shape of h, \(2, 2\)"):
        stats.correlate([[1, 2], [2, 3]], [[1, 2, 3], [2, 3, 4]])
    for shape in ((3, 0), (0, 3), (0, 0)):
        with pytest.raises(InputError, match="at least one metric, system and item"):
            stats.correlate(np.empty(shape), np.empty(shape))
    with pytest.raises(InputError, match="level must be one of system, item, per-system, pooled, got 'topic'"):
        stats.correlate([[1, 2], [2, 3]], [[1, 2], [2, 3]], level="topic")


def test_two_points_are_enough_for_kendall_within_items():
    """40 items, half of them judged on two systems: none is left out, and the mean is SciPy's over all of them."""
    rng = np.random.default_rng(19)
    h = rng.normal(size=(6, 40))
    h[2:, ::2] = np.nan
    m = h + rng.normal(size=h.shape)
    expected = [kendalltau(h[:, j], m[:, j], nan_policy="omit").statistic for j in range(40)]
    result = stats.correlate(h, m, level="item", method="kendall")
    assert (result.groups, result.skipped) == (40, 0)
    assert result.value == pytest.approx(np.mean(expected))
    assert stats.correlate_stack(h, m[None], level="item", method="kendall")[0] == pytest.approx(np.mean(expected))
    noise = h + 2 * rng.normal(size=h.shape)
    test = stats.permutation(h, m, noise, level="item", method="kendall", resamples=20)
    other = stats.correlate(h, noise, level="item", method="kendall").value
    assert test.difference == pytest.approx(np.mean(expected) - other)
    pearson = stats.correlate(h, m, level="item")
    assert (pearson.groups, pearson.skipped) == (20, 20)
    with pytest.warns(UndefinedWarning):
        assert np.isnan(stats.correlate(h[:2], m[:2], method="kendall").value)


@pytest.mark.parametrize("level", ["item", "per-system", "pooled"])
def test_cells_of_its_own_are_for_system_level(level):
    h = np.random.default_rng(0).normal(size=(4, 5))
    for call in (stats.correlate, stats.bootstrap):
        with pytest.raises(InputError, match=f"paired_items=False is for system level; at {level} level"):
            call(h, h, level=level, paired_items=False)
    with pytest.raises(InputError, match="paired_items=False is for system level"):
        stats.correlate_stack(h, h[None], level=level, paired_items=False)
