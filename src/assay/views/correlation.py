"""Show how metrics correlate with people."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from ..data.alignment import align_scores
from ..data.scores import Scores
from ..meta import Correlation, Correlations, DifferenceCorrelations, Failures, MetricDifference
from ..meta._inputs import FEWEST_SYSTEMS
from . import _vega as vega
from ._chart import Chart
from ._direction import ask_direction
from ._format import (
    coefficient_symbol,
    find_best,
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_percent,
    format_range,
    format_scores,
    format_signed,
    is_all,
    join_names,
)
from ._inputs import input_notes
from ._view import Column, Table, View, text_column
from .leak import describe_leaked
from .outliers import describe_outliers, outlier_columns, outlier_notes

_LEVELS = {"system": "systems", "item": "within items", "per-system": "within systems", "pooled": "all outputs"}
_AT_LEVEL = {
    "system": "at system level",
    "item": "within items",
    "per-system": "within systems",
    "pooled": "over all outputs",
}
_POINTS = {"system": "system", "item": "system", "per-system": "item", "pooled": "output"}
_RESAMPLED = {"both": "systems and items", "inputs": "items", "systems": "systems"}
_FEW = 10  # points below which an interval that includes 0 means too little data, not a poor metric


def view_correlation(result: Correlation) -> View:
    """Show how one metric correlates with people."""
    return View(
        [describe_correlation(result)], [Table(_columns([result]))], [chart_correlations([result])], _notes([result])
    )


def view_correlations(result: Correlations) -> View:
    """Show how several metrics correlate with people, the highest correlation first."""
    columns = _columns(result.correlations)
    levels = {c.level for c in result.correlations}
    first = [c for c in result.correlations if c.level == result.correlations[0].level]
    failures = {f.metric: f for f in result.failures}
    differences = {d.metric: d for d in result.differences}
    rows = [c.metric if len(levels) == 1 or c.level == "item" else "" for c in result.correlations]
    columns += [
        Column("items failed", [format_percent(failures[m].value) if m else "" for m in rows]),
        Column("r of differences", [format_decimals(differences[m].value) if m else "" for m in rows]),
        Column("pooled", [format_decimals(differences[m].pooled) if m else "" for m in rows]),
    ]
    effects = sorted(result.leak_effects, key=lambda e: e.metric != first[0].metric)
    sentences = describe_leaked(effects, result.leaked)
    threshold = result.failures[0].threshold
    notes = [
        *_notes(result.correlations),
        f"items failed: share of the items on which r is below {threshold:g} (Peyrard et al. 2017). r of differences: "
        "correlation of the score differences between two systems over items, averaged over pairs of systems "
        "(Toutanova et al. 2016). pooled: the same over all pairs and items at once (PDP).",
        *input_notes(result.signatures, result.left_out, result.leaked),
    ]
    described = [*_describe_all(result, first), *sentences]
    tables = [Table(columns), *_difference_tables(result)]
    return View(described, tables, [chart_correlations(result.correlations)], notes)


def _difference_tables(result: Correlations) -> list[Table]:
    """Return a table of the differences from the best metric, if there are several metrics."""
    rows = result.metric_differences
    if not rows:
        return []
    levels = {row.level for row in rows}
    confidence = 100 * result.correlations[0].confidence
    columns = [
        text_column("metric", [row.metric for row in rows]),
        *([text_column("level", [_LEVELS[row.level] for row in rows])] if len(levels) > 1 else []),
        text_column("compared with", [row.best for row in rows]),
        Column("difference", [format_signed(row.difference) for row in rows]),
        Column(f"{confidence:.3g}% CI", [_difference_interval(row) for row in rows]),
    ]
    return [Table(columns)]


def _difference_interval(row: MetricDifference) -> str:
    few = isnan(row.low) and not isnan(row.difference) and row.level in ("system", "item")
    return "too few systems" if few else format_range(row.low, row.high)


def view_failures(result: Failures) -> View:
    """Show on how many items a metric fails."""
    symbol = coefficient_symbol(result.method)
    sentence = (
        f"{result.metric} fails on {format_percent(result.value)} of {format_count(result.n, 'item')}; there "
        f"its {symbol} with {result.human} is below {format_number(result.threshold)}."
    )
    return View([sentence], [Table([text_column("items below the threshold", result.items)])])


def view_differences(result: DifferenceCorrelations) -> View:
    """Show whether a metric sees the differences between systems that people see."""
    symbol = coefficient_symbol(result.method)
    sentence = (
        f"Differences between two systems on an item: {result.metric} correlates with {result.human} at {symbol} = "
        f"{format_number(result.value)}, averaged over {format_count(result.n, 'pair')} of systems; pooled over all "
        f"pairs and items r = {format_number(result.pooled)}."
    )
    columns = [
        text_column("pair", [f"{a}, {b}" for a, b in result.pairs]),
        Column(symbol, [format_decimals(float(value)) for value in result.values]),
        Column("items", [str(n) for n in result.items]),
    ]
    return View([sentence], [Table(columns)])


def describe_correlation(c: Correlation) -> str:
    """Say how a metric correlates with people, or that there are too few points to say it."""
    where = _AT_LEVEL[c.level]
    if isnan(c.value):
        return f"{c.metric} has no {c.method} correlation with {c.human} {where} ({_over(c)})."
    value = f"{_value(c)}, {_over(c)}"
    outliers = describe_outliers(c)
    if says_nothing(c):
        return f"Too few {_POINTS[c.level]}s ({c.n}) to say how well {c.metric} correlates with {c.human}: {_value(c)}."
    if c.low <= 0 <= c.high:
        return f"No significant correlation of {c.metric} with {c.human} {where}: {value}.{outliers}"
    return f"{c.metric} correlates with {c.human} {where}: {value}.{outliers}"


def says_nothing(c: Correlation) -> bool:
    """Tell whether there are too few points for a correlation to mean anything.

    The bootstrap of fewer than 6 systems draws the same few again and again; an interval that includes 0 with few
    points, or that goes from -1 to 1, shows too little data and not a poor metric.
    """
    if isnan(c.value) or c.groups > 1:
        return False
    includes_zero = c.low <= 0 <= c.high
    return (includes_zero and c.n < _FEW) or c.n < FEWEST_SYSTEMS or is_all(c.low, c.high)


def _describe_all(result: Correlations, first: Sequence[Correlation]) -> list[str]:
    """Say which metric is best, unless the direction of a scale is not known, and warn where it may be wrong."""
    asks = [ask_direction(name, "which metric is best") for name in result.undirected]
    if result.human in result.undirected:
        return asks
    known = [c.value for c in first if not isnan(c.value)]
    if not known or max(known) >= 0:
        return [_describe_best(first, result.metric_differences), *asks]
    every = f"all {len(known)} metrics" if len(known) > 1 else first[0].metric
    warning = (
        f"Warning: {result.human} correlates negatively with {every}. If low numbers are better there, give "
        f"--lower-is-better {result.human}; if that is stated already, check it."
    )
    return [_describe_best(first, result.metric_differences), warning, *asks]


def _describe_best(ranked: Sequence[Correlation], differences: Sequence[MetricDifference]) -> str:
    best = ranked[0]
    if len(ranked) == 1 or isnan(best.value) or best.low <= 0 <= best.high or says_nothing(best):
        return describe_correlation(best)
    lead = (
        f"{best.metric} has the highest correlation with {best.human} {_AT_LEVEL[best.level]}: {_value(best)}, "
        f"{_over(best)}."
    )
    return f"{lead}{describe_outliers(best)}{_describe_near(best, differences)}"


def _describe_near(best: Correlation, differences: Sequence[MetricDifference]) -> str:
    """Name the metrics that may be as good: the interval of their difference from the best includes 0."""
    near = [d.metric for d in differences if d.level == best.level and d.best == best.metric and not d.clear]
    return f" Not clearly worse: {join_names(near)} (the interval of the difference includes 0)." if near else ""


def _value(c: Correlation) -> str:
    interval = format_interval(c.low, c.high, c.confidence)
    return f"{coefficient_symbol(c.method)} = {format_number(c.value)}{interval}"


def _over(c: Correlation) -> str:
    points = format_count(c.n, _POINTS[c.level])
    if c.level in ("item", "per-system"):
        group = "item" if c.level == "item" else "system"
        return f"averaged over {format_count(c.groups, group)} with up to {points}{_name_skipped(c, group)}"
    return points if c.level == "pooled" else f"over {points}"


def _name_skipped(c: Correlation, group: str) -> str:
    """Name what was left out: groups with too few points, or of which one side is constant."""
    if not c.skipped:
        return ""
    needed = f"fewer than {c.fewest} {_POINTS[c.level]}s or all scores equal"
    return f" ({format_count(c.skipped, group)} left out: {needed})"


def _interval(c: Correlation) -> str:
    few = is_all(c.low, c.high) or (c.level == "system" and c.n < FEWEST_SYSTEMS and not isnan(c.low))
    return f"too few {_POINTS[c.level]}s" if few else format_range(c.low, c.high)


def _columns(correlations: Sequence[Correlation]) -> list[Column]:
    levels = list(dict.fromkeys(c.level for c in correlations))
    symbol = coefficient_symbol(correlations[0].method)
    head = symbol if len(levels) > 1 else f"{symbol} ({levels[0]})"
    return [
        text_column("metric", [c.metric for c in correlations]),
        *([text_column("level", [_LEVELS[c.level] for c in correlations])] if len(levels) > 1 else []),
        Column(head, [format_decimals(c.value) for c in correlations], best=_find_highest(correlations)),
        Column(f"{100 * correlations[0].confidence:.3g}% CI", [_interval(c) for c in correlations]),
        *outlier_columns(correlations),
        Column("n", [f"{c.n:,}" for c in correlations]),
    ]


def _find_highest(correlations: Sequence[Correlation]) -> list[int]:
    """Return the places of the highest correlation at each level."""
    places = []
    for level in dict.fromkeys(c.level for c in correlations):
        rows = [i for i, c in enumerate(correlations) if c.level == level]
        places += [rows[i] for i in find_best([correlations[i].value for i in rows])]
    return places


def _notes(correlations: Sequence[Correlation]) -> list[str]:
    first = correlations[0]
    notes = []
    if first.interval == "bootstrap":
        over = sorted({_RESAMPLED[c.over] for c in correlations})
        notes.append(
            f"CI: {first.resamples:,} bootstrap samples of {' or '.join(over)}, seed {first.seed}. n: "
            f"{_POINTS[first.level]}s{' of an item' if first.level == 'item' else ''} that are correlated."
        )
    notes += outlier_notes(correlations)
    if corpus := [c.metric for c in correlations if c.corpus]:
        notes.append(f"Correlated by corpus scores: {join_names(list(dict.fromkeys(corpus)), 8)}.")
    if lower := [c.metric for c in correlations if not c.higher_is_better]:
        notes.append(f"Lower is better, so the sign is reversed: {join_names(list(dict.fromkeys(lower)), 8)}.")
    return notes


def chart_correlations(correlations: Sequence[Correlation]) -> Chart:
    """Chart each metric's correlation with people at each level, with intervals."""
    levels = [_LEVELS[level] for level in dict.fromkeys(c.level for c in correlations)]
    rows = [
        {
            "metric": c.metric,
            "level": _LEVELS[c.level],
            "value": vega.number(c.value),
            "low": vega.number(c.low),
            "high": vega.number(c.high),
            "n": c.n,
        }
        for c in correlations
    ]
    shift = {"field": "level", "type": "nominal", "sort": levels}
    colour = {
        **shift,
        "scale": {"domain": levels, "range": ["$accent", "$second", "$third"]},
        "legend": {"title": None, "orient": "top"} if len(levels) > 1 else None,
    }
    x = {"type": "quantitative", "title": f"{correlations[0].method} correlation with {correlations[0].human}"}
    tooltip = vega.tooltip(metric="metric", level="level", value="correlation", low="from", high="to", n="points")
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 14, "for": "offset"},
        "encoding": {"y": vega.names_axis("metric"), "yOffset": shift, "color": colour, "tooltip": tooltip},
        "layer": [
            {"mark": vega.RULE, "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}},
            {"mark": vega.POINT, "encoding": {"x": {**x, "field": "value"}}},
        ],
    }
    columns = (
        text_column("metric", [c.metric for c in correlations]),
        text_column("level", [_LEVELS[c.level] for c in correlations]),
        Column("correlation", [format_decimals(c.value) for c in correlations]),
        Column("95% CI", [_interval(c) for c in correlations]),
        Column("points", [str(c.n) for c in correlations]),
        Column("averaged over", [str(c.groups) if c.groups > 1 else "" for c in correlations]),
    )
    return Chart(spec, columns, f"Correlation of metrics with {correlations[0].human}")


def chart_systems(metric: Scores, human: Scores) -> Chart:
    """Chart a point per system: its score by the metric and by people."""
    ours, theirs = align_scores(metric, human)
    points = list(zip(ours.systems, ours.means().tolist(), theirs.means().tolist(), strict=True))
    rows = [{"system": s, "score": m, "human": h} for s, m, h in points if m == m and h == h]
    layers = vega.named_points(rows, "human", "score", "system")

    def axis(field: str, title: str) -> dict[str, Any]:
        return {"field": field, "type": "quantitative", "scale": vega.fixed_scale(rows, field), "title": title}

    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": vega.PLOT_HEIGHT,
        "encoding": {
            "x": axis("human", f"{human.name}, by people"),
            "y": axis("score", vega.safe_title(metric.name)),
            "tooltip": vega.tooltip(system="system", score=metric.name, human=human.name),
        },
        "layer": layers,
    }
    columns = (
        text_column("system", [s for s, _, _ in points]),
        Column(metric.name, format_scores([m for _, m, _ in points])),
        Column(human.name, format_scores([h for _, _, h in points])),
    )
    return Chart(spec, columns, f"{metric.name} against {human.name}, a point per system")
