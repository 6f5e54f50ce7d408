"""Correlations over systems with intervals by the jackknife, and their differences."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay import stats
from assay.errors import UndefinedWarning

METHODS = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr, "kendall": scipy_stats.kendalltau}
RNG = np.random.default_rng(5)
QUALITY = RNG.normal(size=(12, 1))
HUMAN = QUALITY + RNG.normal(size=(12, 9))
METRICS = [QUALITY + spread * RNG.normal(size=(12, 9)) for spread in (0.5, 1, 3)]


def twin(h: np.ndarray, m: np.ndarray, method: str) -> tuple[float, float]:
    """Leave out one system after another, by SciPy."""
    x, y, n = h.mean(axis=1), m.mean(axis=1), len(h)
    z = np.arctanh([METHODS[method](np.delete(x, i), np.delete(y, i))[0] for i in range(n)])
    error = np.sqrt((n - 1) / n * ((z - z.mean()) ** 2).sum())
    half = scipy_stats.t.ppf(0.975, n - 2) * error
    centre = np.arctanh(METHODS[method](x, y)[0])
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", METRICS)
def test_the_interval_is_the_plain_one(metric, method):
    found = stats.jackknife(HUMAN, metric, method=method)
    assert (found.low, found.high) == pytest.approx(twin(HUMAN, metric, method), abs=1e-12)
    assert found.low < found.value < found.high


def test_systems_without_scores_do_not_count():
    """Rows of NaN change nothing; a missing cell counts on neither side."""
    empty = np.full((2, 9), np.nan)
    padded = stats.jackknife(np.vstack([HUMAN, empty]), np.vstack([METRICS[0], empty]))
    plain = stats.jackknife(HUMAN, METRICS[0])
    assert (padded.n, padded.low, padded.high) == (12, pytest.approx(plain.low), pytest.approx(plain.high))


@pytest.mark.parametrize(("method", "n"), [("pearson", 5), ("spearman", 7), ("kendall", 7)])
def test_too_few_systems_have_no_interval(method, n):
    few, enough = (stats.jackknife(HUMAN[:k], METRICS[1][:k], method=method) for k in (n, n + 1))
    assert np.isnan([few.low, few.high]).all()
    assert not np.isnan([enough.low, enough.high]).any()


def test_a_perfect_correlation_has_a_one_sided_bound():
    """At the bound, all of n // 2 separate pairs are in one order with probability .05."""
    means = np.arange(20.0)[:, None]
    for sign in (1, -1):
        found = stats.jackknife(means, sign * means, method="kendall")
        bound = 2 * 0.05 ** (1 / 10) - 1
        assert sorted([abs(found.low), abs(found.high)]) == pytest.approx([bound, 1.0])
        assert found.low <= found.value <= found.high
    assert stats.fisher(1.0, 20).low == pytest.approx(np.sin(np.pi * bound / 2))


def test_one_system_that_carries_all_says_nothing():
    """Without the one system that differs the coefficient is undefined."""
    metric = np.zeros((12, 1))
    metric[0] = 1
    found = stats.jackknife(HUMAN.mean(axis=1)[:, None], metric)
    assert (found.low, found.high) == (-1.0, 1.0)
    with pytest.warns(UndefinedWarning):
        assert np.isnan(stats.jackknife(HUMAN, np.ones_like(HUMAN)).low)


def test_one_pair_of_metrics_is_a_t_test_of_z():
    """With two metrics p is that of t, and the interval the extremes over a fine grid of the ellipse."""
    a, b = (stats.jackknife(HUMAN, METRICS[k]) for k in (0, 2))
    _, found = stats.contrast_correlations([a, b])
    covariance = np.cov(np.array([a.influence, b.influence])) * 11
    apart = np.arctanh(b.value) - np.arctanh(a.value)
    t = apart / np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert found.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), 10))
    angles = np.linspace(0, 2 * np.pi, 100_000)
    root = np.linalg.cholesky(covariance) * scipy_stats.t.ppf(0.975, 10)
    z = np.arctanh([[a.value], [b.value]]) + root @ np.array([np.cos(angles), np.sin(angles)])
    differences = np.tanh(z[1]) - np.tanh(z[0])
    assert (found.low, found.high) == pytest.approx((differences.min(), differences.max()), abs=1e-5)
    assert found.difference == pytest.approx(b.value - a.value)


@pytest.mark.parametrize("count", [2, 3])
def test_p_and_interval_are_one_procedure(count):
    """The interval at confidence 1 - p touches 0; with more metrics it is wider."""
    parts = [stats.jackknife(HUMAN, m) for m in METRICS[:count]]
    found = stats.contrast_correlations(parts)[-1]
    again = stats.contrast_correlations(parts, confidence=1 - found.pvalue)[-1]
    assert min(abs(again.low), abs(again.high)) == pytest.approx(0, abs=2e-3)
    assert (found.pvalue < 0.05) == (found.high < 0 or found.low > 0)
    if count == 3:
        alone = stats.contrast_correlations([parts[0], parts[2]])[-1]
        assert found.low < alone.low
        assert found.pvalue > alone.pvalue


def test_the_same_metric_twice_does_not_differ():
    parts = [stats.jackknife(HUMAN, m) for m in (METRICS[0], METRICS[0], METRICS[1])]
    same = stats.contrast_correlations(parts)[1]
    assert (same.difference, same.low, same.high, same.pvalue) == pytest.approx((0, 0, 0, 1))


@pytest.mark.parametrize(("n", "bad"), [(8, 0.0), (40, 0.0), (40, 0.05)])
def test_the_interval_holds_the_true_value(n, bad):
    """Some of the cells of tools/levels.py: systems 3 deviations below the rest are `bad`."""
    rng = np.random.default_rng([7, n, int(100 * bad)])
    added = 9 * bad * (1 - bad)
    true, hits = (0.8 + added) / (1 + added), 0
    for _ in range(400):
        x = rng.normal(size=n)
        y = 0.8 * x + 0.6 * rng.normal(size=n)
        down = 3 * (rng.random(n) < bad)
        found = stats.jackknife((x - down)[:, None], (y - down)[:, None])
        hits += found.low <= true <= found.high
    assert 0.91 <= hits / 400 <= 0.99


def test_none_of_ten_equal_metrics_differs():
    """Errors of 45 differences are each uncertain; one draw for all of them errs in a tenth of the runs."""
    matrix = np.full((11, 11), 0.7)
    matrix[0] = matrix[:, 0] = 0.8
    np.fill_diagonal(matrix, 1.0)
    errors, root = [], np.linalg.cholesky(matrix)
    for seed in range(150):
        rng = np.random.default_rng([8, seed])
        points = rng.normal(size=(8, 11)) @ root.T
        parts = [stats.jackknife(points[:, :1], points[:, m : m + 1]) for m in range(1, 11)]
        best = int(np.argmax([part.value for part in parts]))
        errors.append(min(c.pvalue for c in stats.contrast_correlations(parts, best=best)) <= 0.05)
    assert np.mean(errors) <= 0.08
