"""Krippendorff's alpha: agreement of any number of raters, at any level of measurement, with missing ratings.

Krippendorff (2011), "Computing Krippendorff's alpha-reliability". Ratings are items x raters, NaN = not rated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, choice, floats, fraction, warn_undefined
from .unit_jackknife import group_units, jackknife_limits

BATCH = 1 << 24  # numbers in memory at a time
MEASURES = ("nominal", "ordinal", "interval", "ratio")


@dataclass(frozen=True)
class Alpha:
    """Alpha with the items and ratings that count (items rated at least twice), and an interval if asked for."""

    value: float
    measure: str
    items: int
    ratings: int
    low: float = float("nan")
    high: float = float("nan")
    confidence: float = 0.95
    units: int = 0  # that were left out one by one for the interval


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    measure: str = "interval",
    interval: bool = False,
    units: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> Alpha:
    """Return alpha = 1 - Do / De: observed over expected disagreement of pairs of ratings.

    A pair of values c, k disagrees by 1 (nominal), the number of ratings between them squared (ordinal), (c - k)^2
    (interval) or ((c - k) / (c + k))^2 (ratio). Items rated once do not count. No spread among the ratings (0/0) or no
    item rated twice: NaN with an UndefinedWarning.

    The interval is by the jackknife over `units`, which name what each row was drawn with (rows that are outputs of one
    input, or of one document, are one unit; by default each row is its own), with t of units - 1 degrees of freedom:
    coverage .92 to .95 from 20 units on, also where outputs share an item (`python tools/levels.py`).
    On log(1 - alpha) it is .01 to .03 less. NaN where nothing is left to vary, as with perfect agreement.

    >>> nan = float("nan")
    >>> a = [nan, nan, nan, nan, nan, 3, 4, 1, 2, 1, 1, 3, 3, nan, 3]
    >>> b = [1, nan, 2, 1, 3, 3, 4, 3, nan, nan, nan, nan, nan, nan, nan]
    >>> c = [nan, nan, 2, 1, 3, 4, 4, nan, 2, 1, 1, 3, 3, nan, 4]
    >>> result = krippendorff_alpha(np.transpose([a, b, c]), measure="interval")
    >>> round(result.value, 3), result.items, result.ratings
    (0.811, 12, 26)
    """
    choice(measure, "measure", MEASURES)
    values = floats(ratings, "ratings", ndim=2)
    if measure == "ratio" and (values < 0).any():
        raise InputError(f"ratio alpha needs ratings of at least 0, got {np.nanmin(values)}")
    twice = (~np.isnan(values)).sum(axis=1) >= 2
    used = values[twice]
    n, count = len(used), int((~np.isnan(used)).sum())
    value = float(_alphas(used, np.ones((1, n)), measure)[0]) if n else float("nan")
    if np.isnan(value):
        warn_undefined(f"alpha of {n} item(s) rated at least twice" + (", all ratings equal" if n else ""))
        return Alpha(value, measure, n, count)
    if not interval:
        return Alpha(value, measure, n, count)
    codes = group_units(units, len(values))[twice]
    groups = np.unique(codes)
    if len(groups) < 2:
        return Alpha(value, measure, n, count, confidence=confidence, units=len(groups))
    without = np.concatenate(
        [
            _alphas(used, (codes != part[:, None]).astype(np.float64), measure)
            for part in np.array_split(groups, -(-len(groups) * used.size // BATCH))
        ]
    )
    low, high = jackknife_limits(value, without, fraction(confidence, "confidence"))
    return Alpha(value, measure, n, count, low, high, confidence, len(groups))


def _alphas(values: Array, w: Array, measure: str) -> Array:
    """Return alpha under each row of item weights: Do = sum over items of pairwise disagreement / (ratings - 1)."""
    if measure == "interval":
        observed, expected = _interval(values, w)
    else:
        observed, expected = _categorical(values, w, measure)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _interval(values: Array, w: Array) -> tuple[Array, Array]:
    """Sum squared differences by moments: sum over pairs of (c - k)^2 = 2 (m sum c^2 - (sum c)^2)."""
    present = ~np.isnan(values)
    m = present.sum(axis=1).astype(np.float64)
    centred = np.where(present, values - values[present].mean(), 0.0)
    s1, s2 = centred.sum(axis=1), (centred * centred).sum(axis=1)
    within = _clear(2 * (m * s2 - s1 * s1), m * s2) / (m - 1)
    n, t1, t2 = w @ m, w @ s1, w @ s2
    return (w @ within) / n, _clear(2 * (n * t2 - t1 * t1), n * t2) / (n * (n - 1))


def _clear(difference: Array, scale: Array) -> Array:
    """Set to 0 what is only the rounding of a difference of sums."""
    return np.where(difference > 1e-13 * scale, difference, 0.0)


def _categorical(values: Array, w: Array, measure: str) -> tuple[Array, Array]:
    present = ~np.isnan(values)
    scale = np.unique(values[present])
    counts = (values[:, :, None] == scale).sum(axis=1).astype(np.float64)  # items x values
    m = counts.sum(axis=1)
    totals = w @ counts
    n = totals.sum(axis=1)
    if measure == "ordinal":
        return _ordinal(counts, m, w, totals, n)
    apart = _apart(scale, measure)
    within = ((counts @ apart) * counts).sum(axis=1) / (m - 1)
    return (w @ within) / n, ((totals @ apart) * totals).sum(axis=1) / (n * (n - 1))


def _apart(scale: Array, measure: str) -> Array:
    """Return the squared difference of each pair of values; 0 and 0 are not different on a ratio scale."""
    difference, total = np.subtract.outer(scale, scale), np.add.outer(scale, scale)
    if measure == "nominal":
        return np.asarray(difference != 0, dtype=np.float64)
    share = np.divide(difference, total, out=np.zeros_like(total), where=total > 0)
    return np.asarray(share * share)


def _ordinal(counts: Array, m: Array, w: Array, totals: Array, n: Array) -> tuple[Array, Array]:
    """Use interval differences of mean ranks: the ordinal difference of two values is that of their mean ranks."""
    rank = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2  # draws x values, centred
    s1, s2 = rank @ counts.T, (rank * rank) @ counts.T  # draws x items
    within = 2 * (m * s2 - s1 * s1) / (m - 1)
    t1, t2 = (totals * rank).sum(axis=1), (totals * rank * rank).sum(axis=1)
    expected = 2 * (n * t2 - t1 * t1) / (n * (n - 1))
    return (w * within).sum(axis=1) / n, np.where(expected > 1e-9, expected, 0.0)
