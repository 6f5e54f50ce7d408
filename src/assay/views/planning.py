"""Show what makes ratings differ, which designs find a difference, and how often a planned study finds it."""

from __future__ import annotations

from math import inf, isnan
from typing import TYPE_CHECKING, Any

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_number, format_percent, format_range
from ._vega import number

if TYPE_CHECKING:
    from ..planning.components import RatingComponents
    from ..planning.plan import PlannedDesign, PowerPlan
    from ..planning.simulate import SimulatedStudy

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
    tables += [_tabulate_surface(result)] if result.surface else [_tabulate_power(result)] if result.curve else []
    charts = [_draw_power(result)] if result.curve else []
    charts += [_draw_surface(result)] if result.surface else []
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
        f"{format_count(result.budget or 0, 'judgment')} find a difference of {format_decimals(best.detectable, 2)} "
        f"(95% CI {format_range(result.detectable_low, result.detectable_high, 2)}) in "
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
    if any(not isnan(d.level) for d in designs):
        columns.append(Column("level", ["" if isnan(d.level) else format_decimals(d.level) for d in designs]))
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
    if any(not isnan(design.level) for design in new):
        notes.append(
            "level: with so few raters the test for new raters finds a difference that is not there in this share of "
            f"studies, not {format_percent(result.alpha)}; (systems - 1) x (raters - 1) should be at least 5."
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


def _tabulate_power(result: PowerPlan) -> Table:
    """Show power over items, a column for each number of raters, all of whom judge every output."""
    power = {(p.items, p.raters): p.power for p in result.curve}
    items, raters = (sorted({pair[place] for pair in power}) for place in (0, 1))
    columns = [Column("items", [f"{n:,}" for n in items])]
    columns += [Column(f"{k} raters", [format_decimals(power[n, k], 2) for n in items]) for k in raters]
    return Table(columns, title="Power for new raters, all of whom judge every output")


def _tabulate_surface(result: PowerPlan) -> Table:
    """Show what each way to spend the budget finds: raters down, ratings of each output across."""
    smallest = {(p.raters, p.per_output): p.detectable for p in result.surface}
    raters, ratings = (sorted({pair[place] for pair in smallest}) for place in (0, 1))
    columns = [Column("raters", [str(count) for count in raters])]
    for k in [k for k in ratings if sum((count, k) in smallest for count in raters) > 1] or ratings:
        cells = [format_decimals(smallest[count, k], 2) if (count, k) in smallest else "" for count in raters]
        columns.append(Column(f"{k} per output", cells))
    return Table(columns, title="Smallest difference found, by raters in all and ratings of each output")


def _draw_surface(result: PowerPlan) -> Chart:
    """Draw what each way to spend the budget finds: raters across, ratings of each output up, the smallest darkest."""
    points = result.surface
    values = [
        {"raters": p.raters, "per": p.per_output, "items": p.items, "finds": number(p.detectable)} for p in points
    ]
    color = {"field": "finds", "type": "quantitative", "title": "smallest difference found"}
    spec: dict[str, Any] = {
        "data": {"values": values},
        "mark": {"type": "rect"},
        "encoding": {
            "x": {"field": "raters", "type": "ordinal", "title": "raters in all", "axis": {"labelAngle": 0}},
            "y": {"field": "per", "type": "ordinal", "sort": "descending", "title": "ratings of each output"},
            "color": {**color, "scale": {"reverse": True, "type": "log"}},
        },
    }
    columns = [
        Column("raters", [str(p.raters) for p in points]),
        Column("per output", [str(p.per_output) for p in points]),
        Column("items", [f"{p.items:,}" for p in points]),
        Column("finds", [format_decimals(p.detectable, 2) for p in points]),
    ]
    judgments = format_count(result.budget or 0, "judgment")
    return Chart(spec, columns, f"Smallest difference in {result.dimension} that {judgments} find, for new raters")


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
