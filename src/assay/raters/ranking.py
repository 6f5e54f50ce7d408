"""The raters from best to worst, by what one chooses to call good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Shown
from ..stats.checks import choice, warn_undefined
from ._input import Judged, number, quietly, ratings_of
from .consistency import consistency
from .severity import severity

BY = ("consistency", "rest", "severity", "mean")
_MEANS = {
    "consistency": "alpha on texts judged twice",
    "rest": "correlation with the mean of the others",
    "severity": "distance from the others' mean",
    "mean": "mean rating given",
}


@dataclass(frozen=True)
class Ranking(Shown):
    """Raters best first, with the number each is ranked by; `unranked` are those who have none."""

    dimension: str
    by: str
    raters: tuple[str, ...]
    values: tuple[float, ...]
    unranked: tuple[str, ...]

    def worst(self, count: int) -> tuple[str, ...]:
        """The last `count` raters, worst first."""
        return self.raters[::-1][:count]

    def sentence(self) -> str:
        """Answer in words."""
        if not self.raters:
            return f"The raters of {self.dimension} cannot be ranked by {_MEANS[self.by]}."
        return (
            f"By {_MEANS[self.by]} on {self.dimension}, {self.raters[0]} is best ({number(self.values[0])}) "
            f"and {self.raters[-1]} worst ({number(self.values[-1])}) of {len(self.raters)} raters."
        )


def rank_raters(data: Judged | Ratings, dimension: str | None = None, *, by: str = "rest") -> Ranking:
    """Rank the raters by `consistency` (alpha on texts judged twice: Owczarzak et al. 2012), `rest` (correlation with
    the mean of the others), `severity` (distance from the others on the same outputs, either way) or `mean` (the mean
    rating given).

    `mean` is the letter of Toutanova et al. (2016), 3.1, who drop the bottom 10% of raters by "mean quality"; it calls
    a severe rater bad, and one who was handed bad outputs too. A rater without a number is unranked, with an
    UndefinedWarning. Ties keep the order of the data.

    >>> table = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [4, 1, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 4, tuple("1234"), "meaning")
    >>> rank_raters(ratings).raters
    ('ann', 'bob', 'cy')
    """
    choice(by, "by", BY)
    ratings = ratings_of(data, dimension)
    with quietly():
        values = _values(data, ratings, by)
    known = {r: v for r in ratings.raters if not np.isnan(v := values.get(r, float("nan")))}
    sign = 1 if by == "severity" else -1
    order = sorted(known, key=lambda r: sign * known[r])
    unranked = tuple(r for r in ratings.raters if r not in known)
    if unranked:
        warn_undefined(
            f"{by} of {len(unranked)} of {len(ratings.raters)} raters of {ratings.dimension!r}, who are unranked"
        )
    return Ranking(ratings.dimension, by, tuple(order), tuple(known[r] for r in order), unranked)


def _values(data: Judged | Ratings, ratings: Ratings, by: str) -> Mapping[str, float]:
    if by == "consistency":
        return {r.rater: r.alpha.value for r in consistency(data, ratings.dimension, resamples=0).raters}
    profiles = severity(ratings).raters
    if by == "severity":
        return {p.rater: abs(p.severity) for p in profiles}
    return {p.rater: p.rest if by == "rest" else p.mean for p in profiles}
