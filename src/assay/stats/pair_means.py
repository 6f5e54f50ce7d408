"""The mean of a quantity over pairs of systems, with an error that knows that pairs share systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, floats, fraction, warn_undefined

MIN_SYSTEMS = 4  # systems: with three every two pairs share one, and nothing tells how pairs vary that do not


@dataclass(frozen=True)
class PairMeans:
    """Means over pairs, each with its standard error, interval and two-sided p-value of a mean of 0."""

    values: Array
    errors: Array
    low: Array
    high: Array
    pvalues: Array
    systems: int
    pairs: int
    df: int
    confidence: float


def pair_means(values: ArrayLike, pairs: Ints, *, confidence: float = 0.95) -> PairMeans:
    """Average over the last axis, one value per pair of systems (rows of `pairs`), and test each mean against 0.

    Two pairs that share a system are not independent, so the variance counts products of all such two: with u the
    deviations from the mean and n systems it is sum of u_e u_f over pairs e, f that share a system, / pairs^2, times
    n (n - 1) / ((n - 2)(n - 3)), which makes it unbiased where every pair is there (it then equals mean^2 less the mean
    product of disjoint pairs). It is never taken below that of independent pairs. t has n - 2 degrees of freedom. Fewer
    than four systems: no error, NaN with an UndefinedWarning.

    >>> pairs = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    >>> result = pair_means([1.0, 1, 1, 0, 0, 0], pairs)
    >>> result.values, round(float(result.errors), 3), round(float(result.pvalues), 3)
    (array(0.5), 0.5, 0.423)
    """
    from scipy.special import stdtr, stdtrit

    table = floats(values, "values", ndim=(1, 2, 3))
    if len(pairs) != table.shape[-1]:
        raise InputError(f"each pair must have a value, got {table.shape[-1]} values of {len(pairs)} pairs")
    systems, index = np.unique(pairs, return_inverse=True)
    count, means = len(systems), table.mean(axis=-1) if len(pairs) else np.full(table.shape[:-1], np.nan)
    if count < MIN_SYSTEMS:
        warn_undefined(f"error of a mean over pairs of {count} system(s); at least {MIN_SYSTEMS} are needed")
        missing = np.full(means.shape, np.nan)
        return PairMeans(np.asarray(means), missing, missing, missing, missing, count, len(pairs), 0, confidence)
    errors = np.sqrt(_variances(table - means[..., None], index.reshape(-1, 2), count))
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(means == 0, 0.0, np.abs(means) / errors)
    half = stdtrit(count - 2, (1 + fraction(confidence, "confidence")) / 2) * errors
    p = np.asarray(2 * stdtr(count - 2, -t))
    return PairMeans(np.asarray(means), errors, means - half, means + half, p, count, len(pairs), count - 2, confidence)


def _variances(deviations: Array, index: Ints, count: int) -> Array:
    """Return the variances of means from deviations of pairs (rows of `index`, systems from 0 to count - 1)."""
    incidence = np.zeros((len(index), count))
    incidence[np.arange(len(index)), index[:, 0]] = incidence[np.arange(len(index)), index[:, 1]] = 1.0
    squares = (deviations**2).sum(axis=-1)
    shared = ((deviations @ incidence) ** 2).sum(axis=-1) - squares  # each square stands in the sums of both systems
    unbiased = shared * count * (count - 1) / ((count - 2) * (count - 3))
    independent = squares * len(index) / max(len(index) - 1, 1)
    return np.asarray(np.maximum(unbiased, independent) / len(index) ** 2)
