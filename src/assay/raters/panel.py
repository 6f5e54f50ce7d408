"""Describe the raters of a dimension one by one: severity, self-consistency and how many of them are needed."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.ratings import Ratings
from ..data.result import Result
from ..errors import ignore_undefined
from .consistency import Consistency, consistency
from .input import HasRatings, get_ratings
from .sample_size import SampleSize, sample_size
from .severity import Severity, severity


@dataclass(frozen=True)
class RaterPanel(Result, question="raters", kind="panel"):
    """The raters of one dimension.

    `anonymous`: the raters look like positions in the file (rater1, rater2, ...), so nothing can be said about single
    raters. Then, and where texts are unknown, severity or consistency is None. Nominal ratings are not numbers and have
    consistency alone.
    """

    dimension: str
    raters: tuple[str, ...]
    anonymous: bool
    sample_size: SampleSize | None
    severity: Severity | None
    consistency: Consistency | None


def rater_panel(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    difference: float | None = None,
    measure: str = "interval",
    interval: bool = True,
    confidence: float = 0.95,
) -> RaterPanel:
    """Describe the raters of a dimension: options as for `consistency`, `difference` as for `sample_size`.

    What is undefined is NaN, without a warning: the panel is a summary, and its parts warn when they are asked for.
    """
    ratings = get_ratings(data, dimension)
    anonymous = ratings.are_positions
    nominal = measure == "nominal"
    with_texts = bool(ratings.texts) or not isinstance(data, Ratings)
    options = {"measure": measure, "interval": interval, "confidence": confidence}
    with ignore_undefined():
        return RaterPanel(
            dimension=ratings.dimension,
            raters=ratings.raters,
            anonymous=anonymous,
            sample_size=None if nominal else sample_size(ratings, difference=difference),
            severity=None if anonymous or nominal else severity(ratings),
            consistency=consistency(data, ratings.dimension, **options) if with_texts and not anonymous else None,  # type: ignore[arg-type]
        )
