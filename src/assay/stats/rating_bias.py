"""Biases of one assessor against people, each with an interval over items: level, spread, length, own family, position.

Ratings are systems x items, those of people raters x systems x items; NaN is missing. Outputs for one item are not
independent, so that every standard error is clustered by item: it comes from one number per item.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Bools, floats, fraction, same_shape
from .intervals import Interval

MIN_ITEMS = 3  # items


@dataclass(frozen=True)
class LengthSlope:
    """Points that an assessor adds for a text e times as long and as good; corrected for noisy people, and not."""

    corrected: Interval
    uncorrected: Interval


def level_bias(judge: ArrayLike, people: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return the mean of (assessor - mean of people) over items.

    >>> people = [[[3.0, 2, 4, 3]], [[3, 2, 4, 5]]]
    >>> result = level_bias([[3.5, 2.5, 4.5, 4.5]], people)
    >>> result.value, result.n
    (0.5, 4)
    """
    j, h = _ratings(judge, people)
    return _mean_interval(_item_means(j - _over_raters(h)), "level", confidence)


def spread_ratio(judge: ArrayLike, people: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return the assessor's standard deviation over that of one person (root mean variance), on common outputs.

    The interval is a jackknife over items of the logarithm. No spread on either side: NaN.

    >>> round(spread_ratio([[2.0, 3, 4, 3]], [[[1.0, 3, 5, 3]], [[1, 3, 5, 3]]]).value, 3)
    0.5
    """
    j, h = _ratings(judge, people)
    common = ~np.isnan(j) & ~np.isnan(h).all(axis=0)
    own, others = np.where(common, j, np.nan)[None], np.where(common[None], h, np.nan)
    items = np.nonzero(common.any(axis=0))[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = _log_ratio(own, others, items, None)
        left = np.array([_log_ratio(own, others, items, i) for i in range(len(items))])
    if len(items) < MIN_ITEMS or not np.isfinite(whole) or not np.isfinite(left).all():
        return _no_interval("spread", confidence, len(items), float(np.exp(whole)))
    error = np.sqrt((len(items) - 1) / len(items) * ((left - left.mean()) ** 2).sum())
    half = _t(len(items) - 1, confidence) * error
    ends = np.exp([whole, whole - half, whole + half]).tolist()
    return Interval(ends[0], ends[1], ends[2], confidence, "spread, jackknife over items", len(items))


def length_slope(judge: ArrayLike, people: ArrayLike, lengths: ArrayLike, *, confidence: float = 0.95) -> LengthSlope:
    """Return the slope of log length in: assessor ~ quality + system + log length.

    Quality is what people say, and the mean of few people is noisy: its slope comes out too small, and length, which
    goes with quality, takes up the rest. The corrected slope uses one person as the instrument for another, averaged
    over all pairs: their ratings of an output share its quality and not their noise. It needs two people per output.
    The uncorrected slope takes the mean of people as it is. Ratings are centred by system and rater; lengths of 0 are
    left out. Standard errors are clustered by item (sandwich).

    >>> rng = np.random.default_rng(0)
    >>> quality, length = rng.normal(size=(4, 80)), rng.normal(4, 0.4, size=(4, 80))
    >>> people = quality + rng.normal(size=(3, 4, 80))
    >>> result = length_slope(quality + 0.5 * length, people, np.exp(length))
    >>> result.corrected.low < 0.5 < result.corrected.high
    True
    """
    j, h = _ratings(judge, people)
    size = floats(lengths, "lengths", ndim=2)
    same_shape("judge", j, "lengths", size)
    log = np.log(np.where(size > 0, size, np.nan))
    counts = (~np.isnan(h)).sum(axis=0)
    used = ~np.isnan(j) & ~np.isnan(log) & (counts >= 1)
    twice = used & (counts >= 2)
    return LengthSlope(
        _slope(j, h, log, twice, corrected=True, confidence=confidence),
        _slope(j, h, log, used, corrected=False, confidence=confidence),
    )


def self_preference(judge: ArrayLike, people: ArrayLike, own: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return (assessor - people) on outputs of the assessor's own family minus that on others, by item.

    `own` says which systems are of its family. Items without outputs of both kinds do not count.

    >>> people = np.array([[[3.0, 3, 4, 2], [2, 3, 3, 3]]])
    >>> self_preference(people[0] + [[1.0], [0.5]], people, [True, False]).value
    0.5
    """
    j, h = _ratings(judge, people)
    family = np.asarray(own, dtype=bool)
    if family.shape != (len(j),):
        raise InputError(
            f"own must say of each of the {len(j)} systems whether it is of the family; got {family.shape}"
        )
    gap = j - _over_raters(h)
    return _mean_interval(_item_means(gap[family]) - _item_means(gap[~family]), "self-preference", confidence)


def position_effect(first_won: ArrayLike, items: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return how much more often than half the first of two texts is preferred: 1 won, .5 tied, 0 lost, and its item.

    Every pair must be there in both orders, so that quality cannot make the first one win.

    >>> position_effect([1, 1, 1, 0, 1, 0.5, 1, 0], [1, 1, 2, 2, 3, 3, 4, 4]).value
    0.1875
    """
    won = floats(first_won, "first_won", ndim=1)
    _, place = np.unique(np.asarray(items), return_inverse=True)
    if len(place) != len(won):
        raise InputError(f"every preference needs its item; got {len(won)} and {len(place)}")
    return _mean_interval(np.bincount(place, won) / np.bincount(place) - 0.5, "position", confidence)


def _ratings(judge: ArrayLike, people: ArrayLike) -> tuple[Array, Array]:
    j, h = floats(judge, "judge", ndim=2), floats(people, "people", ndim=3)
    if h.shape[1:] != j.shape:
        raise InputError(f"people must be raters x systems x items, {j.shape} of them; got {h.shape}")
    return j, h


def _over_raters(h: Array) -> Array:
    present = ~np.isnan(h)
    counts = present.sum(axis=0)
    mean = np.where(present, h, 0.0).sum(axis=0) / np.maximum(counts, 1)
    return np.asarray(np.where(counts > 0, mean, np.nan))


def _item_means(values: Array) -> Array:
    present = ~np.isnan(values)
    counts = present.sum(axis=0)
    return np.asarray(np.where(counts > 0, np.where(present, values, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan))


def _t(df: int, confidence: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + fraction(confidence, "confidence")) / 2))


def _mean_interval(by_item: Array, name: str, confidence: float) -> Interval:
    """Return the mean over items with a t interval."""
    values = by_item[~np.isnan(by_item)]
    n = len(values)
    if n < MIN_ITEMS:
        return _no_interval(name, confidence, n, float(values.mean()) if n else float("nan"))
    mean, half = float(values.mean()), _t(n - 1, confidence) * float(values.std(ddof=1)) / np.sqrt(n)
    return Interval(mean, mean - half, mean + half, confidence, f"{name}, t over items", n)


def _no_interval(name: str, confidence: float, n: int, value: float = float("nan")) -> Interval:
    return Interval(value, float("nan"), float("nan"), confidence, name, n)


def _log_ratio(own: Array, others: Array, items: np.ndarray[tuple[int], np.dtype[np.int64]], out: int | None) -> float:
    """Return the log ratio of standard deviations without one item."""
    columns = items if out is None else np.delete(items, out)
    sizes = [np.nanvar(own[..., columns]), np.nanmean([np.nanvar(row[..., columns]) for row in others])]
    return float(0.5 * np.log(sizes[0] / sizes[1]))


def _slope(j: Array, h: Array, log: Array, used: Bools, *, corrected: bool, confidence: float) -> Interval:
    """Return the slope of log length from products summed by item."""
    n = int(used.any(axis=0).sum())
    name = "length, instrument" if corrected else "length, least squares"
    if n < MIN_ITEMS:
        return _no_interval(name, confidence, n)
    rated = used[None] & ~np.isnan(h)
    j, log = _centre(j, used), _centre(log, used)
    by_rater = np.stack([_centre(row, present) for row, present in zip(h, rated, strict=True)])
    counts = np.maximum(rated.sum(axis=0), 1)
    mean = by_rater.sum(axis=0) / counts
    # The mean of products of two different raters: the square of the mean less what a rater shares with themselves.
    square = ((counts * mean) ** 2 - (by_rater**2).sum(axis=0)) / np.maximum(counts * (counts - 1), 1)
    quality = np.where(used, square if corrected else mean**2, 0.0)
    left = np.array([[quality, mean * log], [mean * log, log * log]]).sum(axis=2)  # 2 x 2 x items
    right = np.array([mean * j, log * j]).sum(axis=1)
    total = left.sum(axis=2)
    if total[0, 0] <= 0 or np.linalg.cond(total) > 1e10:
        return _no_interval(name, confidence, n)
    inverse = np.linalg.inv(total)
    slopes = inverse @ right.sum(axis=1)
    scores = right - np.einsum("abi,b->ai", left, slopes)
    error = np.sqrt((inverse @ (scores @ scores.T) @ inverse.T)[1, 1] * n / (n - 1))
    value, half = float(slopes[1]), _t(n - 1, confidence) * float(error)
    return Interval(value, value - half, value + half, confidence, name, n)


def _centre(values: Array, used: Bools) -> Array:
    """Return values less their mean by system (row), 0 where unused."""
    known = np.where(used, values, 0.0)
    return np.asarray(np.where(used, known - (known.sum(axis=1) / np.maximum(used.sum(axis=1), 1))[:, None], 0.0))
