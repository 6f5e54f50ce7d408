"""How many judgments to know a metric's correlation with people to a wanted interval, and how many duplicates.

The correlation with the mean of k ratings is that with what raters agree on times the square root of their reliability,
so that few ratings of many outputs and many ratings of few can be weighed against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, ceil, sqrt, tanh
from statistics import NormalDist
from typing import ClassVar

from ..data.result import Result
from ..errors import InputError
from ..stats.checks import fraction
from ..stats.variance_components import without_nan
from .components import RatingComponents

_RATINGS = (1, 2, 3, 5, 10)
_MAX_NUMBER = 10_000_000


@dataclass(frozen=True)
class ValidationDesign:
    """A number of ratings of each output: their reliability, the correlation to expect, outputs and judgments."""

    kind: ClassVar[str] = "validation_design"
    per_output: int
    reliability: float
    observed: float
    outputs: int
    judgments: int


@dataclass(frozen=True)
class ValidationPlan(Result, question="validation", kind="validation_plan", shared=("dimension",)):
    """Judgments needed to know a metric's correlation over outputs to within `width` on either side; cheapest first.

    `duplicates`: outputs judged twice by the same rater that tell a self-consistency (intraclass correlation) of
    `consistency` to within `width`.
    """

    dimension: str
    source: str
    correlation: float
    width: float
    confidence: float
    consistency: float
    duplicates: int
    designs: tuple[ValidationDesign, ...]


def plan_validation(
    components: RatingComponents,
    *,
    correlation: float,
    width: float = 0.1,
    confidence: float = 0.95,
    consistency: float = 0.8,
) -> ValidationPlan:
    """Plan how to validate a metric with a correlation with what raters agree on that is expected to be this large.

    Outputs are counted as independent; where many are of one item the interval is wider, and items should be many.
    """
    for value, name in ((correlation, "correlation"), (consistency, "consistency")):
        if not 0 <= value < 1:
            raise InputError(f"the expected {name} must be at least 0 and below 1; got {value:g}")
    fraction(width, "width")
    fraction(confidence, "confidence")
    parts = without_nan(components.parts)
    if not parts.output_reliability(1) > 0:
        raise InputError(f"ratings of {components.dimension} have no measurable reliability: no number is enough")
    designs = []
    for k in _RATINGS:
        reliability = parts.output_reliability(k)
        observed = correlation * sqrt(reliability)
        outputs = pairs_for_width(observed, width * sqrt(reliability), confidence=confidence)
        designs.append(ValidationDesign(k, reliability, observed, outputs, outputs * k))
    return ValidationPlan(
        dimension=components.dimension,
        source=components.source,
        correlation=correlation,
        width=width,
        confidence=confidence,
        consistency=consistency,
        duplicates=pairs_for_width(consistency, width, confidence=confidence, lost=1.5),
        designs=tuple(sorted(designs, key=lambda design: (design.judgments, design.per_output))),
    )


def pairs_for_width(correlation: float, width: float, *, confidence: float = 0.95, lost: float = 3.0) -> int:
    """Return how many pairs of numbers give a correlation an interval of this half-width (Fisher's z).

    The variance of z is 1 / (n - lost): 3 for Pearson's r, 1.5 for the intraclass correlation of pairs.

    >>> pairs_for_width(0.5, 0.1), pairs_for_width(0.9, 0.1)
    (219, 20)
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)

    def half_width(n: int) -> float:
        step = z / sqrt(n - lost)
        return (tanh(atanh(correlation) + step) - tanh(atanh(correlation) - step)) / 2

    low, high = ceil(lost), _MAX_NUMBER
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width(middle) <= width else (middle, high)
    return high
