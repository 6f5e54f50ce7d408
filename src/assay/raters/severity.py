"""Measure how severe each rater is, how much of the scale they use, and how far they agree with the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..errors import UnknownName, ignore_undefined
from ..stats import leave_one_out
from ..stats.checks import warn_undefined
from .input import HasRatings, get_ratings, scale_points


@dataclass(frozen=True)
class RaterProfile:
    """One rater next to the others, on the `shared` outputs that someone else judged too.

    `severity`: mean of (the others' mean - their rating); above 0 they rate lower than the others. `spread`: standard
    deviation of their ratings over that of the others'. `rest_correlation`: Pearson's r with the mean of the others
    (Clarke and Lapata 2006, section 6). `scale_used`: share of the scale's points they used, or of its range if it is
    not discrete.
    """

    kind: ClassVar[str] = "rater"
    rater: str
    n: int
    shared: int
    mean: float
    severity: float
    spread: float
    rest_correlation: float
    scale_used: float


@dataclass(frozen=True)
class Severity(Result, question="raters", kind="severity", shared=("dimension",)):
    """The profiles of the raters, in the order of the data."""

    dimension: str
    raters: tuple[RaterProfile, ...]

    def of(self, rater: str) -> RaterProfile:
        """Return the profile of one rater."""
        for profile in self.raters:
            if profile.rater == rater:
                return profile
        raise UnknownName("rater", rater, [p.rater for p in self.raters])


def severity(data: HasRatings | Ratings, dimension: str | None = None) -> Severity:
    """Measure each rater's severity, spread, correlation with the others and use of the scale.

    A rater who shares no output with another has none of these; a rater with constant ratings, or with fewer than three
    shared outputs, has no correlation: NaN, with one UndefinedWarning for all of them.

    >>> table = np.array([[1, 2, 3, 4], [2, 3, 4, 5], [1, 3, 3, 5.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 4, tuple("1234"), "meaning")
    >>> for p in severity(ratings).raters:
    ...     print(p.rater, p.severity, round(p.spread, 2), round(p.rest_correlation, 3), p.scale_used)
    ann 0.75 0.86 0.984 0.8
    bob -0.75 0.86 0.984 0.8
    cy 0.0 1.15 0.949 0.6
    """
    ratings = get_ratings(data, dimension)
    with ignore_undefined():
        rest = leave_one_out(ratings.values.T)
    gap, spread = _compare_with_others(ratings.orient_values())
    used, means = _scale_use(ratings), _row_means(ratings.values)
    rows = zip(ratings.raters, ratings.counts(), rest.items, means, gap, spread, rest.per_rater, used, strict=True)
    result = Severity(
        ratings.dimension,
        tuple(RaterProfile(name, int(n), int(m), *(float(v) for v in values)) for name, n, m, *values in rows),
    )
    _warn(result)
    return result


def _warn(result: Severity) -> None:
    alone = [p.rater for p in result.raters if np.isnan(p.severity)]
    flat = [p.rater for p in result.raters if np.isnan(p.rest_correlation) and p.rater not in alone]
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
    rated = ~np.isnan(values)
    means: Floats = np.where(rated, values, 0.0).sum(axis=1) / np.maximum(rated.sum(axis=1), 1)
    return means


def _compare_with_others(values: Floats) -> tuple[Floats, Floats]:
    """Return severity, and the ratio of spreads, of each rater on the outputs that others judged too."""
    rated = ~np.isnan(values)
    centre = values[rated].mean()
    x = np.where(rated, values - centre, 0.0)
    others = rated.sum(axis=0) - rated
    shared = rated & (others > 0)
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


def _scale_use(ratings: Ratings) -> Floats:
    scale = scale_points(ratings)
    rows = [row[~np.isnan(row)] for row in ratings.values]
    if scale is not None:
        return np.array([len(np.unique(row)) / len(scale) if row.size else np.nan for row in rows])
    whole = float(np.nanmax(ratings.values) - np.nanmin(ratings.values))
    return np.array([np.ptp(row) / whole if row.size and whole else np.nan for row in rows])
