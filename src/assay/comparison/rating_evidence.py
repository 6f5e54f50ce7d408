"""Test pairs of systems by the ratings of several raters, for other raters than these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..data.ratings import Codes, Ratings
from ..data.scores import Floats, Scores
from ..errors import InputError
from ..stats import Contrasts
from ..stats.adjusted_contrasts import adjust_contrasts
from ..stats.contrasts import list_pairs
from ..stats.rating_contrasts import (
    ContrastDesign,
    contrast_level,
    fewest_items,
    fewest_raters,
    rating_contrasts,
)
from ..stats.variance_components import VarianceComponents, clip_negative, without_nan
from ._matrices import spread_vector

if TYPE_CHECKING:
    from .evidence import Settings

RATERS = ("new", "these")
_ENOUGH = 5  # (systems - 1)(raters - 1) from which on the test for new raters keeps its level


@dataclass(frozen=True)
class RatingBasis:
    """What a comparison by ratings rests on, for the answer to how many more.

    `level`: how often the test for new raters finds a difference between equal systems, where there are so few raters
    that it is not alpha; NaN elsewhere.
    """

    components: VarianceComponents
    design: ContrastDesign
    level: float

    def half_width(self, confidence: float) -> float:
        """Return how far the mean of a system may lie from that of other items and raters.

        Its variance has the parts of items, of raters and of the rest, with Satterthwaite's degrees of freedom.
        """
        from scipy.special import stdtrit

        parts, design = self.components, self.design
        n, raters = max(design.items, 2.0), max(design.raters, 2.0)
        by_item = (parts.item + parts.system_item) / n
        by_rater = (parts.rater + parts.system_rater) / raters
        rest = (parts.item_rater + parts.rest) / (n * design.per_output)
        total = by_item + by_rater + rest
        if not total > 0:
            return 0.0
        spread = by_item**2 / (n - 1) + by_rater**2 / (raters - 1) + rest**2 / (n * design.per_output)
        return float(stdtrit(total**2 / spread, (1 + confidence) / 2)) * sqrt(total)

    def count_needed(self, difference: float, alpha: float) -> tuple[float, float]:
        """Return how many items find a difference with these many raters, and how many raters it takes if none do."""
        items = fewest_items(abs(difference), self.components, self.design, alpha=alpha)
        if items is not None:
            return float(items), np.nan
        raters = fewest_raters(abs(difference), self.components, self.design.systems, alpha=alpha)
        return np.inf, np.nan if raters is None else float(raters)


def explain_unusable(scores: Scores) -> str | None:
    """Return why the ratings behind scores cannot be tested for other raters; None if they can."""
    if scores.ratings is None:
        return "no-ratings"
    ratings = _select(scores)
    if ratings.are_positions:
        return "positions"
    if len(ratings.raters) < 3:
        return "one-rater" if len(ratings.raters) < 2 else "two-raters"
    values, system, item, _ = ratings.flatten()
    if len(np.unique(system)) < 2 or len(np.unique(item)) < 2 or np.ptp(values) == 0:
        return "no-spread"
    return None


def choose_rating_test(scores: Scores, raters: str, *, demanded: bool) -> str | None:
    """Return the test for new raters, or None where the means over raters are to be compared instead."""
    if raters not in RATERS:
        raise InputError(f"raters must be one of {', '.join(RATERS)}, got {raters!r}")
    if raters == "these" and not demanded:
        return None
    reason = explain_unusable(scores)
    if reason is None:
        return "satterthwaite"
    if demanded:
        raise InputError(f"the test for new raters cannot be made by {scores.name}: {_REASONS[reason]}")
    return None


_REASONS = {
    "no-ratings": "the scores are not the means of ratings by several raters",
    "one-rater": "one rater judged; other raters cannot be spoken for",
    "two-raters": "two raters judged; it takes three to speak for others",
    "positions": "the raters are positions on a line, not people; use a file that says who rated",
    "no-spread": "it takes two systems, two items and ratings that differ",
}


def test_ratings(scores: Scores, settings: Settings) -> tuple[Contrasts, RatingBasis, Floats]:
    """Compare systems with ratings, better is positive; return their means as well, NaN for systems without ratings.

    Items that were drawn in clusters count as one: the ratings of a cluster by one rater are averaged.
    """
    ratings = _select(scores)
    if scores.clusters is not None:
        values, system, item, rater = _average_clusters(ratings, dict(zip(scores.items, scores.clusters, strict=True)))
    else:
        values, system, item, rater = ratings.flatten()
    direction = 1.0 if scores.higher_is_better else -1.0
    result = rating_contrasts(direction * values, system, item, rater)
    names = sorted(set(ratings.systems))
    order = [names.index(name) for name in scores.systems if name in names]
    known = np.array([k for k, name in enumerate(scores.systems) if name in names])
    baseline = None if settings.baseline is None else int(np.searchsorted(known, settings.baseline))
    square = np.ix_(order, order)
    contrasts = adjust_contrasts(
        result.means[order],
        result.covariance[square],
        result.error[square],
        result.df[square],
        list_pairs(len(order), baseline),
        method="satterthwaite",
        clusters=len(np.unique(item)),
        confidence=1 - settings.alpha,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    parts = without_nan(clip_negative(result.components))
    few = (result.design.systems - 1) * (result.design.raters - 1) < _ENOUGH
    level = contrast_level(parts, result.design, alpha=settings.alpha) if few else np.nan
    means = spread_vector(direction * result.means[order], known, len(scores.systems))
    return contrasts, RatingBasis(parts, result.design, level), means


test_ratings.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name says to pytest


def _average_clusters(ratings: Ratings, clusters: dict[str, str]) -> tuple[Floats, Codes, Codes, Codes]:
    """Return the mean rating of each system, cluster and rater, with their numbers."""
    whole = replace(ratings, items=tuple(clusters[item] for item in ratings.items), texts=(), clusters=())
    values, *codes = whole.flatten()
    cells, place = np.unique(np.stack(codes), axis=1, return_inverse=True)
    place = place.ravel()
    system, cluster, rater = cells
    return np.asarray(np.bincount(place, values) / np.bincount(place)), system, cluster, rater


def _select(scores: Scores) -> Ratings:
    if scores.ratings is None:
        raise InputError(f"{scores.name} has no ratings")
    return scores.ratings().select(scores.systems, scores.items)
