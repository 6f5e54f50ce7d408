"""Show which metrics are best on single items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from ..meta.dominate import PARTS
from . import _vega as vega
from ._format import (
    format_count,
    format_decimals,
    format_number,
    format_percent,
    format_range,
    format_signed,
    join_names,
)
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import Dominance

_MAX_METRICS = 12  # in a matrix that can still be read


def view_dominance(result: Dominance) -> View:
    """Show the metrics from best to worst, and which dominates which."""
    tables = [Table(_columns(result)), *_group_tables(result)]
    charts = [chart_dominance(result)] if 1 < len(result.metrics) <= _MAX_METRICS else []
    return View([_describe(result)], tables, charts, _notes(result))


def view_unbeaten(result: Dominance) -> View:
    """Show the same without correlations, next to a table that has those of another level."""
    view = view_dominance(result)
    tables = [Table([c for c in table.columns if c.head not in _OF_CORRELATIONS]) for table in view.tables]
    notes = [_drop_correlations(note) if note.startswith("mean r: ") else note for note in view.notes]
    if not result.top or np.isnan(result.correlations).all():
        return View(view.sentences, tables, view.charts, notes)
    others = len(result.metrics) - len(result.top)
    pairs = f"the differences between two systems on an item ({format_count(len(result.pairs), 'pair')} of systems)"
    verb = "is" if len(result.top) == 1 else "are"
    sentence = f"On {pairs}, {join_names(result.top)} {verb} significantly worse than no other metric."
    if others == 0:
        sentence = f"On {pairs}, no metric is significantly worse than another."
    return View([sentence], tables, view.charts, notes)


_OF_CORRELATIONS = frozenset({"mean r", "difference", "95% CI of it"})  # columns


def _drop_correlations(note: str) -> str:
    """Return the note from where it explains the columns that stay."""
    return "unbeaten on: " + note.partition("unbeaten on: ")[2].partition(" difference: ")[0]


def _describe(result: Dominance) -> str:
    if np.isnan(result.correlations).all():
        return f"No metric has a correlation with {result.human} on the differences between two systems."
    if not result.top:
        return (
            f"No metric is in the top group: each is significantly worse than another on more than "
            f"{format_percent(1 - result.needed)} of the system pairs, by {result.human}."
        )
    best = next(s for s in result.ranking if s.metric in result.top)
    pairs = int((~np.isnan(result.correlations[result.metrics.index(best.metric)])).sum())
    lead = (
        f"{best.metric} correlates best with {result.human} on single items: mean r = {format_number(best.value)} over "
        f"{format_count(pairs, 'pair')} of systems."
    )
    others = [name for name in result.top if name != best.metric]
    return f"{lead} Not significantly worse: {join_names(others)}." if others else lead


def _columns(result: Dominance) -> list[Column]:
    rows = list(enumerate(result.ranking))
    return [
        text_column("metric", [s.metric for s in result.ranking]),
        Column("mean r", [format_decimals(s.value) for s in result.ranking]),
        Column("unbeaten on", [format_percent(s.unbeaten) for s in result.ranking]),
        Column("difference", ["" if k == 0 else format_signed(s.difference) for k, s in rows]),
        Column("95% CI of it", ["" if k == 0 else format_range(s.difference_low, s.difference_high) for k, s in rows]),
        text_column("top group", ["yes" if s.top else "" for s in result.ranking]),
        text_column("dominated by", [join_names(s.dominated_by, 2) if s.dominated_by else "" for s in result.ranking]),
    ]


def _group_tables(result: Dominance) -> list[Table]:
    groups = [(part, result.best_per(part)) for part in PARTS]
    return [
        Table(
            [
                text_column(f"best per {part}", [best.metric for best in bests]),
                Column("mean r", [format_decimals(best.value) for best in bests]),
                text_column("", [best.mark for best in bests]),
            ]
        )
        for part, bests in groups
        if len(bests) > 1
    ]


def _notes(result: Dominance) -> list[str]:
    marks = " * dominates the metrics marked -." if result.group_bests else ""
    return [
        f"mean r: the score differences between two systems are correlated with people's over "
        f"{format_count(result.items, 'item')}, averaged over {format_count(len(result.pairs), 'pair')} of systems. "
        f"unbeaten on: share of the pairs on which no other metric is significantly better (Williams' test, "
        f"p < {result.alpha:g}); top group: {format_percent(result.needed)} or more. dominated by: metrics that are "
        f"significantly better on {format_percent(result.needed)} or more of the pairs (Toutanova et al. 2016, 4.3.2). "
        "difference: of mean r from the best metric's, with an interval over systems."
        f"{marks}",
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]


def chart_dominance(result: Dominance) -> Chart:
    """Chart, for each pair of metrics, the share of system pairs on which the row is significantly better."""
    order = [s.metric for s in result.ranking]
    at = {name: result.metrics.index(name) for name in order}
    rows = [
        {"row": a, "column": b, "share": float(result.share[at[a], at[b]]), "down": i, "across": k}
        for i, a in enumerate(order)
        for k, b in enumerate(order)
        if a != b
    ]

    def axis(field: str, place: str, title: str) -> dict[str, object]:
        return {"field": field, "type": "nominal", "sort": {"field": place, "op": "min"}, "title": title}

    x = {**axis("column", "across", "than this metric"), "axis": {"labelAngle": -40}}
    cell = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": ["$paper", "$accent"], "interpolate": "rgb"},
        "legend": None,
    }
    dark = {"condition": {"test": "datum.share > 0.5", "value": "$paper"}, "value": "$ink"}
    text = {"field": "share", "type": "quantitative", "format": ".0%"}
    spec = {
        "data": {"values": rows},
        "width": {"step": 64},
        "height": {"step": 30},
        "encoding": {
            "x": x,
            "y": axis("row", "down", "better is"),
            "tooltip": vega.tooltip(row="metric", column="than", share="share of pairs"),
        },
        "layer": [
            {"mark": {"type": "rect", "stroke": "$faint"}, "encoding": {"color": cell}},
            {"mark": {"type": "text"}, "encoding": {"text": text, "color": dark}},
        ],
    }
    columns = (
        text_column("better \\ than", order),
        *(
            Column(b, ["" if a == b else format_percent(float(result.share[at[a], at[b]])) for a in order])
            for b in order
        ),
    )
    return Chart(
        spec, columns, f"Share of system pairs on which one metric agrees with {result.human} better than another"
    )
