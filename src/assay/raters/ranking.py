"""Rank the raters from best to worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Result
from ..errors import ignore_undefined
from ..stats.checks import choice, warn_undefined
from .consistency import consistency
from .input import HasRatings, get_ratings, refuse_positions
from .severity import severity

BY = ("consistency", "rest", "severity", "mean")


@dataclass(frozen=True)
class RankedRater:
    """A rater and the number they are ranked by."""

    kind: ClassVar[str] = "rater_rank"
    rater: str
    value: float


@dataclass(frozen=True)
class RaterRanking(Result, question="raters", kind="rater_ranking", shared=("dimension", "by")):
    """Raters best first, with the number each is ranked by; `unranked` are those who have none."""

    dimension: str
    by: str
    ranking: tuple[RankedRater, ...]
    unranked: tuple[str, ...]

    @property
    def raters(self) -> tuple[str, ...]:
        """The ranked raters, best first."""
        return tuple(r.rater for r in self.ranking)

    def worst(self, count: int) -> tuple[str, ...]:
        """Return the last `count` raters, worst first."""
        return self.raters[::-1][:count]


def rank_raters(data: HasRatings | Ratings, dimension: str | None = None, *, by: str = "rest") -> RaterRanking:
    """Rank the raters, best first.

    `by` is `consistency` (alpha on texts judged twice: Owczarzak et al. 2012), `rest` (correlation with the mean of the
    others), `severity` (distance from the others on the same outputs, in either direction) or `mean` (the mean rating
    given). Toutanova et al. (2016), 3.1, drop the bottom 10% of raters by "mean quality": `mean` follows their wording,
    but it also puts severe raters last, and those who happened to judge bad outputs. A rater without a number is
    unranked, with an UndefinedWarning. Ties keep the order of the data. Raters that are positions on a line (as in
    MSR's file) are an error.

    >>> table = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [4, 1, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 4, tuple("1234"), "meaning")
    >>> rank_raters(ratings).raters
    ('ann', 'bob', 'cy')
    """
    choice(by, "by", BY)
    ratings = get_ratings(data, dimension)
    refuse_positions(ratings)
    with ignore_undefined():
        values = _values(data, ratings, by)
    known = {r: v for r in ratings.raters if not np.isnan(v := values.get(r, float("nan")))}
    lower = by == "severity" or (by == "mean" and not ratings.higher_is_better)
    sign = 1 if lower else -1
    order = sorted(known, key=lambda r: sign * known[r])
    unranked = tuple(r for r in ratings.raters if r not in known)
    if unranked:
        warn_undefined(
            f"{by} of {len(unranked)} of {len(ratings.raters)} raters of {ratings.dimension!r}, who are unranked"
        )
    return RaterRanking(ratings.dimension, by, tuple(RankedRater(r, known[r]) for r in order), unranked)


def _values(data: HasRatings | Ratings, ratings: Ratings, by: str) -> Mapping[str, float]:
    if by == "consistency":
        return {r.rater: r.alpha.value for r in consistency(data, ratings.dimension, interval=False).raters}
    profiles = severity(ratings).raters
    if by == "severity":
        return {p.rater: abs(p.severity) for p in profiles}
    return {p.rater: p.rest_correlation if by == "rest" else p.mean for p in profiles}
