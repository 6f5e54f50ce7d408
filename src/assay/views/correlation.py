"""Show how metrics correlate with people."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from ..data.alignment import align_scores
from ..data.chart import Chart
from ..data.minimums import correlation_minimum
from ..data.view import Column, Table, View, text_column
from ..meta import (
    Correlation,
    Correlations,
    DifferenceCorrelations,
    Failures,
    MetricDifference,
    SentinelDifference,
    state_correlation,
)
from . import _vega as vega
from ._format import (
    coefficient_symbol,
    find_best,
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_p_cell,
    format_percent,
    format_range,
    format_scores,
    format_signed,
    is_all,
    join_names,
)
from ._inputs import describe_copies, describe_instead, input_notes
from ._sentences import ask_direction, describe_lack, name_needs
from .outliers import describe_outliers, outlier_columns, outlier_notes

if TYPE_CHECKING:
    from ..data.scores import Scores
    from ..data.statement import Statement

_LEVELS = {"system": "systems", "item": "within items", "per-system": "within systems", "pooled": "all outputs"}
_AT_LEVEL = {
    "system": "at system level",
    "item": "within items",
    "per-system": "within systems",
    "pooled": "over all outputs",
}
_POINTS = {"system": "system", "item": "system", "per-system": "item", "pooled": "output"}
_RESAMPLED = {"both": "systems and items", "inputs": "items", "systems": "systems"}


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
        *([Column("items failed", [_items_failed(failures[m]) if m else "" for m in rows])] if failures else []),
        Column("r of differences", [format_decimals(differences[m].value) if m else "" for m in rows]),
        Column("pooled", [format_decimals(differences[m].pooled) if m else "" for m in rows]),
    ]
    sentences: list[str] = []
    if result.leak_effects:
        from .leak import describe_leaked

        sentences = describe_leaked(
            sorted(result.leak_effects, key=lambda e: e.metric != first[0].metric), result.leaked
        )
    notes = [
        *([f"Judged: {result.design.describe()}."] if result.design else []),
        *_notes(result.correlations),
        *_failure_notes(result.failures),
        "r of differences: correlation of the score differences between two systems over items, averaged over pairs of "
        "systems (Toutanova et al. 2016). pooled: the same over all pairs and items at once (PDP).",
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]
    described = [
        *describe_instead(result.instead),
        *_describe_all(result, first),
        *sentences,
        *_describe_copies(result, first[0]),
    ]
    tables = [Table(columns), *_difference_tables(result)]
    return View(described, tables, [chart_correlations(result.correlations)], notes)


def _describe_copies(result: Correlations, first: Correlation) -> list[str]:
    """Say which systems are counted once, and what the first metric correlates if they are counted again."""
    if not result.copies or isnan(first.with_copies):
        return []
    symbol = coefficient_symbol(first.method)
    return [
        f"{describe_copies(result.copies)}, so they count once; counted again, {first.metric} correlates at "
        f"{symbol} = {format_number(first.with_copies)} instead of {format_number(first.value)}."
    ]


def _items_failed(failures: Failures) -> str:
    return f"{format_percent(failures.value)} of {failures.n:,}"


def _failure_notes(failures: Sequence[Failures]) -> list[str]:
    if not failures:
        return []
    symbol = coefficient_symbol(failures[0].method)
    below = f"the items on which {symbol} is below {failures[0].threshold:g} (Peyrard et al. 2017)"
    return [f"items failed: share of {below}, and how many items have one."]


def _difference_tables(result: Correlations) -> list[Table]:
    """Return a table of the differences from the best metric, and one of the sentinels."""
    rows, blind = result.metric_differences, _sentinel_table(result)
    if not rows:
        return blind
    levels = {row.level for row in rows}
    confidence = 100 * result.correlations[0].confidence
    columns = [
        text_column("metric", [row.metric for row in rows]),
        *([text_column("level", [_LEVELS[row.level] for row in rows])] if len(levels) > 1 else []),
        text_column("compared with", [row.best for row in rows]),
        Column("difference", [format_signed(row.difference) for row in rows]),
        Column(f"{confidence:.3g}% CI", [_difference_interval(row) for row in rows]),
        *([Column("p", [_difference_p(row) for row in rows])] if any(row.level == "system" for row in rows) else []),
    ]
    return [Table(columns), *blind]


def _sentinel_table(result: Correlations) -> list[Table]:
    """Return what measures that cannot see quality correlate, and how far the best metric is above them."""
    rows = result.sentinels
    if not rows:
        return []
    confidence = 100 * result.correlations[0].confidence
    columns = [
        text_column("sentinel", [row.sentinel for row in rows]),
        Column(coefficient_symbol(result.correlations[0].method), [format_decimals(row.correlation) for row in rows]),
        Column(f"{rows[0].metric} less it", [format_signed(row.difference) for row in rows]),
        Column(f"{confidence:.3g}% CI", [format_range(row.low, row.high) for row in rows]),
    ]
    return [Table(columns)]


def _difference_p(row: MetricDifference) -> str:
    return format_p_cell(row.pvalue, significant=row.clear) if row.level == "system" else ""


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


def describe_correlation(c: Correlation, statement: Statement | None = None) -> str:
    """Say how a metric correlates with people, or how many points it takes to say it."""
    statement, where = statement or state_correlation(c), _AT_LEVEL[c.level]
    if statement.claim == "undefined":
        return f"{c.metric} has no {c.method} correlation with {c.human} {where} ({_over(c)})."
    if statement.needs:
        lack = f"{describe_lack(statement)} how well {c.metric} correlates with {c.human}"
        if is_all(c.low, c.high):
            return f"{lack}: the interval leaves out nothing, and more are needed."
        return f"{lack}: {name_needs(statement)}."
    value = f"{_value(c)}, {_over(c)}"
    outliers = describe_outliers(c)
    if statement.claim == "does not agree":
        return f"No significant correlation of {c.metric} with {c.human} {where}: {value}.{outliers}"
    negatively = "negatively " if c.high < 0 else ""
    return f"{c.metric} correlates {negatively}with {c.human} {where}: {value}.{outliers}"


def _describe_all(result: Correlations, first: Sequence[Correlation]) -> list[str]:
    """Say which metric is best, unless the direction of a scale is not known, and warn where it may be wrong."""
    asks = [ask_direction(name, "which metric is best") for name in result.undirected]
    if result.human in result.undirected:
        return asks
    sentences = [_describe_statement(s, first, result) for s in result.statements()]
    known = [c.value for c in first if not isnan(c.value)]
    if not known or max(known) >= 0 or not result.statements()[0].enough:
        return [*sentences, *asks]
    every = f"all {len(known)} metrics" if len(known) > 1 else first[0].metric
    warning = (
        f"Warning: {result.human} correlates negatively with {every}. If low numbers are better there, give "
        f"--lower-is-better {result.human}; if that is stated already, check it."
    )
    return [*sentences, warning, *asks]


def _describe_statement(statement: Statement, ranked: Sequence[Correlation], result: Correlations) -> str:
    """Say what is asserted of the metric that agrees best."""
    best, where, metrics = ranked[0], _AT_LEVEL[ranked[0].level], statement.counts.get("metrics", 0)
    lead = f"{best.metric} has the highest correlation with {best.human} {where}: {_value(best)}, {_over(best)}"
    if statement.claim == "agrees best":
        return f"{lead}.{describe_outliers(best)}{_describe_near(statement)}"
    if statement.claim == "sentinel as good":
        start = (
            lead
            if metrics > 1
            else f"{best.metric} correlates with {best.human} {where}: {_value(best)}, {_over(best)}"
        )
        also = f"{start}. But {_compare_blind(result.sentinels[0], best)}"
        return f"{also}: this data does not show that {best.metric} sees more than that."
    if statement.needs and metrics > 1:
        return (
            f"{describe_lack(statement)} which of {metrics} metrics agrees best with {best.human}: "
            f"{name_needs(statement)}."
        )
    if statement.claim == "does not agree" and len(ranked) > 1:
        return (
            f"No metric of {len(ranked)} correlates significantly with {best.human} {where}; the highest is "
            f"{best.metric}: {_value(best)}, {_over(best)}.{describe_outliers(best)}"
        )
    return describe_correlation(best, statement)


def _compare_blind(blind: SentinelDifference, best: Correlation) -> str:
    """Say that a sentinel does as well, with its correlation and the interval of the difference."""
    interval = format_interval(blind.low, blind.high, best.confidence, places=3)
    numbers = f"{coefficient_symbol(best.method)} = {format_decimals(blind.correlation)}"
    if blind.difference <= 0:
        return f"{blind.sentinel}, which cannot see quality, agrees as well: {numbers}"
    return (
        f"it is not significantly better than {blind.sentinel}, which cannot see quality ({numbers}; difference "
        f"{format_signed(blind.difference)}{interval})"
    )


def _describe_near(statement: Statement) -> str:
    """Name the metrics that may be as good: the interval of their difference from the best includes 0."""
    near = statement.others
    return f" Not clearly worse: {join_names(near)} (the interval of the difference includes 0)." if near else ""


def _value(c: Correlation) -> str:
    interval = format_interval(c.low, c.high, c.confidence, places=3)
    return f"{coefficient_symbol(c.method)} = {format_decimals(c.value)}{interval}"


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
    too_few = c.level == "system" and bool(correlation_minimum(c.level, c.method).lacks({"systems": c.n}))
    few = is_all(c.low, c.high) or (too_few and c.interval is not None and not isnan(c.value))
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
    notes = [note for c in {c.interval: c for c in reversed(correlations)}.values() if (note := _note_interval(c))]
    if any(c.interval == "jackknife" and abs(c.value) == 1 for c in correlations):
        notes.append("Where the coefficient is 1 or -1, the interval is a one-sided bound.")
    if notes:
        points = f"{_POINTS[first.level]}s{' of an item' if first.level == 'item' else ''}"
        notes[-1] += f" n: {points} that are correlated."
    notes += outlier_notes(correlations)
    if corpus := [c.metric for c in correlations if c.corpus]:
        notes.append(f"Correlated by corpus scores: {join_names(list(dict.fromkeys(corpus)), 8)}.")
    if lower := [c.metric for c in correlations if not c.higher_is_better]:
        notes.append(f"Lower is better, so the sign is reversed: {join_names(list(dict.fromkeys(lower)), 8)}.")
    return notes


def _note_interval(c: Correlation) -> str:
    """Say which units an interval is about and how it was made."""
    if c.interval == "jackknife":
        return (
            "CI: the correlation among systems like these, with as many items like these; jackknife over systems, t of "
            "Fisher's z with n - 2 degrees of freedom."
        )
    if c.interval == "bootstrap":
        return f"CI: {c.resamples:,} bootstrap samples of {_RESAMPLED[c.over]}, seed {c.seed}."
    return ""


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
    intervals = {"mark": vega.RULE, "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}}
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 14, "for": "offset"},
        "encoding": {"y": vega.names_axis("metric"), "yOffset": shift, "color": colour, "tooltip": tooltip},
        "layer": [  # without intervals no layer for them: one that is empty has no text for screen readers
            *([intervals] if any(row["low"] is not None for row in rows) else []),
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
