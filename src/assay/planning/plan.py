"""How many items, raters and ratings: designs that find a difference, or the difference that a budget finds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..data.result import Result
from ..errors import InputError
from ..stats.rating_contrasts import (
    ContrastDesign,
    contrast_level,
    contrast_power,
    contrast_variance,
    detectable_difference,
    fewest_items,
    fewest_raters,
)
from ..stats.variance_components import VarianceComponents, without_nan
from .components import RatingComponents

_RATERS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)
_PER_OUTPUT = (1, 2, 3, 5)
_SURFACE_RATINGS = (1, 2, 3, 4, 5, 6, 8, 10)
_CURVE_ITEMS = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000)
_CURVE_RATERS = (2, 3, 5, 10, 20)
_TOO_FEW = 5  # (systems - 1)(raters - 1) below which the test for new raters rejects a true null too often
_DOMINANT = 2 / 3  # share of the variance from which one source binds


@dataclass(frozen=True)
class PlannedDesign:
    """One design: items, raters in all, ratings of each output, and what it finds.

    `power` and `detectable` are for new raters where `new_raters`, else for the raters of the study itself. `binds` is
    what limits it: items, raters, or both. `level`: how often the test finds a difference that is not there, where
    raters are so few that it is not alpha; NaN elsewhere.
    """

    kind: ClassVar[str] = "design"
    new_raters: bool
    items: int
    raters: int
    per_output: int
    judgments: int
    power: float
    detectable: float
    binds: str
    items_low: float
    items_high: float
    level: float
    cost: float | None
    hours: float | None


@dataclass(frozen=True)
class PowerPoint:
    """The power with a number of items and raters, every rater judging every output."""

    kind: ClassVar[str] = "power_point"
    raters: int
    items: int
    power: float


@dataclass(frozen=True)
class BudgetPoint:
    """The smallest difference that a budget finds for a number of new raters and ratings of each output."""

    kind: ClassVar[str] = "budget_point"
    raters: int
    per_output: int
    items: int
    detectable: float


@dataclass(frozen=True)
class PowerPlan(Result, question="planning", kind="power_plan", shared=("dimension",)):
    """Designs that reach what was asked, cheapest first; with a budget, by the smallest difference that they find."""

    dimension: str
    source: str
    systems: int
    difference: float | None
    power: float
    alpha: float
    budget: int | None
    assignment: str
    price: float | None
    seconds: float | None
    fewest_raters: int | None
    detectable_low: float  # interval of the difference that the first design finds with the budget; NaN without one
    detectable_high: float
    designs: tuple[PlannedDesign, ...]
    curve: tuple[PowerPoint, ...]
    surface: tuple[BudgetPoint, ...]
    components: RatingComponents


def plan_study(
    components: RatingComponents,
    *,
    difference: float | None = None,
    budget: int | None = None,
    power: float = 0.8,
    systems: int = 2,
    alpha: float = 0.05,
    assignment: str = "complete",
    price: float | None = None,
    seconds: float | None = None,
    raters: Sequence[int] = _RATERS,
) -> PowerPlan:
    """Find designs with this power to find a difference between two systems, or what a number of judgments finds.

    The test is that of `compare` on judgments: differences of means, with Satterthwaite's degrees of freedom, for
    raters drawn anew; designs for the raters of the study itself stand next to it. With one rater, new raters cannot be
    tested. `assignment` is complete (a rater judges all outputs of an item they see) or latin-square (one of them).
    """
    _check(components, difference, budget, power, systems, assignment)
    request = _Request(components, difference, power, systems, alpha, assignment != "latin-square", price, seconds)
    designs = request.within(budget, raters) if budget is not None else request.reaching(raters)
    low, high = request.detectable_interval(designs[0]) if budget is not None and designs else (math.nan, math.nan)
    drawn_difference = difference if difference is not None else (designs[0].detectable if designs else math.nan)
    return PowerPlan(
        dimension=components.dimension,
        source=components.source,
        systems=systems,
        difference=difference,
        power=power,
        alpha=alpha,
        budget=budget,
        assignment=assignment,
        price=price,
        seconds=seconds,
        fewest_raters=None if difference is None else request.fewest_raters(),
        detectable_low=low,
        detectable_high=high,
        designs=tuple(designs),
        curve=tuple(request.curve(drawn_difference)),
        surface=() if budget is None else tuple(request.surface(budget, raters)),
        components=components,
    )


def _check(
    components: RatingComponents, difference: float | None, budget: int | None, power: float, systems: int, design: str
) -> None:
    if (difference is None) == (budget is None):
        raise InputError("give either the difference to find (--difference) or the number of judgments (--budget)")
    if difference is not None and not 0 < difference < math.inf:
        raise InputError(f"the difference must be above 0; got {difference:g}")
    if difference is not None and difference > components.highest - components.lowest:
        ends = f"{components.lowest:g} to {components.highest:g}"
        raise InputError(f"a difference of {difference:g} is larger than the scale of {components.dimension} ({ends})")
    if not 0 < power < 1:
        raise InputError(f"power must be between 0 and 1, and is never 1; got {power:g}")
    if systems < 2:
        raise InputError(f"a comparison needs at least two systems; got {systems}")
    if budget is not None and budget < 4 * systems:
        raise InputError(f"{budget} judgments are too few to compare {systems} systems")
    if design not in ("complete", "latin-square"):
        raise InputError(f"assignment is complete or latin-square; got {design!r}")


@dataclass(frozen=True)
class _Request:
    components: RatingComponents
    difference: float | None
    power: float
    systems: int
    alpha: float
    same_rater: bool
    price: float | None
    seconds: float | None

    @property
    def parts(self) -> VarianceComponents:
        return without_nan(self.components.parts)

    @property
    def options(self) -> dict[str, Any]:
        """What the power of a design is computed with."""
        return {"alpha": self.alpha, "power": self.power, "same_rater": self.same_rater}

    def reaching(self, raters: Sequence[int]) -> list[PlannedDesign]:
        """Return the cheapest design for each number of raters; for the study's own raters, one for each rating."""
        designs = []
        for count in raters:
            options = [self.with_items(count, k, True) for k in self.list_ratings(count)]
            reached = [design for design in options if design is not None]
            if reached:
                designs.append(min(reached, key=lambda design: (design.judgments, design.per_output)))
        designs += [d for k in _PER_OUTPUT if (d := self.with_items(k, k, False)) is not None]
        return sorted(designs, key=lambda design: (not design.new_raters, design.judgments))

    def list_ratings(self, raters: int) -> list[int]:
        """Return how many ratings of each output raters may give; a Latin square spreads them over systems."""
        if not self.same_rater:
            return [] if raters % self.systems else [raters // self.systems]
        return sorted({k for k in (*_PER_OUTPUT, raters) if k <= raters})

    def with_items(self, raters: int, per_output: int, new_raters: bool) -> PlannedDesign | None:
        """Return the design with the fewest items that reach the power; None if none do."""
        items = self.fewest_items(self.parts, raters, per_output, new_raters)
        return None if items is None else self.describe(items, raters, per_output, new_raters)

    def fewest_items(self, parts: VarianceComponents, raters: int, per_output: int, new_raters: bool) -> int | None:
        design = ContrastDesign(self.systems, 0, raters, per_output)
        return fewest_items(self.difference or 0.0, parts, design, new_raters=new_raters, **self.options)

    def power_of(self, parts: VarianceComponents, items: int, raters: int, per_output: int, new_raters: bool) -> float:
        design = ContrastDesign(self.systems, items, raters, per_output)
        options = {"alpha": self.alpha, "new_raters": new_raters, "same_rater": self.same_rater}
        power = float(contrast_power(self.difference or 0.0, parts, design, **options))  # type: ignore[arg-type]
        return 0.0 if math.isnan(power) else power

    def within(self, budget: int, raters: Sequence[int]) -> list[PlannedDesign]:
        """Return what each number of raters finds with a number of judgments."""
        designs = []
        for new_raters in (True, False):
            for count in raters if new_raters else _PER_OUTPUT:
                options = []
                for k in self.list_ratings(count) if new_raters else {count}:
                    items = budget // (self.systems * k)
                    if items >= 2 and count <= items * k * (1 if self.same_rater else self.systems):
                        options.append(self.describe(items, count, k, new_raters))
                testable = [design for design in options if not math.isnan(design.detectable)]
                if testable:
                    designs.append(min(testable, key=lambda design: design.detectable))
        return sorted(designs, key=lambda design: (not design.new_raters, design.detectable))

    def describe(self, items: int, raters: int, per_output: int, new_raters: bool) -> PlannedDesign:
        judgments = self.systems * items * per_output
        design = ContrastDesign(self.systems, items, raters, per_output)
        options: dict[str, Any] = {"new_raters": new_raters, "same_rater": self.same_rater}
        low, high = self.interval(raters, per_output, new_raters)
        return PlannedDesign(
            new_raters=new_raters,
            items=items,
            raters=raters,
            per_output=per_output,
            judgments=judgments,
            power=self.power_of(self.parts, items, raters, per_output, new_raters) if self.difference else self.power,
            detectable=detectable_difference(self.parts, design, power=self.power, alpha=self.alpha, **options),
            binds=self.binding(design, new_raters),
            items_low=low,
            items_high=high,
            level=self.level_of(design) if new_raters else math.nan,
            cost=None if self.price is None else judgments * self.price,
            hours=None if self.seconds is None else judgments * self.seconds / 3600,
        )

    def level_of(self, design: ContrastDesign) -> float:
        """Return the level of the test where raters are too few for it to be alpha, else NaN."""
        few = (design.systems - 1) * (design.raters - 1) < _TOO_FEW
        return contrast_level(self.parts, design, alpha=self.alpha) if few else math.nan

    def interval(self, raters: int, per_output: int, new_raters: bool) -> tuple[float, float]:
        """Return between how many items the answer lies, over draws of the pilot; infinite if no number is enough."""
        draws = self.components.draws()
        if not draws or self.difference is None:
            return math.nan, math.nan
        items = [self.fewest_items(parts, raters, per_output, new_raters) for parts in draws]
        counts = np.array([math.inf if n is None else n for n in items])
        low, high = np.quantile(counts, [0.025, 0.975], method="nearest")
        return float(low), float(high)

    def detectable_interval(self, planned: PlannedDesign) -> tuple[float, float]:
        """Return between what the smallest difference of a design lies, over draws of the pilot."""
        draws = self.components.draws()
        if not draws:
            return math.nan, math.nan
        design = ContrastDesign(self.systems, planned.items, planned.raters, planned.per_output)
        options: dict[str, Any] = {**self.options, "new_raters": planned.new_raters}
        smallest = [detectable_difference(parts, design, **options) for parts in draws]
        low, high = np.nanquantile(smallest, (0.025, 0.975))
        return float(low), float(high)

    def binding(self, design: ContrastDesign, new_raters: bool) -> str:
        """Return what the variance of a difference comes from: items, raters, or both."""
        if not new_raters:
            return "items"
        variance, _ = contrast_variance(self.parts, design, same_rater=self.same_rater)
        share = 2 * self.parts.system_rater / design.raters / variance if variance else 0.0
        return "raters" if share >= _DOMINANT else "items" if share <= 1 - _DOMINANT else "both"

    def fewest_raters(self) -> int | None:
        """Return the fewest raters with whom some number of items is enough for new raters."""
        return fewest_raters(self.difference or 0.0, self.parts, self.systems, **self.options)

    def surface(self, budget: int, raters: Sequence[int]) -> Iterable[BudgetPoint]:
        """Return what each way to spend the budget finds for new raters."""
        options: dict[str, Any] = {"power": self.power, "alpha": self.alpha, "same_rater": self.same_rater}
        for count in raters:
            grid = [k for k in _SURFACE_RATINGS if k <= count] if self.same_rater else self.list_ratings(count)
            for k in grid:
                items = budget // (self.systems * k)
                if items >= 2 and count <= items * k * (1 if self.same_rater else self.systems):
                    design = ContrastDesign(self.systems, items, count, k)
                    smallest = detectable_difference(self.parts, design, **options)
                    if not math.isnan(smallest):
                        yield BudgetPoint(count, k, items, smallest)

    def curve(self, difference: float) -> Iterable[PowerPoint]:
        request = replace(self, difference=difference)
        if math.isnan(difference):
            return
        for raters in _CURVE_RATERS:
            for items in _CURVE_ITEMS:
                yield PowerPoint(raters, items, request.power_of(self.parts, items, raters, raters, True))
