"""Test all pairs of systems by the ratings of several raters: for other raters, or for these raters only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data.ratings import Ratings
from ..data.scores import Floats, Scores
from ..errors import InputError
from ..stats.rating_contrasts import (
    ContrastDesign,
    RatingContrasts,
    contrast_level,
    fewest_items,
    fewest_raters,
    rating_contrasts,
)
from ..stats.variance_components import VarianceComponents, clip_negative, without_nan

RATING_TESTS = {"new": "satterthwaite", "these": "these-raters"}
_ENOUGH = 5  # (systems - 1)(raters - 1) from which on the test for new raters keeps its level


@dataclass(frozen=True)
class RatingBasis:
    """What a comparison by ratings rests on, for the answer to how many more.

    `level`: how often the test for new raters finds a difference between equal systems, where there are so few raters
    that it is not alpha; NaN elsewhere.
    """

    components: VarianceComponents
    design: ContrastDesign
    new_raters: bool
    level: float

    def count_needed(self, difference: float, alpha: float) -> tuple[float, float]:
        """Return how many items find a difference with these many raters, and how many raters it takes if none do."""
        if difference == 0:
            return np.inf, np.nan
        options = {"alpha": alpha, "new_raters": self.new_raters}
        items = fewest_items(abs(difference), self.components, self.design, **options)
        if items is not None or not self.new_raters:
            return (np.inf if items is None else float(items)), np.nan
        raters = fewest_raters(abs(difference), self.components, self.design.systems, alpha=alpha)
        return np.inf, np.nan if raters is None else float(raters)


def explain_unusable(scores: Scores) -> str | None:
    """Return why the ratings behind scores cannot be tested for other raters; None if they can."""
    if scores.ratings is None:
        return "no-ratings"
    ratings = _select(scores)
    if len(ratings.raters) < 2:
        return "one-rater"
    if ratings.are_positions:
        return "positions"
    values, system, item, _ = ratings.flatten()
    if len(np.unique(system)) < 2 or len(np.unique(item)) < 2 or np.ptp(values) == 0:
        return "no-spread"
    return None


def choose_rating_test(scores: Scores, raters: str, *, demanded: bool) -> str | None:
    """Return the test for ratings by several raters, or None where items are to be tested instead."""
    if raters not in RATING_TESTS:
        raise InputError(f"raters must be one of {', '.join(RATING_TESTS)}, got {raters!r}")
    reason = explain_unusable(scores)
    if reason is None:
        return RATING_TESTS[raters]
    if demanded:
        raise InputError(f"the test for {raters} raters cannot be made by {scores.name}: {_REASONS[reason]}")
    return None


_REASONS = {
    "no-ratings": "the scores are not the means of ratings by several raters",
    "one-rater": "one rater judged; other raters cannot be spoken for",
    "positions": "the raters are positions on a line, not people; use a file that says who rated",
    "no-spread": "it takes two systems, two items and ratings that differ",
}


def test_ratings(scores: Scores, *, new_raters: bool, alpha: float) -> tuple[RatingContrasts, RatingBasis]:
    """Test all pairs of systems; entries of systems without ratings are NaN, and better is positive."""
    ratings = _select(scores)
    values, system, item, rater = ratings.flatten()
    result = rating_contrasts(
        values if scores.higher_is_better else -values, system, item, rater, new_raters=new_raters
    )
    place = {name: i for i, name in enumerate(sorted(set(ratings.systems)))}
    spread = partial(_spread, scores.systems, place)
    parts = without_nan(clip_negative(result.components))
    few = (result.design.systems - 1) * (result.design.raters - 1) < _ENOUGH
    level = contrast_level(parts, result.design, alpha=alpha) if new_raters and few else np.nan
    contrasts = RatingContrasts(
        spread(result.difference),
        spread(result.error),
        spread(result.df),
        spread(result.pvalue),
        new_raters,
        result.components,
        result.design,
    )
    return contrasts, RatingBasis(parts, result.design, new_raters, level)


test_ratings.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name says to pytest


def _select(scores: Scores) -> Ratings:
    if scores.ratings is None:
        raise InputError(f"{scores.name} has no ratings")
    return scores.ratings().select(scores.systems, scores.items)


def _spread(systems: tuple[str, ...], place: dict[str, int], matrix: Floats) -> Floats:
    """Return the matrix by all systems, NaN where one has no ratings."""
    whole = np.full((len(systems), len(systems)), np.nan)
    known = [k for k, name in enumerate(systems) if name in place]
    order = [place[systems[k]] for k in known]
    whole[np.ix_(known, known)] = matrix[np.ix_(order, order)]
    return whole
