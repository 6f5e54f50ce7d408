"""Does one system get higher ratings than another? A test that knows that raters and items are samples.

The difference of two systems' means varies with the items (system x item), with the raters (system x rater) and with
the rest. For new raters its variance is estimated by 2 (MS_si + MS_sr - MS_e) / (n k), with Satterthwaite's degrees of
freedom; for the raters of the study itself by 2 MS_si / (n k). More items cannot replace raters: the share of system x
rater does not shrink with them. With cells missing each component counts as often as the ratings at hand repeat it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, floats, fraction
from .incomplete_contrasts import fit_incomplete
from .variance_components import VarianceComponents, variance_components, without_nan

MAX_ITEMS = 5000  # in the search for a number of items that is enough
_MAX_RATERS = 200


@dataclass(frozen=True)
class ContrastDesign:
    """What a study has: systems, items, raters in all, and ratings of each output (its mean number)."""

    systems: int
    items: float
    raters: float
    per_output: float


@dataclass(frozen=True)
class RatingContrasts:
    """Entry [i, k] compares systems i and k: difference of their means, error, df and p-value.

    The means are plain ones of a complete table, else adjusted for items and raters; `covariance` is theirs.
    """

    means: Array
    covariance: Array
    difference: Array
    error: Array
    df: Array
    pvalue: Array
    new_raters: bool
    components: VarianceComponents
    design: ContrastDesign


def contrast_variance(
    parts: VarianceComponents, design: ContrastDesign, *, new_raters: bool = True, same_rater: bool = True
) -> tuple[float, float]:
    """Return the variance of a difference of two means, and Satterthwaite's degrees of freedom of its estimate.

    With n items, K raters in all and k ratings of each output the expected mean squares are e + k si, e + (n k / K) sr
    and e, with (S - 1)(n - 1), (S - 1)(K - 1) and (S - 1)(n - 1)(k - 1) degrees of freedom. With one rating of each
    output system x item is part of the rest, which is then not taken off: the estimate is that of system x rater alone.
    """
    n, raters, k = design.items, design.raters, design.per_output
    rest = parts.rest + (0.0 if same_rater else parts.item_rater)
    with_items = rest + k * parts.system_item
    df_items, df_raters, df_rest = _degrees(design)
    if not new_raters:
        return 2 * with_items / (n * k), df_items
    with_raters = rest + n * k / raters * parts.system_rater
    if df_raters <= 0:
        return 2 * (with_items + with_raters - rest) / (n * k), 0.0
    total, df = _satterthwaite(with_items, with_raters, rest, (df_items, df_raters, df_rest))
    return float(2 * total / (n * k)), max(float(df), df_raters) if k < 2 else float(df)


def _degrees(design: ContrastDesign) -> tuple[float, float, float]:
    s, n = design.systems - 1, design.items - 1
    return s * n, s * (design.raters - 1), max(s * n * (design.per_output - 1), 1.0)


def _satterthwaite(
    with_items: ArrayLike, with_raters: ArrayLike, rest: ArrayLike, degrees: tuple[float, float, float]
) -> tuple[Array, Array]:
    """Return MS_si + MS_sr - MS_e and its degrees of freedom.

    Either mean square alone is expected to be below the sum: a rest that is larger by chance must not lower it.
    """
    si, sr, e = (np.asarray(each, dtype=np.float64) for each in (with_items, with_raters, rest))
    total = np.maximum(np.maximum(si + sr - e, si), sr)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = total**2 / (si**2 / degrees[0] + sr**2 / degrees[1] + e**2 / degrees[2])
    return total, np.asarray(df)


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
    """Return the power of a two-sided t test with a shifted statistic; SciPy's special functions are quick."""
    from scipy.special import nctdtr, stdtrit

    limit = stdtrit(df, 1 - alpha / 2)
    power = 1 - nctdtr(df, shift, limit) + nctdtr(df, shift, -limit)
    # The series fail far from 0, where nothing is left to find.
    return np.asarray(np.where(np.isnan(power), np.where(shift > limit, 1.0, 0.0), power))


def contrast_level(
    parts: VarianceComponents, design: ContrastDesign, *, alpha: float = 0.05, draws: int = 20_000, seed: int = 0
) -> float:
    """Return how often the test for new raters finds a difference between equal systems, by drawing mean squares.

    In a complete design the mean squares are independent multiples of chi-squares and independent of the means. With
    few systems and raters the level is above alpha, because the degrees of freedom are estimated as well.

    >>> coherence = VarianceComponents(0.309, 0.105, 0.139, 0.506, 0.0854, 0.034, 0.414)
    >>> round(contrast_level(coherence, ContrastDesign(2, 100, 3, 3)), 2)
    0.08
    """
    from scipy.special import stdtrit

    degrees = _degrees(design)
    if degrees[1] <= 0:
        return nan
    if design.per_output < 2:
        return alpha  # one mean square is tested, an exact t test
    n, raters, k = design.items, design.raters, design.per_output
    expected = (parts.rest + k * parts.system_item, parts.rest + n * k / raters * parts.system_rater, parts.rest)
    rng = np.random.default_rng(seed)
    squares = [mean * rng.chisquare(df, draws) / df for mean, df in zip(expected, degrees, strict=True)]
    truth = expected[0] + expected[1] - expected[2]
    total, df = _satterthwaite(squares[0], squares[1], squares[2], degrees)
    statistic = np.abs(rng.normal(0, sqrt(truth), draws)) / np.sqrt(total)
    return float((statistic > stdtrit(df, 1 - alpha / 2)).mean())


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


