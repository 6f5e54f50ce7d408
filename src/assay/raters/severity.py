"""How severe each rater is, how much of the scale he uses, and how far he agrees with the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..errors import UnknownName
from ..stats import leave_one_out
from ..stats.checks import warn_undefined
from ._input import Judged, number, quietly, ratings_of, scale_of


@dataclass(frozen=True)
class RaterProfile:
    """One rater beside the others, on the `shared` outputs that someone else judged too.

    `severity`: mean of (the others' mean - his rating): above 0 he gives less than they do. `spread`: standard
    deviation of his ratings over that of the others'. `rest`: Pearson's r with the mean of the others (Clarke and
    Lapata 2006, section 6). `used`: share of the scale's points he used, or of its range if it is not discrete.
    """

    rater: str
    n: int
    shared: int
    mean: float
    severity: float
    spread: float
    rest: float
    used: float


@dataclass(frozen=True)
class Severity(Shown):
    """The raters in the order of the data."""

    dimension: str
    raters: tuple[RaterProfile, ...]

    def of(self, rater: str) -> RaterProfile:
        """One rater's profile."""
        for profile in self.raters:
            if profile.rater == rater:
                return profile
        raise UnknownName("rater", rater, [p.rater for p in self.raters])

    def sentence(self) -> str:
        """Answer in words."""
        known = [p for p in self.raters if not np.isnan(p.severity)]
        if not known:
            return f"No rater of {self.dimension} shares an output with another, so severity cannot be said."
        hard, soft = max(known, key=lambda p: p.severity), min(known, key=lambda p: p.severity)
        return (
            f"On {self.dimension} the most severe rater, {hard.rater}, gives {hard.severity:.2f} less than the others "
            f"on the same outputs, and the most lenient, {soft.rater}, {-soft.severity:.2f} more{self._rest()}."
        )

    def _rest(self) -> str:
        known = [p for p in self.raters if not np.isnan(p.rest)]
        if not known:
            return ""
        low = min(known, key=lambda p: p.rest)
        return f"; {low.rater} agrees least with the rest (r {number(low.rest)})"


def severity(data: Judged | Ratings, dimension: str | None = None) -> Severity:
    """Return each rater's severity, spread, agreement with the rest and use of the scale.

    A rater who shares no output with another has none of these; a rater with constant ratings, or with fewer than three
    shared outputs, has no correlation: NaN, with one UndefinedWarning for all of them.

    >>> table = np.array([[1, 2, 3, 4], [2, 3, 4, 5], [1, 3, 3, 5.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 4, tuple("1234"), "meaning")
    >>> [(p.rater, p.severity, round(p.spread, 2), round(p.rest, 3), p.used) for p in severity(ratings).raters]
    [('ann', 0.75, 0.86, 0.984, 0.8), ('bob', -0.75, 0.86, 0.984, 0.8), ('cy', 0.0, 1.15, 0.949, 0.6)]
    """
    ratings = ratings_of(data, dimension)
    with quietly():
        rest = leave_one_out(ratings.values.T)
    gap, spread = _beside_others(ratings.values)
    used, means = _used(ratings), _row_means(ratings.values)
    rows = zip(ratings.raters, ratings.counts(), rest.items, means, gap, spread, rest.per_rater, used, strict=True)
    result = Severity(
        ratings.dimension,
        tuple(RaterProfile(name, int(n), int(m), *(float(v) for v in values)) for name, n, m, *values in rows),
    )
    _warn(result)
    return result


def _warn(result: Severity) -> None:
    alone = [p.rater for p in result.raters if np.isnan(p.severity)]
    flat = [p.rater for p in result.raters if np.isnan(p.rest) and p.rater not in alone]
    parts = []
    if alone:
        parts.append(f"{len(alone)} rater(s) who share no output with another ({', '.join(alone[:5])})")
    if flat:
        parts.append(
            f"correlation of {len(flat)} rater(s) with fewer than 3 shared outputs or constant ratings "
            f"({', '.join(flat[:5])})"
        )
    if parts:
        warn_undefined(f"severity on {result.dimension!r}: {'; '.join(parts)}")


def _row_means(values: Floats) -> Floats:
    there = ~np.isnan(values)
    means: Floats = np.where(there, values, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    return means


def _beside_others(values: Floats) -> tuple[Floats, Floats]:
    """Return severity, and the ratio of spreads, of each rater on the outputs that others judged too."""
    there = ~np.isnan(values)
    centre = values[there].mean()
    x = np.where(there, values - centre, 0.0)
    others = there.sum(axis=0) - there
    shared = there & (others > 0)
    weight = np.where(shared, 1.0 / np.maximum(others, 1), 0.0)
    mean_rest, square_rest = (x.sum(axis=0) - x) * weight, ((x * x).sum(axis=0) - x * x) * weight
    with np.errstate(invalid="ignore", divide="ignore"):
        n = shared.sum(axis=1)
        gap = np.where(shared, mean_rest - x, 0.0).sum(axis=1) / n
        own = _deviation((x * shared).sum(axis=1) / n, (x * x * shared).sum(axis=1) / n)
        rest = _deviation(mean_rest.sum(axis=1) / n, square_rest.sum(axis=1) / n)
        return gap, np.where(rest > 0, own / rest, np.nan)


def _deviation(mean: Floats, square: Floats) -> Floats:
    variance = square - mean * mean
    deviation: Floats = np.sqrt(np.where(variance > 1e-12 * np.maximum(square, 1e-300), variance, 0.0))
    return deviation


def _used(ratings: Ratings) -> Floats:
    scale = scale_of(ratings)
    rows = [row[~np.isnan(row)] for row in ratings.values]
    if scale is not None:
        return np.array([len(np.unique(row)) / len(scale) if row.size else np.nan for row in rows])
    whole = float(np.nanmax(ratings.values) - np.nanmin(ratings.values))
    return np.array([np.ptp(row) / whole if row.size and whole else np.nan for row in rows])
