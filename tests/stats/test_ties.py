"""acc_eq, its calibration and its test, against plain loops over pairs and thresholds."""

import itertools

import numpy as np
import pytest
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.resampling import bits


def outcomes(h, m, epsilon):
    """Return for each item the list of right (1) and wrong (0) pairs."""
    found = []
    for x, y in zip(h.T, m.T, strict=True):
        right = []
        for i, k in itertools.combinations(range(len(h)), 2):
            if not np.isnan(x[i] + x[k] + y[i] + y[k]):
                tie = abs(y[i] - y[k]) <= epsilon
                right.append(float(x[i] == x[k] if tie else np.sign(x[i] - x[k]) == np.sign(y[i] - y[k])))
        found.append(right)
    return [f for f in found if f]


def plain(h, m, epsilon):
    return np.mean([np.mean(f) for f in outcomes(h, m, epsilon)])


def plain_best(h, m):
    steps = {0.0}
    for y in m.T:
        steps |= {abs(a - b) for a, b in itertools.combinations(y[~np.isnan(y)], 2)}
    by_size = [(plain(h, m, e), e) for e in sorted(steps)]
    best = max(a for a, _ in by_size)
    return next((a, e) for a, e in by_size if a >= best - 1e-12)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 2**32), ties=st.booleans(), missing=st.sampled_from([0, 0.2]))
def test_calibration_equals_every_threshold(seed, ties, missing):
    rng = np.random.default_rng(seed)
    h, m = twins.table(rng, (4, 5), ties=True, missing=missing), twins.table(rng, (4, 5), ties=ties)
    if not outcomes(h, m, 0):
        return
    m = np.where(np.isnan(h), np.nan, m)
    result = stats.tie_calibration(h, m)
    accuracy, epsilon = plain_best(h, m)
    assert result.accuracy == pytest.approx(accuracy, abs=1e-12)
    assert result.epsilon == epsilon
    assert result.tau == pytest.approx(2 * accuracy - 1, abs=1e-12)
    assert stats.acc_eq(h, m, epsilon=epsilon).accuracy == pytest.approx(accuracy, abs=1e-12)


def test_groups():
    rng = np.random.default_rng(0)
    h, m = twins.table(rng, (2, 4, 6), ties=True)
    assert stats.acc_eq(h, m, group="per-system").accuracy == pytest.approx(plain(h.T, m.T, 0), abs=1e-12)
    cells = h.reshape(-1, 1), m.reshape(-1, 1)
    assert stats.acc_eq(h, m, group="pooled").accuracy == pytest.approx(plain(*cells, 0), abs=1e-12)


def test_equal_differences_become_ties_together():
    h, m = (
        np.array([[1.0], [1], [2], [3]]),
        np.array([[1.0], [2], [3], [4]]),
    )  # |dm| = 1 thrice, only one of them a human tie
    result = stats.tie_calibration(h, m)
    assert (result.epsilon, result.accuracy) == (0.0, pytest.approx(5 / 6))


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_matrix_equals_loop(missing):
    rng = np.random.default_rng(0)
    h = twins.table(rng, (5, 7), ties=True, missing=missing)
    ms = np.stack([np.nan_to_num(h) + s * rng.normal(size=h.shape) for s in (0.5, 1, 2)])
    result = stats.acc_eq_matrix(h, ms, over="pairs", resamples=99, seed=6)
    right = [outcomes(h, m, e) for m, e in zip(ms, result.epsilons, strict=True)]
    flat = np.array([np.concatenate([np.array(f) / (len(f) * len(r)) for f in r]) for r in right])
    signs = 2.0 * bits(np.random.default_rng(6), flat.shape[1], 99) - 1
    assert result.accuracies == pytest.approx(flat.sum(axis=1), abs=1e-12)
    for a, b in itertools.permutations(range(3), 2):
        d = flat[a] - flat[b]
        count = (signs @ d >= d.sum() - 1e-12).sum()
        assert result.pvalues[a, b] == pytest.approx((1 + count) / 100)
    assert np.diag(result.pvalues).tolist() == [1, 1, 1]
    assert result.pairs == flat.shape[1]


def test_swapping_whole_items_equals_loop():
    rng = np.random.default_rng(0)
    h = twins.table(rng, (5, 7), ties=True, missing=0.2)
    ms = np.stack([np.nan_to_num(h) + s * rng.normal(size=h.shape) for s in (0.5, 2)])
    result = stats.acc_eq_matrix(h, ms, over="groups", resamples=99, seed=6)
    each = [[np.mean(f) for f in outcomes(h, m, e)] for m, e in zip(ms, result.epsilons, strict=True)]
    d = (np.array(each[0]) - np.array(each[1])) / len(each[0])
    signs = 2.0 * bits(np.random.default_rng(6), len(d), 99) - 1
    assert result.pvalues[0, 1] == pytest.approx((1 + (signs @ d >= d.sum() - 1e-12).sum()) / 100)


