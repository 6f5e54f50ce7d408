"""Show what makes ratings differ, which designs find a difference, and how often a planned study finds it."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

from ..planning.components import RatingComponents
from ..planning.plan import PlannedDesign, PowerPlan
from ..planning.simulate import SimulatedStudy
from ._chart import Chart
from ._format import format_count, format_decimals, format_number, format_percent, format_range
from ._vega import number
from ._view import Column, Table, View, text_column

COMPONENT_NAMES = {
    "system": "systems",
    "item": "items",
    "rater": "raters",
    "system_item": "system x item",
    "system_rater": "system x rater",
    "item_rater": "item x rater",
    "rest": "rest",
}
_FEW_RATERS = 5  # below which the part of system x rater is barely known


def view_rating_components(result: RatingComponents) -> View:
    """Show the components, and how reliable means are with more items or raters."""
    rows = result.components
    columns = [
        text_column("source", [COMPONENT_NAMES[row.name] for row in rows]),
        Column("variance", [format_decimals(row.variance) for row in rows]),
        Column("95% CI", [format_range(row.low, row.high) for row in rows]),
        Column("share", [format_percent(row.share) for row in rows]),
    ]
    reliability = [
        Column("items", [f"{row.items:,}" for row in result.reliability]),
        Column("raters", [str(row.raters) for row in result.reliability]),
        Column("generalizability", [format_decimals(row.generalizability) for row in result.reliability]),
        Column("dependability", [format_decimals(row.dependability) for row in result.reliability]),
    ]
    tables = [Table(columns), Table(reliability, title="Reliability of systems' means")]
    return View(
        [_describe_components(result)], tables, notes=_component_notes(result), title="What makes ratings differ"
    )


def _describe_components(result: RatingComponents) -> str:
    parts = {row.name: row for row in result.components}
    others = [row for row in result.components if row.name != "system" and not isnan(row.share)]
    largest = max(others, key=lambda row: row.variance)
    return (
        f"{format_percent(parts['system'].share)} of the differences between ratings of {result.dimension} are between "
        f"systems; most of the others are {COMPONENT_NAMES[largest.name]} ({format_percent(largest.share)}; "
        f"{format_count(result.ratings, 'rating')}, {format_count(result.raters, 'rater')})."
    )


def _component_notes(result: RatingComponents) -> list[str]:
    notes = [
        f"Source: {result.source}. Intervals: the study drawn anew with other items and raters, seed {result.seed}. "
        "generalizability: would systems come out in the same order with other items and raters; dependability: would "
        "their means be the same. Every rater judges every output."
    ]
    if result.negative:
        names = ", ".join(COMPONENT_NAMES[name] for name in result.negative)
        notes.append(f"The estimates of {names} were below 0 and were set to 0.")
    if result.raters < _FEW_RATERS:
        notes.append(f"With {format_count(result.raters, 'rater')}, system x rater is barely known: see its interval.")
    return notes


def view_power_plan(result: PowerPlan) -> View:
    """Show the designs for new raters, then those for the raters of the study itself, and power over items."""
    new = [design for design in result.designs if design.new_raters]
    same = [design for design in result.designs if not design.new_raters]
    tables = [_design_table(new, result, "For raters drawn anew")] if new else []
    tables += [_design_table(same, result, "For these raters only")] if same else []
    charts = [_draw_power(result)] if result.curve else []
    return View(_describe_plan(result, new, same), tables, charts, _plan_notes(result, new))


def _describe_plan(result: PowerPlan, new: list[PlannedDesign], same: list[PlannedDesign]) -> list[str]:
    if result.budget is not None:
        return [_describe_budget(result, new)]
    goal = f"a difference of {format_number(result.difference or 0)} in {result.dimension} with power {result.power:g}"
    if not new:
        needed = (
            "no number of raters tried is" if result.fewest_raters is None else f"{result.fewest_raters} raters are"
        )
        answer = f"No design tried finds {goal} for new raters: {needed} needed at least."
    else:
        best = new[0]
        answer = (
            f"{format_count(best.judgments, 'judgment')} find {goal}: {format_count(best.items, 'item')} x "
            f"{format_count(result.systems, 'system')}, {format_count(best.per_output, 'rating')} of each output by "
            f"{format_count(best.raters, 'rater')} in all."
        )
    sentences = [answer]
    if result.fewest_raters is not None and result.fewest_raters > 2 and new:
        sentences.append(
            f"With fewer than {result.fewest_raters} raters no number of items is enough: what a rater thinks of a "
            "system does not average out over items."
        )
    return sentences


def _describe_budget(result: PowerPlan, new: list[PlannedDesign]) -> str:
    if not new:
        return f"{format_count(result.budget or 0, 'judgment')} are too few to compare systems for new raters."
    best = new[0]
    return (
        f"{format_count(result.budget or 0, 'judgment')} find a difference of {format_decimals(best.detectable, 2)} in "
        f"{result.dimension} with power {result.power:g}, if spent on {format_count(best.items, 'item')} x "
        f"{format_count(result.systems, 'system')} with {format_count(best.raters, 'rater')} in all and "
        f"{format_count(best.per_output, 'rating')} of each output."
    )


def _design_table(designs: list[PlannedDesign], result: PowerPlan, title: str) -> Table:
    columns = [
        Column("judgments", [f"{d.judgments:,}" for d in designs]),
        Column("items", [f"{d.items:,}" for d in designs]),
        Column("raters", [str(d.raters) for d in designs]),
        Column("per output", [str(d.per_output) for d in designs]),
    ]
    if result.difference is not None:
        columns.append(Column("power", [format_decimals(d.power, 2) for d in designs]))
        columns.append(Column("items, 95% CI", [_format_items(d) for d in designs]))
    columns.append(Column("finds", [format_decimals(d.detectable, 2) for d in designs]))
    columns.append(text_column("limited by", [d.binds for d in designs]))
    if result.price is not None:
        columns.append(Column("cost", [format_decimals(d.cost, 2) for d in designs]))
    if result.seconds is not None:
        columns.append(Column("hours", [format_decimals(d.hours, 1) for d in designs]))
    return Table(columns, title=title)


def _format_items(design: PlannedDesign) -> str:
    if isnan(design.items_low):
        return "–"
    high = "any number" if design.items_high == inf else f"{design.items_high:,.0f}"
    return f"{design.items_low:,.0f} to {high}" if high != "any number" else f"{design.items_low:,.0f} or never"


def _plan_notes(result: PowerPlan, new: list[PlannedDesign]) -> list[str]:
    notes = [
        f"Components: {result.source}. Test: differences of means with Satterthwaite's degrees of freedom, two-sided, "
        f"level {result.alpha:g}. finds: the smallest difference found with power {result.power:g}. per output: "
        "ratings of each output; raters: in all.",
    ]
    if any(design.level_doubtful for design in new):
        notes.append(
            "With few raters and two systems the test for new raters finds a difference that is not there in 6 to 8% "
            "of studies, not 5%: (systems - 1) x (raters - 1) should be at least 5."
        )
    if result.components.raters < _FEW_RATERS:
        notes.append(
            f"The pilot has {format_count(result.components.raters, 'rater')}: system x rater is barely known, and so "
            "is the number of raters."
        )
    return notes


def _draw_power(result: PowerPlan) -> Chart:
    """Draw power over items, a line for each number of raters."""
    values = [{"items": p.items, "power": number(p.power), "raters": str(p.raters)} for p in result.curve]
    spec: dict[str, Any] = {
        "data": {"values": values},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "items", "type": "quantitative", "scale": {"type": "log"}, "title": "items"},
            "y": {"field": "power", "type": "quantitative", "scale": {"domain": [0, 1]}, "title": "power"},
            "color": {"field": "raters", "type": "nominal", "sort": None, "title": "raters"},
        },
    }
    columns = [
        Column("raters", [str(p.raters) for p in result.curve]),
        Column("items", [f"{p.items:,}" for p in result.curve]),
        Column("power", [format_decimals(p.power, 2) for p in result.curve]),
    ]
    return Chart(spec, columns, f"Power to find the difference in {result.dimension}, for new raters")


def view_simulated_study(result: SimulatedStudy) -> View:
    """Show how often the planned study finds the difference."""
    raters = "new raters" if result.new_raters else "these raters"
    headline = (
        f"The study finds a difference of {format_number(result.difference)} in {result.dimension} in "
        f"{format_percent(result.power)} of {format_count(result.simulations, 'simulation')} (for {raters})."
    )
    measures = {"found, two systems": format_decimals(result.power), "Monte Carlo error": format_decimals(result.error)}
    if result.systems > 2:
        measures["found, all pairs with Holm"] = format_decimals(result.power_any)
        measures["false difference, uncorrected"] = format_decimals(result.false)
    table = Table([text_column("measure", list(measures)), Column("value", list(measures.values()))])
    scale = "on the points of the scale" if result.ordinal else "on a continuous scale"
    note = (
        f"{result.systems} systems x {result.items} items, {result.raters} raters, {result.per_output} per output, "
        f"{result.assignment}; {result.judgment}s {scale}; components: {result.source}; seed {result.seed}."
    )
    return View([headline], [table], notes=[note])
