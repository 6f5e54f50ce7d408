"""Adjust t tests of differences of means for each other, given the covariance of the means.

Each pair has its own standard error and degrees of freedom. Means of equal systems are drawn from a normal distribution
with that covariance; the adjusted p-value of a pair is the share of draws with a smallest p at or below its own, and
the intervals are those of the t test at the level at which the adjusted p-value is 1 - confidence.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .checks import Array, Bools, Ints, at_least, fraction
from .contrasts import Contrasts, square
from .multiple_testing import holm
from .resampling import Seed, generator, seed_number
from .simultaneous import count_above, critical_value

_MIN_BEYOND = 10  # draws in the tail that can be counted


def covariance_of_errors(error: Array) -> Array:
    """Return a covariance of means with these errors of their differences, about the mean of all (Gower 1966).

    >>> covariance_of_errors(np.sqrt([[0.0, 2], [2, 0]]))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    squares = error**2
    centre = squares.mean(axis=0)
    return np.asarray((centre[:, None] + centre - squares - squares.mean()) / 2)


def adjust_contrasts(
    means: Array,
    covariance: Array,
    error: Array,
    df: Array,
    pairs: Ints,
    *,
    swapped: Array | None = None,
    method: str = "adjusted",
    clusters: int = 0,
    smallest: float = 0.0,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> Contrasts:
    """Test the differences of means over their errors by t, and adjust the tests of these pairs for each other.

    covariance: of the means. `swapped` are |T*| of the swaps of two systems, which are then used in place of t. No
    p-value is below `smallest`.

    >>> from .contrasts import list_pairs
    >>> error = np.full((3, 3), 2**0.5)
    >>> result = adjust_contrasts(np.array([0.0, 1, 4]), np.eye(3), error, np.full((3, 3), 1e9), list_pairs(3, None))
    >>> result.pvalue[2].round(3), result.adjusted[2].round(2)
    (array([0.005, 0.034, 1.   ]), array([0.01, 0.09, 1.  ]))
    """
    from scipy.special import stdtr, stdtrit

    fraction(confidence, "confidence")
    at_least(resamples, "resamples", 1)
    i, k = pairs.T
    difference, errors, degrees = means[i] - means[k], error[i, k], np.minimum(df[i, k], 1e9)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = np.where(difference == 0, 0.0, np.abs(difference) / errors)
        pvalue = np.where(degrees > 0, 2 * stdtr(degrees, -statistic), np.nan)
        pvalue = np.maximum(pvalue, smallest)
    least, draws = _draw_smallest(covariance, error, pairs, resamples, seed)
    if swapped is None:
        adjusted, point = _adjust(pvalue, least, 1 - confidence)
        limit = -stdtrit(degrees, point / 2)
    else:
        reached = count_above(swapped, statistic, half=False)
        adjusted = (1 + reached) / (len(swapped) + 1)
        adjusted = pvalue = np.where(reached < _MIN_BEYOND, np.minimum(adjusted, pvalue), adjusted)
        limit = np.full(1, critical_value(swapped, 1 - confidence))
    significant = adjusted <= 1 - confidence
    limit = np.where(significant, np.minimum(limit, statistic * (1 - 1e-9)), np.maximum(limit, statistic * (1 + 1e-9)))
    half = limit * errors
    fill = partial(square, len(means), pairs)
    return Contrasts(
        means=means,
        mean_error=np.sqrt(np.maximum(np.diag(covariance), 0.0)),
        difference=np.where(np.isnan(means[:, None] - means), np.nan, means[:, None] - means),
        error=fill(errors, diagonal=0.0),
        df=fill(degrees),
        pvalue=fill(pvalue, diagonal=1.0),
        adjusted=fill(adjusted, diagonal=1.0),
        step_down=fill(holm(pvalue).pvalues, diagonal=1.0),
        low=fill(difference - half, -difference - half, diagonal=0.0),
        high=fill(difference + half, -difference + half, diagonal=0.0),
        critical=fill(limit),
        best=_find_best(means, pairs, difference, pvalue, draws, confidence),
        method=method,
        clusters=clusters,
        smallest=smallest,
        pooled_df=0.0,
        confidence=confidence,
        resamples=resamples if len(pairs) > 1 or swapped is not None else 0,
        seed=seed_number(seed),
    )


def adjust_intervals(
    value: Array, low: Array, high: Array, error: Array, df: Array, pairs: Ints, *, alpha: float, seed: Seed = 0
) -> tuple[Array, Array, Array, Array]:
    """Widen intervals of differences so that they hold for all pairs at once; p-values follow from the intervals.

    value, low, high, error and df are by pair, `low` to `high` at 1 - alpha for the pair alone, and need not be
    symmetric: p is that of the t whose interval would just reach 0. Returns p, adjusted p, low and high.

    >>> half = 1.959964
    >>> pairs = np.array([[0, 1], [0, 2], [1, 2]])
    >>> v = np.array([3.0, 0.0, 1.0])
    >>> p, adjusted, low, high = adjust_intervals(
    ...     v, v - half, v + half, np.ones(3), np.full(3, 1e9), pairs, alpha=0.05
    ... )
    >>> p.round(3), adjusted.round(2), (high - v).round(1)
    (array([0.003, 1.   , 0.317]), array([0.  , 1.  , 0.59]), array([2.3, 2.3, 2.3]))
    """
    from scipy.special import stdtr, stdtrit

    whole = square(int(pairs.max()) + 1, pairs, error, diagonal=0.0)
    whole = np.where(np.isnan(whole), float(np.nanmean(error)), whole)  # pairs without an interval take no part
    values, vectors = np.linalg.eigh(covariance_of_errors(whole))
    covariance = (vectors * np.maximum(values, 0.0)) @ vectors.T
    alone = -stdtrit(df, alpha / 2)
    reach = np.where(value > 0, value - low, high - value)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = np.where(value == 0, 0.0, alone * np.abs(value) / reach)
    pvalue = 2 * stdtr(df, -statistic)
    least, _ = _draw_smallest(covariance, whole, pairs, 1000, seed)
    adjusted, point = _adjust(pvalue, least, alpha)
    ratio = -stdtrit(df, point / 2) / alone
    own = statistic / alone
    ratio = np.where(adjusted <= alpha, np.minimum(ratio, own * (1 - 1e-9)), np.maximum(ratio, own * (1 + 1e-9)))
    return pvalue, adjusted, value - ratio * (value - low), value + ratio * (high - value)


def _draw_smallest(covariance: Array, error: Array, pairs: Ints, resamples: int, seed: Seed) -> tuple[Array, Array]:
    """Draw means of equal systems; return the smallest p-value of each draw, and all differences in errors."""
    from scipy.special import ndtr

    i, k = pairs.T
    systems = np.unique(pairs)
    if len(pairs) < 2:
        return np.empty(0), np.empty((0, len(pairs)))
    values, vectors = np.linalg.eigh(covariance[np.ix_(systems, systems)])
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = np.zeros((resamples, len(covariance)))
    drawn[:, systems] = generator(seed).normal(size=(resamples, len(systems))) @ root.T
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.nan_to_num((drawn[:, i] - drawn[:, k]) / error[i, k])
    return 2 * ndtr(-np.abs(z).max(axis=1)), z


def _adjust(pvalue: Array, smallest: Array, alpha: float) -> tuple[Array, float]:
    """Return adjusted p-values, and the p-value of a pair at which its adjusted one is alpha."""
    if not len(smallest):
        return pvalue, alpha
    ordered = np.sort(smallest)
    reached = np.searchsorted(ordered, pvalue, side="right")
    share = (1 + reached) / (len(ordered) + 1)
    bound = np.minimum(len(pvalue) * pvalue, 1.0)
    adjusted = np.where(reached < _MIN_BEYOND, np.minimum(share, bound), share)
    adjusted = np.where(np.isnan(pvalue), np.nan, np.maximum(adjusted, pvalue))
    return adjusted, float(np.quantile(ordered, alpha))


def _find_best(means: Array, pairs: Ints, difference: Array, pvalue: Array, z: Array, confidence: float) -> Bools:
    """Return which systems no other is ahead of by more than the one-sided point of its own comparisons (Hsu 1984)."""
    from scipy.special import ndtri

    best = ~np.isnan(means)
    i, k = pairs.T
    ahead = -ndtri(np.maximum(pvalue, 1e-300) / 2) * np.sign(difference)  # the tests on the scale of the draws
    for system in np.unique(pairs):
        first, second = i == system, k == system
        behind = np.concatenate([-ahead[first], ahead[second]])
        if len(z):
            worst = np.concatenate([-z[:, first], z[:, second]], axis=1).max(axis=1)
            limit = float(np.quantile(worst, confidence))
        else:
            limit = float(ndtri(confidence))
        best[system] &= not (behind > limit).any()
    return np.asarray(best)
