"""Show whether the assumptions of a plan held."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_decimals, format_number, format_range, join_names
from .planning import COMPONENT_NAMES

if TYPE_CHECKING:
    from ..planning.check import CheckedComponent, PlanCheck

_NUMBERS = {"systems": "systems", "items": "items", "raters": "raters", "per_output": "ratings per output"}


def view_plan_check(result: PlanCheck) -> View:
    """Show the power that was planned and reached, then the design and the components side by side."""
    numbers, parts = result.design, result.components
    design = [
        text_column("design", [_NUMBERS[row.name] for row in numbers]),
        Column("planned", [f"{row.planned:g}" for row in numbers]),
        Column("reached", [f"{row.reached:.4g}" for row in numbers]),
        text_column("", ["" if row.holds else "fewer" for row in numbers]),
    ]
    components = [
        text_column("component", [COMPONENT_NAMES[row.name] for row in parts]),
        Column("planned", [format_decimals(row.planned) for row in parts]),
        Column("reached", [format_decimals(row.reached) for row in parts]),
        Column("95% CI", [format_range(row.low, row.high) for row in parts]),
        text_column("", [_mark(row) for row in parts]),
    ]
    who = "new raters" if result.new_raters else "these raters only"
    notes = [
        f"Power to find a difference of {format_number(result.difference)}, for {who}. Intervals: the study drawn anew "
        f"with other items and raters, seed {result.seed}. A component is marked where its interval does not hold what "
        "was planned; systems, items and raters by themselves do not change the power where every rater judges all "
        "systems of an item.",
    ]
    return View(_describe_check(result), [Table(design), Table(components, title="Components")], notes=notes)


def _mark(row: CheckedComponent) -> str:
    if row.holds or isnan(row.low):
        return ""
    return "larger" if row.reached > row.planned else "smaller"


def _format_change(row: CheckedComponent) -> str:
    return f"{format_decimals(row.reached)}, planned {format_decimals(row.planned)}"


def _describe_check(result: PlanCheck) -> list[str]:
    power = f"{format_decimals(result.reached_power, 2)} (planned {format_decimals(result.planned_power, 2)})"
    goal = f"to find a difference of {format_number(result.difference)} in {result.dimension}"
    if isnan(result.reached_power):
        return [f"The study cannot be tested as planned {goal}: too few raters judged."]
    if result.holds:
        return [f"The assumptions held: the power of the study {goal} was {power}."]
    larger = [row for row in result.components if _mark(row) == "larger" and row.name in _WIDENING]
    fewer = [_NUMBERS[row.name] for row in result.design if not row.holds]
    reasons = [f"{COMPONENT_NAMES[row.name]} is {_format_change(row)}" for row in larger]
    reasons += [f"there are fewer {join_names(fewer)} than planned"] if fewer else []
    because = f" because {'; '.join(reasons)}" if reasons else ""
    return [
        f"The assumptions did not hold: the power of the study {goal} was {power}{because}.",
        f"With power 0.8 it finds {format_number(result.detectable)}.",
    ]


_WIDENING = ("system_item", "system_rater", "rest")
