"""Compute how many ratings of each output, items and raters a study needs, from what makes its ratings differ."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Result
from ..errors import InputError
from ..stats.checks import fraction, warn_undefined
from ..stats.rating_contrasts import (
    ContrastDesign,
    describe_design,
    detectable_difference,
    fewest_items,
    fewest_raters,
)
from ..stats.variance_components import NAMES, VarianceComponents, clip_negative, variance_components, without_nan
from .input import HasRatings, get_ratings


@dataclass(frozen=True)
class SampleSize(Result, question="raters", kind="sample_size"):
    """What the study has, and what it would need.

    `one_rater_reliability` is that of one rating of an output: the share of its variance that belongs to the output;
    `raters_needed` per output reach the `target` (None if no number does). `detectable` is the difference between two
    systems that is found with the given power for new raters (NaN where they cannot be tested), `detectable_these` for
    these raters only. To find the `difference` asked for takes `items_needed` with the raters there are, or, where no
    number of items is enough, `all_raters_needed`; both are for new raters where these can be tested.
    """

    dimension: str
    one_rater_reliability: float
    raters_per_output: float
    target: float
    raters_needed: int | None
    systems: int
    items: int
    raters: int
    largest: float  # difference that the ratings given allow
    detectable: float
    detectable_these: float
    difference: float | None
    items_needed: int | None
    all_raters_needed: int | None
    alpha: float
    power: float
    components: VarianceComponents

    def reliability(self, ratings: float) -> float:
        """Return the reliability of the mean of n ratings of an output."""
        return self.components.output_reliability(ratings)

    @property
    def more_items(self) -> int | None:
        """How many more items than there are find the difference; None where no number does."""
        return None if self.items_needed is None else max(0, self.items_needed - self.items)


def rating_components(ratings: Ratings) -> VarianceComponents:
    """Return the components of ratings, 0 where they are negative or cannot be told.

    Raters who are positions on a line, or of whom there is one, are not told apart: what they differ in is in the rest.
    """
    values, system, item, rater = ratings.flatten()
    if len(values) < 2:  # nothing differs yet, as at the start of a study
        return VarianceComponents.of([0.0] * len(NAMES), sizes=[len(values)] * 4)
    known = len(ratings.raters) > 1 and not ratings.are_positions
    return without_nan(clip_negative(variance_components(values, system, item, rater if known else None)))


def sample_size(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    target: float = 0.8,
    alpha: float = 0.05,
    power: float = 0.8,
    difference: float | None = None,
) -> SampleSize:
    """Compute the ratings, items and raters needed, from the components of the ratings.

    `difference` is one between two systems that should be found. No output rated twice: reliability NaN; one system or
    item: differences NaN; an UndefinedWarning says which.

    >>> table = np.array([[1, 2, 3, 3, 2, 1], [1, 2, 3, 2, 2, 1.0]])
    >>> ratings = Ratings(table, ("ann", "bob"), ("A", "A", "A", "B", "B", "B"), ("1", "2", "3") * 2, "meaning")
    >>> result = sample_size(ratings)
    >>> result.raters_needed, round(result.reliability(1), 2), round(result.detectable_these, 1)
    (1, 0.95, 5.7)
    """
    ratings = get_ratings(data, dimension)
    fraction(alpha, "alpha")
    fraction(power, "power")
    if difference is not None and not difference > 0:
        raise InputError(f"difference must be above 0, got {difference!r}")
    parts, counts = rating_components(ratings), (~np.isnan(ratings.values)).sum(axis=0)
    design = describe_design(*ratings.flatten()[1:])
    named = len(ratings.raters) > 1 and not ratings.are_positions
    comparable = design.systems > 1 and parts.items > 1
    options: dict[str, Any] = {"power": power, "alpha": alpha}
    one = parts.output_reliability(1) if (counts > 1).any() else nan
    items, raters = _find(difference, parts, design, named, options) if difference and comparable else (None, None)
    result = SampleSize(
        dimension=ratings.dimension,
        one_rater_reliability=one,
        raters_per_output=float(counts.sum() / (counts > 0).sum()),
        target=target,
        raters_needed=parts.ratings_for_output(target) if one == one else None,
        systems=design.systems,
        items=round(design.items),
        raters=len(ratings.raters),
        largest=float(np.nanmax(ratings.values) - np.nanmin(ratings.values)),
        detectable=detectable_difference(parts, design, **options) if comparable and named else nan,
        detectable_these=detectable_difference(parts, design, **options, new_raters=False) if comparable else nan,
        difference=difference,
        items_needed=items,
        all_raters_needed=raters,
        alpha=alpha,
        power=power,
        components=parts,
    )
    _warn(result)
    return result


def _find(
    difference: float, parts: VarianceComponents, design: ContrastDesign, named: bool, options: dict[str, Any]
) -> tuple[int | None, int | None]:
    """Return the items that find a difference with these many raters, or else the raters that it takes."""
    items = fewest_items(difference, parts, design, new_raters=named, **options)
    if items is not None or not named:
        return items, None
    return None, fewest_raters(difference, parts, design.systems, **options)


def _warn(result: SampleSize) -> None:
    reasons = {
        "reliability (no output was rated twice, or all ratings are equal)": np.isnan(result.one_rater_reliability),
        "differences (it takes two systems and two items)": result.systems < 2 or result.components.items < 2,
    }
    missing = [why for why, holds in reasons.items() if holds]
    if missing:
        warn_undefined(f"{result.dimension!r}: {'; '.join(missing)}")
