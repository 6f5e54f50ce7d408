"""Show how many items and references a correlation with people takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
from ._format import MISSING, coefficient_symbol, format_count, format_decimals, format_number, format_p_cell
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import SampledCorrelation, Stabilities, Stability

_MAX_LINES = 4  # curves that can be told apart
_NOUNS = {"items": "items", "references": "references", "halves": "items"}


def view_stability(result: Stability) -> View:
    """Show the correlation by the number of items or references."""
    return View(
        [describe_stability(result)], [Table(_columns([result]))], [chart_stability([result])], _notes([result])
    )


def view_stabilities(result: Stabilities) -> View:
    """Show how many items and references the correlation of several metrics takes."""
    curves = [group for group in (result.by_items, result.by_references) if group]
    sentences = [describe_stability(_best(group)) for group in curves]
    sentences += [describe_stability(half) for half in result.halves]
    first = next(iter(result.by_items), None)
    parts = [part for group in curves for part in _split_by_sizes(group)]
    tables = [Table(_columns(part, result.halves if part[0] is first else ())) for part in parts]
    charts = [chart_stability(_drawable(group)) for group in curves if _drawable(group)]
    every = [*result.by_items, *result.by_references, *result.halves]
    notes = [
        *(_notes(every) if every else []),
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]
    return View(sentences, tables, charts, notes)


def describe_stability(result: Stability) -> str:
    """Say how many items or references are enough."""
    noun, last, symbol = _NOUNS[result.what], result.sizes[-1], coefficient_symbol(result.method)
    if result.what == "halves":
        return (
            f"Mean {result.human} scores from two separate sets of {format_count(last.size, 'item')} correlate at "
            f"{symbol} = {format_number(last.mean)}."
        )
    lead = (
        f"With all {last.size} {noun}, {result.metric} correlates with {result.human} at {symbol} = "
        f"{format_number(result.actual)} (system level)."
    )
    tolerance = format_number(result.tolerance)
    if result.smallest is None or result.smallest == last.size:
        return f"{lead} No smaller number that was tried is enough for a loss of at most {tolerance} on average."
    mean = next(s.mean for s in result.sizes if s.size == result.smallest)
    verb = "is" if result.smallest == 1 else "are"
    enough = f"{result.smallest} {verb} enough for a loss of at most {tolerance} on average"
    return f"{lead} {enough} ({symbol} = {format_number(mean)})."


def _split_by_sizes(results: Sequence[Stability]) -> list[list[Stability]]:
    """Return the metrics that see the same numbers: all items, or the judged ones where these are fewer."""
    parts: dict[tuple[int, ...], list[Stability]] = {}
    for result in results:
        parts.setdefault(tuple(s.size for s in result.sizes), []).append(result)
    return list(parts.values())


def _best(results: Sequence[Stability]) -> Stability:
    return max(results, key=lambda s: -2.0 if isnan(s.actual) else s.actual)


def _drawable(results: Sequence[Stability]) -> list[Stability]:
    """Return the metrics with the highest correlations, as many as a chart can show."""
    defined = [s for s in results if not isnan(s.actual)]
    return sorted(defined, key=lambda s: -s.actual)[:_MAX_LINES]


def _columns(results: Sequence[Stability], halves: Sequence[Stability] = ()) -> list[Column]:
    """Make a row per size, then all there is, and the test whether sizes differ."""
    first = results[0]
    sizes = [str(s.size) for s in first.sizes[:-1]]
    outliers = ["all, without outliers"] if any(result.outliers for result in results) else []
    labels = [*sizes, f"{first.n} (all)", *outliers, "systems resampled", "p"]
    columns = [text_column(_NOUNS[first.what], labels)]
    for result in results:
        p = result.anova.pvalue if result.anova else float("nan")
        cells = [_mean_and_sd(s) for s in result.sizes[:-1]]
        cells += [format_decimals(result.actual), *[format_decimals(result.without_outliers) for _ in outliers]]
        cells += [_mean_and_sd(result.resampled), format_p_cell(p).strip()]
        columns.append(Column(result.metric, cells))
    for half in halves:
        by_size = {str(s.size): _mean_and_sd(s) for s in half.sizes}
        columns.append(Column(f"{half.human}, two halves", [by_size.get(label, "") for label in labels]))
    return columns


def _mean_and_sd(sample: SampledCorrelation | None) -> str:
    if sample is None or isnan(sample.mean):
        return MISSING
    return f"{format_decimals(sample.mean)} ({format_decimals(sample.sd, 2)})"


def _notes(results: Sequence[Stability]) -> list[str]:
    first = results[0]
    return [
        f"Mean {first.method} correlation at system level (standard deviation) over {first.draws:,} random samples of "
        f"each size, seed {first.seed}. The metric uses the sample, people all items; corpus scores are of "
        "all outputs, judged or not. systems resampled: everything, with bootstrap samples of systems. p: whether the "
        "sizes differ (analysis of variance). two halves: correlation of the human means over two separate sets of n "
        "items (Owczarzak and Dang 2009).",
    ]


def chart_stability(results: Sequence[Stability]) -> Chart:
    """Chart the correlation with people by the number of items, or references, that the metric uses."""
    noun = _NOUNS[results[0].what]
    colours = ["$accent", "$second", "$third", "$muted"]
    metrics = [result.metric for result in results]
    rows = [
        {
            "metric": result.metric,
            "size": s.size,
            "mean": vega.number(s.mean),
            "low": vega.number(s.low),
            "high": vega.number(s.high),
        }
        for result in results
        for s in result.sizes
    ]
    x = {
        "field": "size",
        "type": "quantitative",
        "title": f"{noun} used by the metric",
        "axis": {"format": "d", "tickMinStep": 1},
        "scale": {"zero": False, "nice": False},
    }
    y = {"type": "quantitative", "title": f"{results[0].method} with {results[0].human}", "scale": {"zero": False}}
    colour: dict[str, Any] = {
        "field": "metric",
        "type": "nominal",
        "sort": None,
        "legend": {"title": None, "orient": "top", "symbolOpacity": 1},
    }
    if len(metrics) <= len(colours):
        colour["scale"] = {"domain": metrics, "range": colours[: len(metrics)]}
    tooltip = vega.tooltip(metric="metric", size=noun, mean="mean correlation", low="from", high="to")
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": 280,
        "encoding": {"x": x, "color": colour, "tooltip": tooltip},
        "layer": [
            {"mark": vega.BAND, "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}}},
            {"mark": {"type": "line", "point": True, "strokeWidth": 2}, "encoding": {"y": {**y, "field": "mean"}}},
        ],
    }
    sizes = sorted({s.size for result in results for s in result.sizes})
    by_size = [{s.size: s for s in result.sizes} for result in results]
    columns = (
        Column(noun, [str(size) for size in sizes]),
        *(
            Column(result.metric, [_mean_and_sd(own[n]) if n in own else "" for n in sizes])
            for result, own in zip(results, by_size, strict=True)
        ),
    )
    return Chart(spec, columns, f"Correlation with {results[0].human} by the number of {noun}")
