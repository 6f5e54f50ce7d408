"""A plan as a file: the design that was chosen and what it assumes, for the study and for the check after it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..errors import FormatError, InputError
from ..stats.variance_components import NAMES, VarianceComponents
from .plan import PlannedDesign, PowerPlan

FORMAT = 1


class StudyPlanFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One design with the components and the difference it was planned for.

    `per_output` ratings of each output by `raters` in all; who judges an item judges all its outputs, but for a Latin
    square, in which no one judges two. `variances` are the components by name; NaN is not written: unknown is 0.
    """

    dimension: str
    source: str
    systems: int
    items: int
    raters: int
    per_output: int
    assignment: str
    new_raters: bool
    difference: float
    power: float
    alpha: float
    variances: Mapping[str, float]
    format: int = FORMAT

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise InputError(f"a plan of format {self.format} is not known; this version reads format {FORMAT}")
        if min(self.systems, self.items) < 2 or not 1 <= self.per_output <= self.raters:
            raise InputError("a plan needs two systems, two items, and at least as many raters as ratings of an output")
        if not (self.difference > 0 and 0 < self.power <= 1 and 0 < self.alpha < 1):
            raise InputError("a plan needs a difference above 0, and a power and a level between 0 and 1")
        if set(self.variances) != set(NAMES) or min(self.variances.values()) < 0:
            raise InputError(f"a plan needs the variances of {', '.join(NAMES)}, none below 0")

    @property
    def components(self) -> VarianceComponents:
        """The components that were assumed."""
        return VarianceComponents.of([self.variances[name] for name in NAMES])


def choose_design(plan: PowerPlan, *, new_raters: bool = True, raters: int | None = None) -> PlannedDesign:
    """Return the first design of the plan, or the first with this number of raters."""
    designs = [design for design in plan.designs if design.new_raters == new_raters]
    matching = [design for design in designs if raters in (None, design.raters)]
    if matching:
        return matching[0]
    who = "new raters" if new_raters else "these raters"
    if designs:
        counts = ", ".join(str(count) for count in sorted({design.raters for design in designs}))
        raise InputError(f"no design for {who} has {raters} raters; those found have {counts}")
    raise InputError(f"no design reaches what was asked for {who}, so there is no plan to write")


def make_plan_file(plan: PowerPlan, design: PlannedDesign) -> StudyPlanFile:
    """Return what a file keeps of a design of the plan; with a budget, the difference is the smallest found."""
    parts = plan.components.parts
    known = {name: value if (value := getattr(parts, name)) == value else 0.0 for name in NAMES}
    return StudyPlanFile(
        dimension=plan.dimension,
        source=plan.source,
        systems=plan.systems,
        items=design.items,
        raters=design.raters,
        per_output=design.per_output,
        assignment=plan.assignment,
        new_raters=design.new_raters,
        difference=plan.difference if plan.difference is not None else design.detectable,
        power=design.power,
        alpha=plan.alpha,
        variances=known,
    )


def encode_plan(plan: StudyPlanFile) -> bytes:
    """Return the plan as JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"


def decode_plan(text: str, path: object) -> StudyPlanFile:
    """Read the text of a plan that `assay plan --out` wrote to this path."""
    try:
        return msgspec.json.decode(text, type=StudyPlanFile)
    except (msgspec.DecodeError, InputError) as error:
        raise FormatError(f"is not a plan that assay plan --out wrote: {error}", path=path) from error
