"""Show what pyramids hold: units by weight, aspect and category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from ..pyramid.categories import ALL, CategoryChange, CategoryScore
from . import _vega as vega
from ._format import format_count, format_decimals, format_p_cell, format_percent

if TYPE_CHECKING:
    from ..pyramid.guided import AspectCount, AspectScores, GuidedAnalysis, WeightCount

_WEAK = 0.5  # share of weight 1 units above which models agree little on what to say


def view_guided(result: GuidedAnalysis) -> View:
    """Show weights first, then aspects, then scores by category."""
    tables = [_weight_table(result.weights), _aspect_table(result.aspects)]
    tables += [_category_table(rows) for rows in _split_scores(result.categories)]
    tables += [_change_table(rows) for rows in _split_changes(result.changes)]
    notes = [
        f"Systems: the best {len(result.systems)} by {result.measure}; counts are means over topics and systems. "
        "partial: the weight a system finds among the units of an aspect, by the best weight of as many units.",
        "Letters: from the highest down, the first with a letter does not differ significantly from later ones with "
        "the same letter (p > 0.05), by analysis of variance of every two categories, and by Tukey's test. Both "
        "compare topic means, as texts of one topic are not independent. No letters: a category has fewer than two "
        "topics.",
    ]
    if result.changes:
        notes.append("p: paired t test over the topics of a category; * p < 0.05.")
    return View([_describe(result)], [t for t in tables if t.columns[0].cells], _charts(result), notes)


def view_aspect_scores(result: AspectScores) -> View:
    """Show the aspects of a system from best to worst."""
    rows = result.aspects
    columns = [
        text_column("category", [row.category for row in rows]),
        text_column("aspect", [row.aspect for row in rows]),
        Column("partial score", [format_decimals(row.score, 2) for row in rows]),
        Column("topics", [f"{row.topics:,}" for row in rows]),
    ]
    if any(row.part != ALL for row in rows):
        columns.insert(0, text_column("part", [row.part for row in rows]))
    first = [row for row in rows if row.part == rows[0].part]
    best, worst = first[0], first[-1]
    part = "" if best.part == ALL else f" in {best.part} summaries"
    headline = (
        f"{result.system} is best on {best.aspect} of {best.category} ({format_decimals(best.score, 2)}) and worst on "
        f"{worst.aspect} of {worst.category} ({format_decimals(worst.score, 2)}){part}."
    )
    units = "the text has" if result.form == "original" else "a model has on average"
    note = f"partial score: weight found among the units of the aspect, by the best weight of as many as {units}."
    return View([headline], [Table(columns)], notes=[note])


def _describe(result: GuidedAnalysis) -> str:
    rows = [row for row in result.weights if row.category == ALL] or result.weights
    heaviest = max(row.weight for row in rows)
    total = sum(row.pyramids for row in rows)
    shares = {weight: sum(row.pyramids for row in rows if row.weight == weight) / total for weight in (1, heaviest)}
    agreement = "Most units are in one model only" if shares[1] > _WEAK else "Models share most units"
    stated = sum(row.systems for row in rows)
    top = sum(row.systems for row in rows if row.weight == heaviest)
    of_systems = f"; {format_percent(top / stated)} of those that systems state" if stated else ""
    return (
        f"{agreement}: {format_percent(shares[1])} have weight 1, {format_percent(shares[heaviest])} weight {heaviest}"
        f"{of_systems} ({format_count(result.topics, 'topic')}, {format_count(len(result.systems), 'system')})."
    )


def _weight_table(rows: Sequence[WeightCount]) -> Table:
    return Table(
        [
            *_cell_columns(rows),
            Column("weight", [str(row.weight) for row in rows]),
            Column("units in pyramids", [format_decimals(row.pyramids, 1) for row in rows]),
            Column("share", [format_percent(row.share) for row in rows]),
            Column("in systems", [format_decimals(row.systems, 1) for row in rows]),
        ],
        title="Units by weight",
    )


def _aspect_table(rows: Sequence[AspectCount]) -> Table:
    return Table(
        [
            *_cell_columns(rows),
            text_column("aspect", [row.aspect for row in rows]),
            Column("weight", [format_decimals(row.pyramid_weight, 1) for row in rows]),
            Column("units", [format_decimals(row.pyramid_units, 1) for row in rows]),
            Column("weight, systems", [format_decimals(row.system_weight, 1) for row in rows]),
            Column("units, systems", [format_decimals(row.system_units, 1) for row in rows]),
            Column("partial", [format_decimals(row.partial, 2) for row in rows]),
        ],
        title="Units by aspect: mean weight and number",
    )


def _category_table(rows: Sequence[CategoryScore]) -> Table:
    first = rows[0]
    part = "" if first.part == ALL else f", {first.part}"
    return Table(
        [
            text_column("category", [row.category for row in rows]),
            Column(first.measure, [format_decimals(row.score) for row in rows]),
            text_column("ANOVA", [row.anova for row in rows]),
            text_column("Tukey", [row.tukey for row in rows]),
            Column("topics", [f"{row.topics:,}" for row in rows]),
        ],
        title=f"{first.measure[:1].upper()}{first.measure[1:]} by category: {first.texts}{part}",
    )


def _cell_columns(rows: Sequence[WeightCount] | Sequence[AspectCount]) -> list[Column]:
    columns = [text_column("category", [row.category for row in rows])]
    if any(row.part != ALL for row in rows):
        columns.insert(0, text_column("part", [row.part for row in rows]))
    return columns


def _split_scores(rows: Sequence[CategoryScore]) -> list[list[CategoryScore]]:
    tables: dict[tuple[str, str, str], list[CategoryScore]] = {}
    for row in rows:
        tables.setdefault((row.part, row.texts, row.measure), []).append(row)
    return list(tables.values())


def _split_changes(rows: Sequence[CategoryChange]) -> list[list[CategoryChange]]:
    tables: dict[tuple[str, str], list[CategoryChange]] = {}
    for row in rows:
        tables.setdefault((row.first, row.measure), []).append(row)
    return list(tables.values())


def _change_table(rows: Sequence[CategoryChange]) -> Table:
    first = rows[0]
    columns = [
        text_column("category", [row.category for row in rows]),
        Column(first.first, [format_decimals(row.first_score) for row in rows]),
        Column(first.second, [format_decimals(row.second_score) for row in rows]),
        Column("p", [format_p_cell(row.pvalue, significant=row.pvalue < 0.05) for row in rows]),
        Column("topics", [f"{row.topics:,}" for row in rows]),
    ]
    if any(row.within != ALL for row in rows):
        columns.insert(0, text_column("of", [row.within for row in rows]))
    name = f"{first.measure[:1].upper()}{first.measure[1:]}"
    return Table(columns, title=f"{name}: {first.first} against {first.second}")


def _charts(result: GuidedAnalysis) -> list[Chart]:
    """Draw the weights as bars, and partial scores as a heat map of aspects."""
    return [_draw_weights(result.weights), _draw_aspects(result.aspects)]


def _draw_weights(rows: Sequence[WeightCount]) -> Chart:
    """Draw units by weight for every category: how many a pyramid has, and how many a system states."""
    values = [
        {"weight": str(row.weight), "units": vega.number(count), "of": of, "place": place}
        | {"cell": vega.safe_title(_cell_name(row.category, row.part))}
        for place, row in enumerate(rows)
        for of, count in (("a pyramid", row.pyramids), ("a system", row.systems))
    ]
    colour = {"domain": ["a pyramid", "a system"], "range": ["$accent", "$second"]}
    spec = {
        "data": {"values": values},
        "columns": 3,
        "facet": _names("cell", "place"),
        "spec": {
            "width": 190,
            "height": {"step": 12},
            "mark": {"type": "bar"},
            "encoding": {
                "y": {"field": "weight", "type": "ordinal", "sort": "descending", "title": "weight"},
                "yOffset": {"field": "of", "type": "nominal", "sort": None},
                "x": {"field": "units", "type": "quantitative", "title": "units"},
                "color": {"field": "of", "type": "nominal", "title": "units in", "sort": None, "scale": colour},
            },
        },
    }
    return Chart(spec, _weight_table(rows).columns, "Content units by weight")


def _draw_aspects(rows: Sequence[AspectCount]) -> Chart:
    """Draw the partial scores of systems as a heat map of categories and aspects."""
    names = list(dict.fromkeys(row.aspect for row in rows))
    cells = list(dict.fromkeys(_cell_name(row.category, row.part) for row in rows))
    values = [
        {
            "aspect": row.aspect,
            "category": (cell := _cell_name(row.category, row.part)),
            "partial": vega.number(row.partial),
            "units": vega.number(row.pyramid_units),
            "across": names.index(row.aspect),
            "down": cells.index(cell),
        }
        for row in rows
    ]
    shade = {"domain": [0, 1], "range": ["$paper", "$accent"], "interpolate": "rgb"}
    dark = {"condition": {"test": "datum.partial > 0.5", "value": "$paper"}, "value": "$ink"}
    spec = {
        "data": {"values": values},
        "width": {"step": 44},
        "height": {"step": 30},
        "encoding": {
            "x": {**_names("aspect", "across"), "axis": {"labelAngle": -40}},
            "y": _names("category", "down"),
            "tooltip": vega.tooltip(partial="partial score", units="units in a pyramid"),
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "$faint"},
                "encoding": {"color": {"field": "partial", "type": "quantitative", "scale": shade, "legend": None}},
            },
            {
                "mark": {"type": "text"},
                "encoding": {"text": {"field": "partial", "type": "quantitative", "format": ".2f"}, "color": dark},
            },
        ],
    }
    return Chart(spec, _aspect_table(rows).columns, "What systems state of each aspect: mean partial score")


def _names(field: str, place: str) -> dict[str, Any]:
    return {"field": field, "type": "nominal", "sort": {"field": place, "op": "min"}, "title": None}


def _cell_name(category: str, part: str) -> str:
    name = "all categories" if category == ALL else category
    return name if part == ALL else f"{name}, {part}"
