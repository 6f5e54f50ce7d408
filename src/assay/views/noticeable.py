"""Show how large a difference in a metric must be before people agree."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from ..data.chart import Chart
from ..data.minimums import MINIMUMS
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
from ._format import (
    MISSING,
    format_count,
    format_interval,
    format_number,
    format_number_cell,
    format_percent,
)
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import NoticeableDifference, NoticeableDifferences


def view_noticeable_difference(result: NoticeableDifference) -> View:
    """Show how large a difference in one metric must be before people agree."""
    return View(_sentences(result), [Table(_columns([result]))], _charts([result]), _notes([result]))


def view_noticeable_differences(result: NoticeableDifferences) -> View:
    """Show how large a difference in each metric must be before people agree."""
    results = result.differences
    first = next((r for r in results if not isnan(r.value)), results[0])
    notes = [
        *_notes(results),
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies, can_keep=False),
    ]
    return View(_sentences(first), [Table(_columns(results))], _charts(results), notes)


def _sentences(result: NoticeableDifference) -> list[str]:
    share, pairs = format_percent(result.share), format_count(result.n, "pair")
    overall = f"{format_percent(result.overall)} of all {pairs}"
    least = MINIMUMS["noticeable"].counts["pairs"]
    if result.n < least:
        return [
            f"Too few pairs of systems ({result.n:,}) to say what difference in {result.metric} people notice: "
            f"{least} are needed."
        ]
    if not result.low > 0 and isinf(result.high):
        return [
            f"{pairs} of systems do not tell what difference in {result.metric} people notice (judged: "
            f"{result.human}): the interval leaves out nothing, and people agree on {overall}. It takes more systems."
        ]
    if isnan(result.value):
        return [
            f"No difference in {result.metric} is large enough for people to agree {share} of the time "
            f"(judged: {result.human}): they agree on {overall}."
        ]
    return [
        f"Two systems must differ by {format_number(result.value)}{_interval(result)} in {result.metric} before people "
        f"agree {share} of the time on which is better (judged: {result.human}).",
        f"They agree on {format_percent(result.below)} of the pairs that differ by less, and on {overall}.",
        *_certain(result),
    ]


def _certain(result: NoticeableDifference) -> list[str]:
    if isnan(result.certain):
        return []
    return [f"They agree on every pair that differs by {format_number(result.certain)} or more."]


def _interval(result: NoticeableDifference) -> str:
    if isinf(result.high):
        return f" (95% CI {format_number(result.low)} or more)"
    return format_interval(result.low, result.high, result.confidence)


def _columns(results: Sequence[NoticeableDifference]) -> list[Column]:
    return [
        text_column("metric", [r.metric for r in results]),
        Column("difference", [format_number_cell(r.value) for r in results]),
        Column("95% CI", [_range(r.low, r.high) for r in results]),
        Column("isotonic", [format_number_cell(r.isotonic) for r in results]),
        Column("this or more", [format_number_cell(r.pooled) for r in results]),
        Column("always", [format_number_cell(r.certain) for r in results]),
        Column("pairs", [f"{r.n:,}" for r in results]),
        Column("agreement", [format_percent(r.overall) for r in results]),
    ]


def _range(low: float, high: float) -> str:
    if isnan(low) or isnan(high):
        return MISSING
    return f"{format_number_cell(low)} " + ("or more" if isinf(high) else f"to {format_number_cell(high)}")


def _notes(results: Sequence[NoticeableDifference]) -> list[str]:
    first = results[0]
    share = format_percent(first.share)
    return [
        f"difference: of the pairs of systems that differ by just so much, people put {share} in the same order as the "
        "metric (logistic curve in the log of the difference; CI: jackknife over systems). isotonic: the same by a fit "
        f"that assumes only that agreement never falls. this or more: {share} of all pairs that differ by so much or "
        f"more (at least {first.fewest}); it says little about a pair that differs by just that. always: every pair "
        "that differs by so much or more. agreement: of all pairs. The two figures for ROUGE in Owczarzak et al. "
        "(2012) are of another kind: below .013 about half of the pairs are in the wrong order, above .04 none is. "
        "Give the difference to `assay compare --notice`.",
    ]


def _charts(results: Sequence[NoticeableDifference]) -> list[Chart]:
    """Chart the metric that people agree with most often."""
    drawable = [r for r in results if any(b.pairs for b in r.bins)]
    if not drawable:
        return []
    return [chart_noticeable(max(drawable, key=lambda r: (not isnan(r.value), r.overall)))]


def chart_noticeable(result: NoticeableDifference) -> Chart:
    """Chart how often people order two systems as the metric does, by how much it says they differ."""
    bins = [b for b in result.bins if b.pairs]
    rows = [{"from": b.low, "to": b.high, "share": b.same_order / b.pairs, "pairs": b.pairs} for b in bins]
    x = {
        "field": "from",
        "type": "quantitative",
        "bin": {"binned": True},
        "title": f"difference in {result.metric} between two systems",
    }
    y = {
        "field": "share",
        "type": "quantitative",
        "axis": {"format": ".0%"},
        "scale": {"domain": [0, 1]},
        "title": f"pairs in the same order by {result.human}",
    }
    tooltip = [*vega.tooltip(**{"from": "from", "to": "to", "pairs": "pairs"}), vega.share("share", "same order")]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "bar", "color": "$accent", "opacity": 0.75, "binSpacing": 1},
            "encoding": {"x": x, "x2": {"field": "to"}, "y": y, "tooltip": tooltip},
        }
    ]
    if not isnan(result.value):
        line = {"type": "rule", "color": "$second", "strokeDash": [5, 3], "strokeWidth": 2}
        at = vega.tooltip(at=f"people agree {format_percent(result.share)} of the time from here on")
        layers.append(
            {
                "data": {"values": [{"at": result.value}]},
                "mark": line,
                "encoding": {"x": {"field": "at", "type": "quantitative"}, "tooltip": at},
            }
        )
    spec = {"data": {"values": rows}, "width": "container", "height": 240, "layer": layers}
    columns = (
        Column("difference", [_range(b.low, b.high) for b in bins]),
        Column("pairs", [str(b.pairs) for b in bins]),
        Column("same order", [format_percent(b.same_order / b.pairs) for b in bins]),
    )
    return Chart(spec, columns, f"How large a difference in {result.metric} must be before people agree")