def fewest_items(
    difference: float, parts: VarianceComponents, design: ContrastDesign, *, power: float = 0.8, **options: Any
) -> int | None:
    """Return the fewest items with which a design finds a difference with this power; None if no number is enough.

    >>> coherence = VarianceComponents(0.309, 0.105, 0.139, 0.506, 0.0854, 0.034, 0.414)
    >>> [fewest_items(0.5, coherence, ContrastDesign(2, 0, raters, 1)) for raters in (15, 3)]
    [114, None]
    """

    def reaches(items: int) -> bool:
        return bool(contrast_power(difference, parts, replace(design, items=items), **options) >= power)

    return _least(reaches, MAX_ITEMS)


def fewest_raters(
    difference: float, parts: VarianceComponents, systems: int, *, power: float = 0.8, **options: Any
) -> int | None:
    """Return the fewest raters with whom some number of items finds a difference for new raters; None above 200."""

    def reaches(raters: int) -> bool:
        design = ContrastDesign(systems, MAX_ITEMS, raters, raters)
        return bool(contrast_power(difference, parts, design, **options) >= power)

    return _least(reaches, _MAX_RATERS)


def _least(reaches: Callable[[int], bool], most: int) -> int | None:
    """Return the least number from 2 on that is enough; None if the most is not. More never reaches less."""
    if not reaches(most):
        return None
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def rating_contrasts(
    ratings: ArrayLike, system: ArrayLike, item: ArrayLike, rater: ArrayLike, *, new_raters: bool = True
) -> RatingContrasts:
    """Test all pairs of systems, numbered from 0, by all ratings.

    Complete tables give the mean squares of the analysis of variance. With cells missing the components are
    Henderson's, the means those of generalized least squares; each component enters by the sum of squared weights that
    the ratings of one of its levels have in the difference of means, so that items and raters who saw one system more
    often than the other widen it; the degrees of freedom are then approximate. With one rater, new raters cannot be
    tested: NaN.

    >>> levels = np.indices((2, 4, 3)).reshape(3, -1)
    >>> values = [1.0, 2, 2, 2, 3, 3, 1, 1, 2, 3, 3, 4, 2, 3, 3, 3, 4, 4, 2, 2, 4, 4, 4, 4]
    >>> result = rating_contrasts(values, *levels)
    >>> result.difference[1, 0].round(2), result.pvalue[1, 0].round(3), result.df[1, 0].round(1)
    (np.float64(1.0), np.float64(0.018), np.float64(2.0))
    """
    from scipy.special import stdtr

    values = floats(ratings, "ratings", ndim=1)
    codes = [np.unique(np.asarray(each), return_inverse=True)[1] for each in (system, item, rater)]
    parts = variance_components(values, *codes, clip=False)
    if parts.systems < 2:
        raise InputError("a comparison needs ratings of at least two systems")
    design = describe_design(*codes)
    if parts.ratings == parts.systems * parts.items * parts.raters:
        means, covariance, error, df = _test_complete(values, codes[0], without_nan(parts), design, new_raters)
    else:
        fit = fit_incomplete(values, codes, parts, new_raters=new_raters)
        means, covariance, error, df = fit.means, fit.covariance, fit.error, fit.df
    difference = means[:, None] - means
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where((df > 0) & (error > 0), 2 * stdtr(df, -np.abs(difference) / error), np.nan)
    np.fill_diagonal(p, 1.0)
    return RatingContrasts(means, covariance, difference, error, df, p, new_raters, parts, design)


def describe_design(system: Ints, item: Ints, rater: Ints) -> ContrastDesign:
    """Count systems and raters; items and ratings per output are harmonic means over systems and outputs."""
    outputs, counts = np.unique(np.stack([system, item]), axis=1, return_counts=True)
    items = np.unique(outputs[0], return_counts=True)[1]
    return ContrastDesign(
        systems=len(items),
        items=float(len(items) / (1 / items).sum()),
        raters=float(len(np.unique(rater))),
        per_output=float(len(counts) / (1 / counts).sum()),
    )


def _test_complete(
    values: Array, system: Ints, parts: VarianceComponents, design: ContrastDesign, new_raters: bool
) -> tuple[Array, Array, Array, Array]:
    """Return means, their covariance, errors and degrees of freedom where every rater judged every output.

    The covariance has nothing of what all systems share: items, raters and both.
    """
    means = np.asarray(np.bincount(system, values) / np.bincount(system))
    variance, df = contrast_variance(parts, design, new_raters=new_raters)
    error = sqrt(max(variance, 0.0)) if df > 0 else nan
    shape = (len(means), len(means))
    return means, np.eye(len(means)) * error**2 / 2, np.full(shape, error), np.full(shape, df)
