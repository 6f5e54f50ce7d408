"""Describe the raters of a dimension one by one: severity, self-consistency and how many of them are needed."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.ratings import Ratings
from ..data.result import Result
from ._input import HasRatings, get_ratings, ignore_undefined
from .consistency import Consistency, consistency
from .sample_size import SampleSize, sample_size
from .severity import Severity, severity


@dataclass(frozen=True)
class RaterPanel(Result, question="raters", kind="panel"):
    """The raters of one dimension.

    `anonymous`: the raters look like positions in the file (rater1, rater2, ...), so nothing can be said about single
    raters. Then, and where texts are unknown, severity or consistency is None.
    """

    dimension: str
    raters: tuple[str, ...]
    anonymous: bool
    sample_size: SampleSize
    severity: Severity | None
    consistency: Consistency | None


def rater_panel(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    difference: float | None = None,
    measure: str = "interval",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RaterPanel:
    """Describe the raters of a dimension: options as for `consistency`, `difference` as for `sample_size`.

    What is undefined is NaN, without a warning: the panel is a summary, and its parts warn when they are asked for.
    """
    ratings = get_ratings(data, dimension)
    anonymous = ratings.are_positions
    with_texts = bool(ratings.texts) or not isinstance(data, Ratings)
    options = {"measure": measure, "resamples": resamples, "confidence": confidence, "seed": seed}
    with ignore_undefined():
        return RaterPanel(
            dimension=ratings.dimension,
            raters=ratings.raters,
            anonymous=anonymous,
            sample_size=sample_size(ratings, difference=difference),
            severity=None if anonymous else severity(ratings),
            consistency=consistency(data, ratings.dimension, **options) if with_texts and not anonymous else None,  # type: ignore[arg-type]
        )
