"""Does one metric correlate better with people than another? Tests by resampling (Deutsch et al. 2021).

The permutation test that swaps whole systems is the default: it speaks of systems in general. Where metrics err cell by
cell, swapping cells (over="both") has more power. But where each metric has a leaning of its own for or against a
system, that test and the one over inputs find differences that hold for these systems only: they called two equally
good metrics different in more than half of the simulations (tests/stats/test_simulations.py), while Williams' test and
over="systems" kept their level. The bootstrap test is far too conservative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blocks import BlockJob, BlockKernel, resample_jobs
from .checks import Array, at_least, choice, floats, moderate, same_shape, scale_free_stack, warn_undefined
from .correlation import check_gains
from .intervals import bootstrap_samples, percentiles
from .levels import level_name
from .permutation_null import compare_coefficients, permute_differences, swap_blocks
from .resampling import OVER, Seed, batches, generator, seed_number
from .vectorized_correlation import split_method

ALTERNATIVES = ("two-sided", "greater", "less")
ROUNDING = 1e-9  # differences this close to the observed one count as equal to it


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics a and b: difference = corr(a, people) - corr(b, people), on the cells that all three have."""

    difference: float
    pvalue: float
    value_a: float
    value_b: float
    test: str
    alternative: str
    resamples: int
    undefined: int
    seed: int | None


@dataclass(frozen=True)
class PvalueMatrix:
    """Entry [a, b] is the p-value of a against b; differences[a, b] = value of a - value of b. The diagonal p is 1."""

    pvalues: Array
    differences: Array
    test: str
    alternative: str
    resamples: int
    seed: int | None


def permutation(
    h: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    level: str = "system",
    method: str = "pearson",
    over: str = "systems",
    alternative: str = "two-sided",
    resamples: int = 1000,
    seed: Seed = 0,
) -> MetricComparison:
    """Test corr(a, h) against corr(b, h) by swapping scores of a and b at random.

    Both metrics are standardised by their own mean and deviation over all cells; then they swap their scores with
    probability one half for each system (over="systems"), input ("inputs") or cell ("both").
    p = (1 + #{|d*| >= |d|}) / (resamples + 1); "greater" counts d* >= d. For Pearson's r at system level d is the
    difference of atanh r, which keeps the level with few systems (`compare_coefficients`). Cells that
    people or either metric lack are left out for all. A resample with an undefined difference counts as at least as
    large. If d itself is undefined: NaN with an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> good, poor = h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)
    >>> result = permutation(h, good, poor, level="item")
    >>> round(result.pvalue, 4), result.resamples
    (0.001, 1000)
    """
    name = _check_options(level, method, over, alternative, resamples)
    human, x, y = _common(h, a, b)
    check_gains(human, method)
    value_a, value_b, null = permute_differences(human, x, y, name, method, over, resamples, seed)
    statistic = float(compare_coefficients(value_a, value_b, level=name, method=method))
    p = _pvalue(statistic, null, alternative)
    if np.isnan(p):
        warn_undefined(
            f"permutation test of {method} at {name} level: the correlation of a ({value_a}) or b ({value_b})"
        )
    undefined = int(np.isnan(null).sum())
    test = f"permutation-{over} {method} {name}"
    return MetricComparison(
        value_a - value_b, p, value_a, value_b, test, alternative, resamples, undefined, seed_number(seed)
    )


def permutation_matrix(
    h: ArrayLike,
    ms: ArrayLike,
    *,
    level: str = "system",
    method: str = "pearson",
    over: str = "systems",
    alternative: str = "greater",
    resamples: int = 1000,
    seed: Seed = 0,
) -> PvalueMatrix:
    """Run the permutation test for every ordered pair of a stack of metrics; all pairs see the same swaps.

    An undefined pair is NaN, with one UndefinedWarning for all.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> ms = np.stack([h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)])
    >>> permutation_matrix(h, ms, level="item").pvalues.round(3)
    array([[1.   , 0.001],
           [1.   , 1.   ]])
    """
    name = _check_options(level, method, over, alternative, resamples)
    human, metrics = scale_free_stack(h, ms)
    check_gains(human, method)
    start = int(generator(seed).integers(2**62))
    count = len(metrics)
    p, d = np.ones((count, count)), np.zeros((count, count))
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    options = {"level": name, "method": method, "over": over}
    jobs = (
        BlockJob(pair_swap_blocks, {"h": human, "ms": metrics}, {"first": i, "second": j, **options}) for i, j in pairs
    )
    blocks = resample_jobs((job, [generator(start)], batches(resamples, job.kernel.cost)) for job in jobs)
    for (i, j), (job, swaps) in zip(pairs, blocks, strict=True):
        value_i, value_j, null = job.kernel.finish(swaps)
        d[i, j], d[j, i] = value_i - value_j, value_j - value_i
        statistic = float(compare_coefficients(value_i, value_j, level=name, method=method))
        p[i, j], p[j, i] = _pvalue(statistic, null, alternative), _pvalue(-statistic, -null, alternative)
    if np.isnan(p).any():
        warn_undefined(
            f"permutation test of {int(np.isnan(p).sum()) // 2} pair(s) of metrics: a correlation is undefined"
        )
    return PvalueMatrix(p, d, f"permutation-{over} {method} {name}", alternative, resamples, seed_number(seed))


def pair_swap_blocks(h: Array, ms: Array, *, first: int, second: int, **options: Any) -> BlockKernel:
    """Return the kernel of swaps between two metrics of a stack."""
    return swap_blocks(*_common(h, ms[first], ms[second]), **options)


