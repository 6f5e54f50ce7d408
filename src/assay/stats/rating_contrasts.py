"""Does one system get higher ratings than another? A test that knows that raters and items are samples.

The difference of two systems' means varies with the items (system x item), with the raters (system x rater) and with
the rest. For new raters its variance is estimated by 2 (MS_si + MS_sr - MS_e) / (n k), with Satterthwaite's degrees of
freedom; for the raters of the study itself by 2 MS_si / (n k). More items cannot replace raters: the share of system x
rater does not shrink with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, floats, fraction
from .variance_components import NAMES, VarianceComponents, variance_components


@dataclass(frozen=True)
class ContrastDesign:
    """What a study has: systems, items, raters in all, and ratings of each output (its mean number)."""

    systems: int
    items: float
    raters: float
    per_output: float


@dataclass(frozen=True)
class RatingContrasts:
    """Entry [i, k] compares systems i and k: difference of means, standard error, degrees of freedom and p-value."""

    difference: Array
    error: Array
    df: float
    pvalue: Array
    new_raters: bool
    components: VarianceComponents
    design: ContrastDesign


def contrast_variance(
    parts: VarianceComponents, design: ContrastDesign, *, new_raters: bool = True, same_rater: bool = True
) -> tuple[float, float]:
    """Return the variance of a difference of two means, and Satterthwaite's degrees of freedom of its estimate.

    With n items, K raters in all and k ratings of each output the expected mean squares are e + k si, e + (n k / K) sr
    and e, with (S - 1)(n - 1), (S - 1)(K - 1) and the product of both as degrees of freedom.
    """
    n, raters, k = design.items, design.raters, design.per_output
    rest = parts.rest + (0.0 if same_rater else parts.item_rater)
    with_items = rest + k * parts.system_item
    df_items = (design.systems - 1) * (n - 1)
    if not new_raters:
        return 2 * with_items / (n * k), df_items
    with_raters = rest + n * k / raters * parts.system_rater
    df_raters = (design.systems - 1) * (raters - 1)
    if df_raters <= 0:
        return 2 * (with_items + with_raters - rest) / (n * k), 0.0
    df_rest = max((design.systems - 1) * (n - 1) * (k - 1), 1.0)
    # Either mean square alone is expected to be below the sum: a rest that is larger by chance must not lower it.
    total = max(with_items + with_raters - rest, with_items, with_raters)
    df = total**2 / (with_items**2 / df_items + with_raters**2 / df_raters + rest**2 / df_rest)
    return 2 * total / (n * k), df


def contrast_power(
    difference: ArrayLike,
    parts: VarianceComponents,
    design: ContrastDesign,
    *,
    alpha: float = 0.05,
    new_raters: bool = True,
    same_rater: bool = True,
) -> Array:
    """Return the power of the two-sided test to find a true difference (noncentral t); NaN if it cannot be tested."""
    fraction(alpha, "alpha")
    variance, df = contrast_variance(parts, design, new_raters=new_raters, same_rater=same_rater)
    gaps = np.abs(np.asarray(difference, dtype=np.float64))
    if not (df > 0 and variance > 0):
        return np.full(gaps.shape, np.nan)
    return _power_of_shift(gaps / sqrt(variance), df, alpha)


def _power_of_shift(shift: Array, df: float, alpha: float) -> Array:
    """Return the power of a two-sided t test whose statistic is shifted so far; SciPy's special functions are quick."""
    from scipy.special import nctdtr, stdtrit

    limit = stdtrit(df, 1 - alpha / 2)
    power = 1 - nctdtr(df, shift, limit) + nctdtr(df, shift, -limit)
    # The series fail far from 0, where nothing is left to find.
    return np.asarray(np.where(np.isnan(power), np.where(shift > limit, 1.0, 0.0), power))


def detectable_difference(
    parts: VarianceComponents, design: ContrastDesign, *, power: float = 0.8, alpha: float = 0.05, **options: bool
) -> float:
    """Return the smallest true difference that is found with this power; NaN where it cannot be tested."""
    fraction(power, "power")
    variance, df = contrast_variance(parts, design, **options)
    if not (df > 0 and variance > 0):
        return float("nan")
    low, high = 0.0, 1.0
    while _power_of_shift(np.asarray(high), df, alpha) < power:
        high *= 2
        if high > 1e6:
            return float("nan")
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _power_of_shift(np.asarray(middle), df, alpha) >= power else (middle, high)
    return high * sqrt(variance)


def rating_contrasts(
    ratings: ArrayLike, system: ArrayLike, item: ArrayLike, rater: ArrayLike, *, new_raters: bool = True
) -> RatingContrasts:
    """Test all pairs of systems; systems are numbered from 0.

    Complete tables give the mean squares of the analysis of variance. With cells missing the components are
    Henderson's, the numbers of items and ratings harmonic means, and differences are of means over items; the degrees
    of freedom are then approximate. With one rater, new raters cannot be tested: NaN.

    >>> levels = np.indices((2, 4, 3)).reshape(3, -1)
    >>> values = [1.0, 2, 2, 2, 3, 3, 1, 1, 2, 3, 3, 4, 2, 3, 3, 3, 4, 4, 2, 2, 4, 4, 4, 4]
    >>> result = rating_contrasts(values, *levels)
    >>> result.difference[1, 0].round(2), result.pvalue[1, 0].round(3), round(result.df, 1)
    (np.float64(1.0), np.float64(0.018), 2.0)
    """
    from scipy.stats import t

    values = floats(ratings, "ratings", ndim=1)
    codes = [np.asarray(each, dtype=np.int64) for each in (system, item, rater)]
    parts = variance_components(values, *codes, clip=False)
    if parts.systems < 2:
        raise InputError("a comparison needs ratings of at least two systems")
    design = _describe_design(codes[0], codes[1], codes[2])
    means = _system_means(values, codes[0], codes[1])
    difference = means[:, None] - means[None, :]
    variance, df = contrast_variance(_without_nan(parts), design, new_raters=new_raters)
    error = sqrt(variance) if df > 0 else float("nan")
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * t.sf(np.abs(difference) / error, df) if df > 0 else np.full(difference.shape, np.nan)
    np.fill_diagonal(p, 1.0)
    return RatingContrasts(difference, np.full(difference.shape, error), df, p, new_raters, parts, design)


def _without_nan(parts: VarianceComponents) -> VarianceComponents:
    """Return the components with 0 for what the design cannot tell: it is part of the rest."""
    unknown: dict[str, Any] = {name: 0.0 for name in NAMES if np.isnan(getattr(parts, name))}
    return replace(parts, **unknown)


def _describe_design(system: Ints, item: Ints, rater: Ints) -> ContrastDesign:
    """Count systems and raters; items and ratings per output are harmonic means over systems and outputs."""
    outputs, counts = np.unique(np.stack([system, item]), axis=1, return_counts=True)
    items = np.unique(outputs[0], return_counts=True)[1]
    return ContrastDesign(
        systems=len(items),
        items=float(len(items) / (1 / items).sum()),
        raters=float(len(np.unique(rater))),
        per_output=float(len(counts) / (1 / counts).sum()),
    )


def _system_means(values: Array, system: Ints, item: Ints) -> Array:
    """Return each system's mean over its items, an item's over its ratings."""
    outputs, place = np.unique(np.stack([system, item]), axis=1, return_inverse=True)
    means = np.bincount(place.ravel(), values) / np.bincount(place.ravel())
    return np.asarray(np.bincount(outputs[0], means) / np.bincount(outputs[0]))