def test_given_thresholds_are_kept():
    rng = np.random.default_rng(0)
    h, ms = twins.table(rng, (4, 5), ties=True), twins.table(rng, (2, 4, 5))
    result = stats.acc_eq_matrix(h, ms, epsilons=[0.1, 0.2], resamples=9)
    assert result.epsilons.tolist() == [0.1, 0.2]
    assert result.accuracies[1] == pytest.approx(stats.acc_eq(h, ms[1], epsilon=0.2).accuracy)


def test_no_pairs():
    with pytest.warns(UndefinedWarning, match="no group has two outputs"):
        assert np.isnan(stats.acc_eq([[1, np.nan]], [[1, 2]]).accuracy)
    with pytest.warns(UndefinedWarning, match="no group has two outputs"):
        assert np.isnan(stats.acc_eq_matrix([[1, np.nan]], [[[1, 2]], [[2, 3]]], resamples=9).pvalues[0, 1])


def test_the_default_test_is_over_pairs_of_systems():
    """Outcomes of two systems are averaged over items; their mean over pairs is tested as `pair_means` does."""
    rng = np.random.default_rng(0)
    h = twins.table(rng, (6, 9), ties=True)
    ms = np.stack([h + s * rng.normal(size=h.shape) for s in (0.5, 2)])
    result = stats.acc_eq_matrix(h, ms)
    right = [np.mean(outcomes(h, m, e), axis=0) for m, e in zip(ms, result.epsilons, strict=True)]
    test = stats.pair_means(right[0] - right[1], stats.system_pairs(6))
    assert test.values == pytest.approx(result.accuracies[0] - result.accuracies[1])
    assert result.pvalues[0, 1] == pytest.approx(test.pvalues / 2)
    assert result.pvalues[1, 0] == pytest.approx(1 - test.pvalues / 2)
    assert result.null.shape == (0, 2)


def test_outcomes_of_missing_outputs_do_not_count():
    rng = np.random.default_rng(1)
    h, ms = twins.table(rng, (6, 30), ties=True), twins.table(rng, (2, 6, 30))
    full = stats.acc_eq_matrix(h, ms, epsilons=[0.1, 0.1])
    wide = np.concatenate([h, np.full((6, 4), np.nan)], axis=1), np.concatenate([ms, np.ones((2, 6, 4))], axis=2)
    gaps = stats.acc_eq_matrix(*wide, epsilons=[0.1, 0.1])
    np.testing.assert_allclose(gaps.pvalues, full.pvalues)
    h[0, :29] = np.nan  # one system with one output: still five others
    assert 0 < stats.acc_eq_matrix(h, ms).pvalues[0, 1] < 1


def test_metrics_that_lean_towards_systems_are_not_called_different():
    """Two equally good metrics, each with leanings of its own: swapping items calls them different, systems do not."""
    rejected = {"systems": 0, "groups": 0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        quality, views = rng.normal(size=(10, 1)), rng.normal(size=(2, 10, 1))
        h = np.round(quality + rng.normal(size=(10, 40)))
        ms = quality + views + 0.5 * rng.normal(size=(2, 10, 40))
        for over in rejected:
            rejected[over] += stats.acc_eq_matrix(h, ms, over=over, resamples=99).pvalues[0, 1] <= 0.05
    assert rejected["systems"] <= 6 < 15 < rejected["groups"]


def test_over_systems_is_for_pairs_within_items():
    h, ms = np.ones((4, 5)), np.ones((2, 4, 5))
    with pytest.raises(InputError, match="pairs within items"):
        stats.acc_eq_matrix(h, ms, over="systems", group="pooled")
    with pytest.warns(UndefinedWarning, match="over 3 systems; at least 4"):
        assert np.isnan(stats.acc_eq_matrix(h[:3], ms[:, :3]).pvalues[0, 1])


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("metrics", [1, 3])
def test_matrix_adds_up_as_a_table_of_outcomes_does(metrics, missing):
    """Counts of equal weights give the digits of sums, row by row."""
    rng = np.random.default_rng(metrics)
    for systems, items in ((4, 9), (5, 40), (7, 301)):
        h = rng.integers(0, 3, size=(systems, items)).astype(float)
        ms = h + rng.normal(size=(metrics, systems, items)).round(1)
        h[rng.random(h.shape) < missing] = np.nan
        result = stats.acc_eq_matrix(h, ms)
        rows = []
        for i in range(items):
            pairs = [(a, b) for a, b in itertools.combinations(range(systems), 2) if not np.isnan(h[a, i] + h[b, i])]
            rows += [(i, a, b, len(pairs)) for a, b in pairs]
        weights = [1.0 / (n * result.groups) for *_, n in rows]
        table = np.array(
            [
                [right(h[a, i] - h[b, i], m[a, i] - m[b, i], e) * w for m, e in zip(ms, result.epsilons, strict=True)]
                for (i, a, b, _), w in zip(rows, weights, strict=True)
            ]
        )
        np.testing.assert_array_equal(result.accuracies, table.sum(axis=0))
        assert result.pairs == len(rows)


def right(dh, dm, epsilon):
    return dh == 0 if abs(dm) <= epsilon else np.sign(dh) == np.sign(dm)
