"""Compute how many raters per output, and how many items, a study needs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..errors import InputError
from ..stats import krippendorff_alpha
from ..stats.checks import fraction, warn_undefined
from ._input import HasRatings, get_ratings, ignore_undefined, mean_scores, pack_ratings


def spearman_brown(reliability: float, raters: float) -> float:
    """Return the reliability of the mean of k raters: k r / (1 + (k - 1) r).

    >>> round(spearman_brown(0.266, 5), 3)
    0.644
    """
    below = 1 + (raters - 1) * reliability
    return raters * reliability / below if below > 0 else float("nan")


def raters_for(reliability: float, target: float = 0.8) -> int | None:
    """Return the raters whose mean reaches the target: R (1 - r) / (r (1 - R)), rounded up; None if none do (r <= 0).

    >>> raters_for(0.266), raters_for(0.9), raters_for(-0.1)
    (12, 1, None)
    """
    fraction(target, "target")
    if not reliability > 0:
        return None
    exact = target * (1 - reliability) / (reliability * (1 - target))
    return max(1, ceil(exact - 1e-9))


@dataclass(frozen=True)
class SampleSize(Result, question="raters", kind="sample_size"):
    """What the study has, and what it would need.

    `raters_needed` per output reach the `target` reliability (None if no number does). `items` is the median number of
    rated items per system, `sd` the standard deviation over a system's items, `sd_difference` that of the differences
    between two systems on the same items. `half_width` and `detectable` are with the items that there are;
    `items_needed` find the `difference` asked for.

    half-width of a system's mean over n items = z sd / sqrt(n); difference between two systems that is found with the
    given power = (z + z_power) sd_difference / sqrt(n).
    """

    dimension: str
    one_rater_reliability: float
    raters_per_output: float
    target: float
    raters_needed: int | None
    items: int
    systems: int
    sd: float
    sd_difference: float
    half_width: float
    detectable: float
    difference: float | None
    items_needed: int | None
    confidence: float
    power: float

    def reliability(self, raters: float) -> float:
        """Return the reliability of the mean of so many raters (Spearman-Brown)."""
        return spearman_brown(self.one_rater_reliability, raters)

    def half_width_with(self, items: int) -> float:
        """Return half the width of the interval of a system's mean with so many items."""
        return _z(self.confidence) * self.sd / sqrt(items)

    def detectable_with(self, items: int) -> float:
        """Return the smallest difference of two systems that so many items find with the given power."""
        return _z_sum(self.confidence, self.power) * self.sd_difference / sqrt(items)

    def items_for_half_width(self, width: float) -> int | None:
        """Return the items that make the half-width at most so much; None where the spread is unknown."""
        return _items_for(_z(self.confidence) * self.sd, width, "width")

    def items_for_difference(self, difference: float) -> int | None:
        """Return the items that find such a difference with the given power; None where the spread is unknown."""
        return _items_for(_z_sum(self.confidence, self.power) * self.sd_difference, difference, "difference")

    def more_items(self, difference: float) -> int | None:
        """Return how many more items than there are find such a difference."""
        items = self.items_for_difference(difference)
        return None if items is None else max(0, items - self.items)


def sample_size(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    target: float = 0.8,
    confidence: float = 0.95,
    power: float = 0.8,
    difference: float | None = None,
) -> SampleSize:
    """Compute the raters and items needed, from interval alpha (one rater's reliability) and the spread of items.

    `difference` is one between two systems that should be found. Spreads are pooled over systems (pairs of systems) by
    degrees of freedom, from the outputs' means over raters. No output rated twice: reliability NaN; no system with two
    items, or no two systems: spread NaN; an UndefinedWarning says which.

    >>> table = np.array([[1, 2, 3, 3, 2, 1], [1, 2, 3, 2, 2, 1.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A", "A", "B", "B", "B"), ("1", "2", "3") * 2, "meaning")
    >>> result = sample_size(ratings)
    >>> result.raters_needed, round(result.half_width, 2), result.items_for_half_width(0.5)
    (1, 1.01, 13)
    """
    ratings = get_ratings(data, dimension)
    fraction(confidence, "confidence")
    fraction(power, "power")
    with ignore_undefined():
        one = krippendorff_alpha(pack_ratings(ratings)).value
    scores = mean_scores(ratings)
    sd, paired = _spread(scores.values), _paired_spread(scores.values)
    _warn(ratings.dimension, one, sd, paired)
    rated = ~np.isnan(ratings.values)
    per_output = float(rated.sum() / rated.any(axis=0).sum())
    items = int(np.median(scores.counts()[scores.counts() > 0]))
    reach = _z_sum(confidence, power) * paired
    return SampleSize(
        dimension=ratings.dimension,
        one_rater_reliability=one,
        raters_per_output=per_output,
        target=target,
        raters_needed=raters_for(one, target),
        items=items,
        systems=len(scores.systems),
        sd=sd,
        sd_difference=paired,
        half_width=_z(confidence) * sd / sqrt(items),
        detectable=reach / sqrt(items),
        difference=difference,
        items_needed=None if difference is None else _items_for(reach, difference, "difference"),
        confidence=confidence,
        power=power,
    )


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _z_sum(confidence: float, power: float) -> float:
    return _z(confidence) + NormalDist().inv_cdf(power)


def _warn(dimension: str, one: float, sd: float, paired: float) -> None:
    reasons = {
        "reliability (no output was rated twice, or all ratings are equal)": one,
        "spread of items (no system has two rated items)": sd,
        "spread of differences (no two systems have two rated items in common)": paired,
    }
    missing = [why for why, value in reasons.items() if np.isnan(value)]
    if missing:
        warn_undefined(f"{dimension!r}: {'; '.join(missing)}")


def _spread(values: Floats) -> float:
    """Return the standard deviation within rows, pooled by degrees of freedom."""
    squares, free = _within(values)
    return sqrt(squares / free) if free else float("nan")


def _paired_spread(values: Floats) -> float:
    parts = [_within(values[i + 1 :] - values[i]) for i in range(len(values) - 1)]
    squares, free = sum(p[0] for p in parts), sum(p[1] for p in parts)
    return sqrt(squares / free) if free else float("nan")


def _within(values: Floats) -> tuple[float, int]:
    """Return the sum of squared deviations from the rows' means, and its degrees of freedom."""
    rated = ~np.isnan(values)
    n = rated.sum(axis=1, keepdims=True)
    mean = np.where(rated, values, 0.0).sum(axis=1, keepdims=True) / np.maximum(n, 1)
    squares = (np.where(rated, values - mean, 0.0) ** 2).sum()
    return float(squares), int(np.maximum(n - 1, 0).sum())


def _items_for(numerator: float, wanted: float, name: str) -> int | None:
    if not wanted > 0:
        raise InputError(f"{name} must be above 0, got {wanted!r}")
    return None if np.isnan(numerator) else max(1, ceil((numerator / wanted) ** 2 - 1e-9))