def bootstrap_test(
    h: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    level: str = "system",
    method: str = "pearson",
    over: str = "both",
    alternative: str = "two-sided",
    resamples: int = 1000,
    seed: Seed = 0,
) -> MetricComparison:
    """Test corr(a, h) against corr(b, h) by the bootstrap: how often is a resampled d* as far from d as 0 is?

    p = (1 + #{|d* - d| >= |d|}) / (resamples + 1); "greater" counts d* - d >= d. (sacrerouge counts |d*| >= 2 |d|,
    which is one tail of this and halves p.) The test is conservative: with 20 systems x 50 inputs it rejected a true
    null in less than 1 % of simulations at alpha = .05. Use `permutation`.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> good, poor = h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)
    >>> bootstrap_test(h, good, poor, level="item").pvalue < .05
    True
    """
    name = _check_options(level, method, over, alternative, resamples)
    human, x, y = _common(h, a, b)
    (value_a, value_b), samples = bootstrap_samples(
        human, np.stack([x, y]), level=name, method=method, over=over, resamples=resamples, seed=seed
    )
    d = float(value_a - value_b)
    null = samples[:, 0] - samples[:, 1] - d
    p = _pvalue(d, null, alternative)
    if np.isnan(p):
        warn_undefined(f"bootstrap test of {method} at {name} level: the correlation of a ({value_a}) or b ({value_b})")
    undefined, test = int(np.isnan(null).sum()), f"bootstrap-{over} {method} {name}"
    return MetricComparison(
        d, p, float(value_a), float(value_b), test, alternative, resamples, undefined, seed_number(seed)
    )


def metric_difference(
    h: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    level: str = "system",
    method: str = "pearson",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> tuple[float, float, float]:
    """Return corr(a, h) - corr(b, h) on the cells that all three have, and its percentile bootstrap interval.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> good, poor = h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)
    >>> [round(v, 2) for v in metric_difference(h, good, poor, level="item", resamples=100)]
    [0.68, 0.54, 0.83]
    """
    name = _check_options(level, method, over, "two-sided", resamples)
    human, x, y = _common(h, a, b)
    (value_a, value_b), samples = bootstrap_samples(
        human, np.stack([x, y]), level=name, method=method, over=over, resamples=resamples, seed=seed
    )
    differences = samples[:, :1] - samples[:, 1:]
    low, high = percentiles(differences, confidence, drawn=human.shape[0])
    return float(value_a - value_b), float(low[0]), float(high[0])


def differences_from(
    h: ArrayLike,
    ms: ArrayLike,
    best: int,
    *,
    level: str = "system",
    method: str = "pearson",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> tuple[Array, Array, Array]:
    """Return by how much the correlation of each metric is above that of one of them, with bootstrap intervals.

    As `metric_difference`, for all metrics at once, on the cells that all of them have.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> good, poor = h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)
    >>> [v.round(2).tolist() for v in differences_from(h, np.stack([poor, good]), 0, level="item", resamples=100)]
    [[0.0, 0.68], [0.0, 0.54], [0.0, 0.83]]
    """
    name = _check_options(level, method, over, "two-sided", resamples)
    human, metrics = scale_free_stack(h, ms)
    missing = np.isnan(human) | np.isnan(metrics).any(axis=0)
    human = np.where(missing, np.nan, human)
    metrics = np.stack([_standardise(np.where(missing, np.nan, m), missing) for m in metrics])
    values, samples = bootstrap_samples(
        human, metrics, level=name, method=method, over=over, resamples=resamples, seed=seed
    )
    low, high = percentiles(samples - samples[:, best : best + 1], confidence, drawn=human.shape[0])
    return values - values[best], low, high


def _check_options(level: str, method: str, over: str, alternative: str, resamples: int) -> str:
    split_method(method)
    choice(over, "over", OVER)
    choice(alternative, "alternative", ALTERNATIVES)
    at_least(resamples, "resamples", 1)
    return level_name(level)


def _common(h: ArrayLike, a: ArrayLike, b: ArrayLike) -> tuple[Array, Array, Array]:
    """Return all three with a cell missing in all where it is missing in one; metrics standardised."""
    arrays = [floats(v, name, ndim=2) for v, name in ((h, "h"), (a, "a"), (b, "b"))]
    same_shape("a", arrays[1], "h", arrays[0])
    same_shape("b", arrays[2], "h", arrays[0])
    missing = np.isnan(arrays[0]) | np.isnan(arrays[1]) | np.isnan(arrays[2])
    human, x, y = (np.where(missing, np.nan, moderate(v)) for v in arrays)
    return human, _standardise(x, missing), _standardise(y, missing)


def _standardise(x: Array, missing: NDArray[np.bool_]) -> Array:
    if missing.all():
        return x
    mean, sd = x.mean(where=~missing), x.std(where=~missing)
    standard: Array = (x - mean) / (sd if sd > 1e-13 * abs(mean) else 1.0)
    return standard if sd > 1e-13 * abs(mean) else np.where(missing, np.nan, 0.0)


def _pvalue(d: float, null: Array, alternative: str) -> float:
    """Return (1 + as extreme) / (resamples + 1); an undefined resample counts as extreme, an undefined d gives NaN."""
    if np.isnan(d):
        return float("nan")
    if alternative == "two-sided":
        short = np.abs(null) < abs(d) - ROUNDING
    else:
        short = null < d - ROUNDING if alternative == "greater" else null > d + ROUNDING
    return float((1 + len(null) - short.sum()) / (len(null) + 1))
