"""How many raters per output, and how many items, a study needs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..errors import InputError
from ..stats import krippendorff_alpha
from ..stats.checks import fraction, warn_undefined
from ._input import Judged, gathered, human, number, quietly, ratings_of


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
class Needed(Shown):
    """What the study has, and what it would need.

    `items_now` is the median number of rated items per system, `sd` that of a system's items, `sd_difference` that of
    the differences between two systems on the same items.

    half-width of a system's mean over n items = z sd / sqrt(n); difference between two systems that is found with the
    given power = (z + z_power) sd_difference / sqrt(n).
    """

    dimension: str
    reliability_of_one: float
    raters_now: float
    target: float
    raters: int | None
    items_now: int
    systems: int
    sd: float
    sd_difference: float
    confidence: float
    power: float

    def reliability(self, raters: float) -> float:
        """Return the reliability of the mean of so many raters (Spearman-Brown)."""
        return spearman_brown(self.reliability_of_one, raters)

    def half_width(self, items: int | None = None) -> float:
        """Return half the width of the interval of a system's mean with so many items (now: as many as there are)."""
        return self._z * self.sd / sqrt(self.items_now if items is None else items)

    def difference(self, items: int | None = None) -> float:
        """Return the smallest difference of two systems that so many items find with the given power."""
        return (self._z + self._z_power) * self.sd_difference / sqrt(self.items_now if items is None else items)

    def items_for_half_width(self, width: float) -> int | None:
        """Return the items that make the half-width at most so much; None where the spread is unknown."""
        return _squared(self._z * self.sd, width, "width")

    def items_for_difference(self, difference: float) -> int | None:
        """Return the items that find such a difference with the given power; None where the spread is unknown."""
        return _squared((self._z + self._z_power) * self.sd_difference, difference, "difference")

    def more_items(self, difference: float) -> int | None:
        """Return how many more items than now are needed to find such a difference."""
        items = self.items_for_difference(difference)
        return None if items is None else max(0, items - self.items_now)

    @property
    def _z(self) -> float:
        return NormalDist().inv_cdf((1 + self.confidence) / 2)

    @property
    def _z_power(self) -> float:
        return NormalDist().inv_cdf(self.power)

    def sentence(self, difference: float | None = None) -> str:
        """Answer in words; for a difference between systems that one would like to find, how many more items."""
        return f"{self._raters_sentence()} {self._items_sentence(difference)}".strip()

    def _raters_sentence(self) -> str:
        now = max(1, round(self.raters_now))
        who = "one rater has" if now == 1 else f"the mean of {now} raters has"
        if np.isnan(self.reliability_of_one):
            return f"How reliable the raters of {self.dimension} are cannot be said."
        if self.raters is None:
            return f"On {self.dimension} {who} no measurable reliability, and more raters would not help."
        most = f"{self.raters} rater{'s' if self.raters > 1 else ''}"
        return (
            f"On {self.dimension} {who} reliability {number(self.reliability(now))}; "
            f"{most} per output would reach {number(self.target)}."
        )

    def _items_sentence(self, wanted: float | None) -> str:
        if np.isnan(self.sd_difference) or self.sd_difference == 0:
            return ""
        now = self.difference()
        found = f"{self.items_now} items per system find a difference of {now:.2g} with power {number(self.power)}"
        if wanted is None:
            return f"{found}; half of that would need {self.items_for_difference(now / 2)}."
        more = self.more_items(wanted)
        return f"{found}; to find {wanted:g}, {f'{more} more are' if more else 'no more are'} needed."


def needed(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    target: float = 0.8,
    confidence: float = 0.95,
    power: float = 0.8,
) -> Needed:
    """Return what raters and items are needed, from interval alpha (one rater's reliability) and the spread of items.

    Spreads are pooled over systems (pairs of systems) by degrees of freedom, from the outputs' means over raters. No
    output rated twice: reliability NaN; no system with two items, or no two systems: spread NaN; an UndefinedWarning
    says which.

    >>> table = np.array([[1, 2, 3, 3, 2, 1], [1, 2, 3, 2, 2, 1.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A", "A", "B", "B", "B"), ("1", "2", "3") * 2, "meaning")
    >>> result = needed(ratings)
    >>> result.raters, round(result.half_width(), 2), result.items_for_half_width(0.5)
    (1, 1.01, 13)
    """
    ratings = ratings_of(data, dimension)
    fraction(confidence, "confidence")
    fraction(power, "power")
    with quietly():
        one = krippendorff_alpha(gathered(ratings)).value
    scores = human(ratings)
    sd, paired = _spread(scores.values), _paired_spread(scores.values)
    _warn(ratings.dimension, one, sd, paired)
    rated = ~np.isnan(ratings.values)
    per_output = float(rated.sum() / rated.any(axis=0).sum())
    items = int(np.median(scores.counts()[scores.counts() > 0]))
    return Needed(
        ratings.dimension, one, per_output, target, raters_for(one, target), items, len(scores.systems), sd, paired,
        confidence, power,
    )  # fmt: skip


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
    there = ~np.isnan(values)
    n = there.sum(axis=1, keepdims=True)
    mean = np.where(there, values, 0.0).sum(axis=1, keepdims=True) / np.maximum(n, 1)
    squares = (np.where(there, values - mean, 0.0) ** 2).sum()
    return float(squares), int(np.maximum(n - 1, 0).sum())


def _squared(numerator: float, wanted: float, name: str) -> int | None:
    if not wanted > 0:
        raise InputError(f"{name} must be above 0, got {wanted!r}")
    return None if np.isnan(numerator) else max(1, ceil((numerator / wanted) ** 2 - 1e-9))
