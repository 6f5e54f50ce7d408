"""Does one system score better than another on the same items? Wilcoxon's signed ranks, Student's t, sign flips.

Owczarzak et al. (2012, accuracy), section 3, test pairs of systems with Wilcoxon's signed-rank test; Toutanova et al.
(2016), 4.3.1, with a paired t-test. An item that either system lacks is left out for that pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blocks import BlockJob, BlockKernel, resample
from .checks import Array, Ints, at_least, choice, fill_missing, floats, same_shape, warn_undefined
from .differences import pair_blocks, subtract_pairs, system_pairs
from .resampling import Seed, batches, bits, generator, seed_number
from .wilcoxon import signed_ranks, signed_ranks_both_ways

TESTS = ("wilcoxon", "t", "flip")
FLIPPED = 4_000_000  # differences with signs that are flipped together: each block draws the same signs again
ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class PairedTest:
    """Two systems on the same items: mean of x - y, its size in deviations, the statistic and p-value of the test."""

    difference: float
    effect: float
    statistic: float
    pvalue: float
    n: int
    test: str
    alternative: str
    resamples: int = 0
    seed: int | None = None


@dataclass(frozen=True)
class PairMatrix:
    """Entry [i, k] tests system i against system k; difference[i, k] is the mean of i - k. The diagonal p is 1."""

    difference: Array
    statistic: Array
    pvalue: Array
    n: Ints
    test: str
    alternative: str
    resamples: int = 0
    seed: int | None = None


def paired_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    test: str = "wilcoxon",
    alternative: str = "two-sided",
    resamples: int = 10_000,
    seed: Seed = 0,
) -> PairedTest:
    """Test whether x scores differently from y ("greater": higher) on the same items.

    test = "wilcoxon": W = sum of the ranks of positive differences, zeros dropped; exact up to 50 items without ties or
    zeros and up to 13 with, else the normal approximation with tie correction (scipy.stats.wilcoxon's rule).
    test = "t": mean / (sd / sqrt n), n - 1 degrees of freedom.
    test = "flip": signs of the differences flipped at random, p = (1 + #{|sum*| >= |sum|}) / (resamples + 1).
    The effect is the mean difference over its standard deviation. No item in common, or for t fewer than two or no
    spread: NaN with an UndefinedWarning. All differences 0: p = 1 for wilcoxon and flip.

    >>> x = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135]
    >>> result = paired_test(x, [110, 122, 125, 120, 140, 124, 123, 137, 135, 145])
    >>> result.statistic, round(result.pvalue, 4), result.n
    (27.0, 0.6328, 10)
    """
    a, b = floats(x, "x", ndim=1), floats(y, "y", ndim=1)
    same_shape("x", a, "y", b)
    choice(test, "test", TESTS)
    choice(alternative, "alternative", ALTERNATIVES)
    d = (a - b)[None]
    n = int((~np.isnan(d)).sum())
    statistic, p = _rows(d, test, alternative, resamples, seed)
    mean, sd = _moments(d)
    if np.isnan(p[0]):
        warn_undefined(f"paired {test} test of {n} item(s) in common" + (", all differences equal" if n > 1 else ""))
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = float(np.where(sd[0] > 0, mean[0] / sd[0], np.where(mean[0] == 0, 0.0, np.nan)))
    draws, seed_used = (resamples, seed_number(seed)) if test == "flip" else (0, None)
    return PairedTest(float(mean[0]), effect, float(statistic[0]), float(p[0]), n, test, alternative, draws, seed_used)


def paired_matrix(
    scores: ArrayLike,
    *,
    test: str = "wilcoxon",
    alternative: str = "two-sided",
    resamples: int = 10_000,
    seed: Seed = 0,
) -> PairMatrix:
    """Test all pairs of systems (rows of scores, systems x items) at once; undefined pairs are NaN, with one warning.

    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=(3, 40)) + np.array([[0], [0], [1]])
    >>> paired_matrix(scores).pvalue.round(3)
    array([[1.   , 0.125, 0.   ],
           [0.125, 1.   , 0.006],
           [0.   , 0.006, 1.   ]])
    """
    values = floats(scores, "scores", ndim=2)
    choice(test, "test", TESTS)
    choice(alternative, "alternative", ALTERNATIVES)
    count, pairs = len(values), system_pairs(len(values))
    start = int(generator(seed).integers(2**62)) if test == "flip" else 0
    results, mean, n = _test_pairs(values, pairs, test, alternative, resamples, start)
    forward, backward = (
        _square(count, pairs, results[at], results[at + 1], diagonal) for at, diagonal in ((0, 0.0), (2, 1.0))
    )
    if np.isnan(backward).any():
        warn_undefined(
            f"paired {test} test of {int(np.isnan(backward).sum()) // 2} of {len(pairs)} system pairs: "
            "too few items in common, or no spread"
        )
    draws, seed_used = (resamples, seed_number(seed)) if test == "flip" else (0, None)
    own = (~np.isnan(values)).sum(axis=1)
    items = _square(count, pairs, n, n, own).astype(np.int64)
    return PairMatrix(
        _square(count, pairs, mean, -mean, 0.0), forward, backward, items, test, alternative, draws, seed_used
    )


_recent: dict[tuple[bytes, tuple[int, ...], str, str], tuple[Array, Array, Array]] = {}
_MAX_RECENT = 8  # results: a report compares systems by each metric, and asks again whether people decide the same


def _test_pairs(
    values: Array, pairs: Ints, test: str, alternative: str, resamples: int, seed: int
) -> tuple[Array, Array, Array]:
    """Return statistics and p-values of all pairs both ways, mean differences and numbers of items, perhaps kept."""
    if test == "flip":
        return _test_new_pairs(values, pairs, test, alternative, resamples, seed)
    key = blake2b(values.tobytes()).digest(), values.shape, test, alternative
    result = _recent.get(key)
    if result is None:
        result = _recent[key] = _test_new_pairs(values, pairs, test, alternative, resamples, seed)
        for old in list(_recent)[:-_MAX_RECENT]:
            _recent.pop(old, None)
    return result


def _test_new_pairs(
    values: Array, pairs: Ints, test: str, alternative: str, resamples: int, seed: int
) -> tuple[Array, Array, Array]:
    results, mean, n = np.empty((4, len(pairs))), np.empty(len(pairs)), np.empty(len(pairs))
    for some in pair_blocks(pairs, values.shape[1], block=FLIPPED if test == "flip" else None):
        d = subtract_pairs(values, pairs[some])
        results[:, some] = _both_ways(d, test, alternative, resamples, seed)
        mean[some], n[some] = _means(d)
    return results, mean, n


def _both_ways(d: Array, test: str, alternative: str, resamples: int, seed: int) -> tuple[Array, Array, Array, Array]:
    """Return the statistics of i - k and of k - i, then their p-values."""
    if test == "wilcoxon":
        return signed_ranks_both_ways(d, alternative)
    s, p = _rows(d, test, alternative, resamples, seed)
    if alternative == "two-sided":
        return s, -s, p, p
    back_s, back_p = _rows(-d, test, alternative, resamples, seed)
    return s, back_s, p, back_p


def _square(count: int, pairs: Ints, upper: Array, lower: Array, diagonal: float | Array) -> Array:
    out = np.zeros((count, count))
    out[np.arange(count), np.arange(count)] = diagonal
    out[pairs[:, 0], pairs[:, 1]], out[pairs[:, 1], pairs[:, 0]] = upper, lower
    return out


def _rows(d: Array, test: str, alternative: str, resamples: int, seed: Seed) -> tuple[Array, Array]:
    """Test each row of differences (NaN = not there): statistics and p-values."""
    if test == "wilcoxon":
        return signed_ranks(d, alternative)
    return _t(d, alternative) if test == "t" else _flips(d, alternative, at_least(resamples, "resamples", 1), seed)


def _moments(d: Array) -> tuple[Array, Array]:
    """Return mean and standard deviation (n - 1) of each row, without the missing; deviations by rounding are 0."""
    mean, n = _means(d)
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = (d - mean[:, None]) ** 2
        whole = bool((n == d.shape[1]).all())
        sd = np.sqrt((squares if whole else np.where(np.isnan(d), 0.0, squares)).sum(axis=1) / (n - 1))
        return mean, np.where(sd <= 1e-13 * np.abs(mean), 0.0, sd)


def _means(d: Array) -> tuple[Array, Ints]:
    """Return the mean of each row without the missing, and how many are there."""
    present = ~np.isnan(d)
    n: Ints = present.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (d if present.all() else np.where(present, d, 0.0)).sum(axis=1) / n, n


def _t(d: Array, alternative: str) -> tuple[Array, Array]:
    from scipy.special import stdtr

    n = (~np.isnan(d)).sum(axis=1)
    mean, sd = _moments(d)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where((n > 1) & (sd > 0), mean / (sd / np.sqrt(n)), np.nan)
    df = np.maximum(n - 1, 1)
    if alternative == "two-sided":
        return t, 2 * stdtr(df, -np.abs(t))
    return t, stdtr(df, -t if alternative == "greater" else t)


def _flips(d: Array, alternative: str, resamples: int, seed: Seed) -> tuple[Array, Array]:
    """Flip signs, the same for all rows: sums are one matrix product."""
    job = BlockJob(flip_blocks, {"d": d}, {"alternative": alternative})
    count = 1 + np.sum(resample(job, [generator(seed)], batches(resamples, job.kernel.cost)), axis=0)
    present = (~np.isnan(d)).sum(axis=1)
    some, n = present > 0, np.maximum(present, 1)
    total = fill_missing(d).sum(axis=1)
    return np.where(some, total / n, np.nan), np.where(some, count / (resamples + 1), np.nan)


def flip_blocks(d: Array, *, alternative: str) -> BlockKernel:
    """Return the kernel of flips: how many of a block's sums are at least as extreme as those that are there."""
    filled = fill_missing(d)
    total, room = filled.sum(axis=1), 1e-12 * np.abs(filled).sum(axis=1)

    def count(signs: NDArray[np.uint8]) -> Array:
        null = (2.0 * signs - 1.0) @ filled.T
        if alternative == "two-sided":
            extreme = np.abs(null) >= np.abs(total) - room
        else:
            extreme = null >= total - room if alternative == "greater" else null <= total + room
        return np.asarray(extreme.sum(axis=0), dtype=np.float64)

    return BlockKernel(lambda streams, n: (bits(streams[0], d.shape[1], n),), count, d.shape[1] + len(d))
