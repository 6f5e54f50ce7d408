"""Did the assumptions of a plan hold? The study as it came out next to the one that was planned."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import ClassVar

from ..data.ratings import Ratings
from ..data.result import Result
from ..raters.input import HasRatings, get_ratings
from ..stats.rating_contrasts import ContrastDesign, contrast_power, describe_design, detectable_difference
from ..stats.variance_components import VarianceComponents, without_nan
from .components import RatingComponents, estimate_components
from .plan_file import StudyPlanFile

TOLERANCE = 0.05  # loss of power that does not count


@dataclass(frozen=True)
class CheckedNumber:
    """One number of the design, planned and reached; `holds` where no less was reached."""

    kind: ClassVar[str] = "checked_number"
    name: str
    planned: float
    reached: float
    holds: bool


@dataclass(frozen=True)
class CheckedComponent:
    """One component, planned and reached, with the interval of the reached one; `holds` where it holds the planned."""

    kind: ClassVar[str] = "checked_component"
    name: str
    planned: float
    reached: float
    low: float
    high: float
    holds: bool


@dataclass(frozen=True)
class PlanCheck(Result, question="plan_check", kind="plan_check", shared=("dimension",)):
    """What a plan assumed and what the study found.

    `reached_power` is the power of the study as it came out, with its own components, to find the planned difference;
    `components_power` that of the planned design with them. `holds`: at most .05 of the power was lost.
    """

    dimension: str
    new_raters: bool
    difference: float
    planned_power: float
    components_power: float
    reached_power: float
    detectable: float
    holds: bool
    seed: int
    design: tuple[CheckedNumber, ...]
    components: tuple[CheckedComponent, ...]


def check_plan(
    data: HasRatings | Ratings, plan: StudyPlanFile, dimension: str | None = None, *, seed: int = 0
) -> PlanCheck:
    """Compare a judged set with the plan it was collected by, on the plan's dimension unless another is named."""
    ratings = get_ratings(data, dimension or plan.dimension)
    reached = estimate_components(ratings, seed=seed, allow_single=True)
    design = describe_design(*ratings.flatten()[1:])
    planned = ContrastDesign(plan.systems, plan.items, plan.raters, plan.per_output)
    parts = without_nan(reached.parts)
    power = _power(plan, parts, design)
    return PlanCheck(
        dimension=ratings.dimension,
        new_raters=plan.new_raters,
        difference=plan.difference,
        planned_power=plan.power,
        components_power=_power(plan, parts, planned),
        reached_power=power,
        detectable=detectable_difference(parts, design, alpha=plan.alpha, **_options(plan)),
        holds=power >= plan.power - TOLERANCE,
        seed=seed,
        design=_check_numbers(planned, design),
        components=_check_components(plan, reached),
    )


def _check_components(plan: StudyPlanFile, reached: RatingComponents) -> tuple[CheckedComponent, ...]:
    """Compare components; what the study cannot tell from the rest is planned as part of the rest."""
    planned = dict(plan.variances)
    unknown = {row.name for row in reached.components if isnan(row.variance)}
    for name, whole in (("item", "item_rater"), ("system_item", "rest"), ("item_rater", "rest")):
        if name in unknown:
            planned[whole] += planned[name]
            planned[name] = nan
    return tuple(
        CheckedComponent(row.name, p := planned[row.name], row.variance, row.low, row.high, row.low <= p <= row.high)
        for row in reached.components
    )


def _options(plan: StudyPlanFile) -> dict[str, bool]:
    return {"new_raters": plan.new_raters, "same_rater": plan.assignment != "latin-square"}


def _power(plan: StudyPlanFile, parts: VarianceComponents, design: ContrastDesign) -> float:
    return float(contrast_power(plan.difference, parts, design, alpha=plan.alpha, **_options(plan)))


def _check_numbers(planned: ContrastDesign, reached: ContrastDesign) -> tuple[CheckedNumber, ...]:
    rows = []
    for name in ("systems", "items", "raters", "per_output"):
        wanted, got = float(getattr(planned, name)), float(getattr(reached, name))
        rows.append(CheckedNumber(name, wanted, got, got >= wanted))
    return tuple(rows)
