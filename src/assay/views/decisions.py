"""Show whether metrics decide about pairs of systems as people do."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..comparison.evidence import ITEM_TESTS
from ..data.chart import Chart
from ..data.minimums import MINIMUMS
from ..data.view import Column, Table, View, text_column
from ..meta.minimums import MIN_ITEMS, MIN_SYSTEMS
from . import _vega as vega
from ._format import (
    MISSING,
    format_count,
    format_percent,
    format_range,
    format_share,
    format_signed,
    join_names,
    test_name,
)
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import DecisionAgreement, DecisionAgreements, PairDecisions

_HOW_OFTEN = {
    "better": "significantly more often than",
    "worse": "significantly less often than",
    "same": "about as often as",
}


def view_decision_agreement(result: DecisionAgreement) -> View:
    """Show whether one metric decides about pairs of systems as people do."""
    return View(
        [describe_decisions(result)], [Table(_columns([result]))], [chart_decisions([result])], _notes([result])
    )


def view_decision_agreements(result: DecisionAgreements) -> View:
    """Show which metrics decide about pairs of systems as people do, the best first."""
    ranked = result.agreements
    notes = [*_notes(ranked), *input_notes(result.signatures, copies=result.copies)]
    described = describe_decisions(ranked[0])
    if result.against_best and not described.startswith("Too few"):
        described += _describe_others(ranked)
    return View([described], [Table(_columns(ranked))], [chart_decisions(ranked)], notes)


def _describe_others(ranked: Sequence[DecisionAgreement]) -> str:
    """Say which metrics are not significantly worse than the first, or that there are too few systems to test it."""
    others = [result.systems.same_decision for result in ranked[1:]]
    if all(isnan(share.pvalue) for share in others):
        return f" A test between metrics needs at least {MIN_SYSTEMS} systems."
    near = [result.metric for result, share in zip(ranked[1:], others, strict=True) if share.verdict == "same"]
    return f" Not significantly worse: {join_names(near)}." if near else ""


def describe_decisions(result: DecisionAgreement) -> str:
    """Say how often a metric and people decide the same about two systems."""
    of, pairs = result.systems, format_count(result.n, "pair")
    least = MINIMUMS["correlation"].counts["systems"]
    if result.n < least * (least - 1) // 2 and of.pairs:
        return (
            f"Too few pairs of systems ({result.n:,}) to say how often {result.metric} decides as {result.human}: "
            f"{least * (least - 1) // 2}, those of {least} systems, are needed."
        )
    if not of.pairs:
        return (
            f"{result.metric} and {result.human} cannot be compared on decisions: no two systems have {MIN_ITEMS} "
            "judged items in common."
        )
    if not of.differences.n:
        return (
            f"By {result.human}, there is no significant difference in any of {pairs} of systems; {result.metric} puts "
            f"{format_percent(of.same_order.value)} of them in the same order."
        )
    wrong = f"on {format_percent(of.contradictions)}" if of.contradictions else "on none"
    sentence = (
        f"{result.metric} and {result.human} come to the same decision on {format_percent(result.value)} of {pairs} of "
        f"systems (significantly better, worse, or no difference) and to opposite ones {wrong}; they put "
        f"{format_percent(of.same_order.value)} of the pairs in the same order."
    )
    if result.baseline in (None, result.metric):
        return sentence
    if not of.verdict:
        return f"{sentence} A test against {result.baseline} needs at least {MIN_SYSTEMS} systems."
    return f"{sentence} {result.metric} decides as people do {_HOW_OFTEN[of.verdict]} {result.baseline}."


def _columns(results: Sequence[DecisionAgreement]) -> list[Column]:
    rows = [(result.metric, of) for result in results for of in result.decisions]
    baseline = results[0].baseline
    return [
        text_column("metric", [metric for metric, _ in rows]),
        text_column("pairs of", [of.pairs_of for _, of in rows]),
        Column("pairs", [f"{of.pairs:,}" for _, of in rows]),
        Column("same decision", [format_percent(of.same_decision.value) for _, of in rows]),
        Column("95% CI", [format_range(100 * of.same_decision.low, 100 * of.same_decision.high, 0) for _, of in rows]),
        Column("diff", [format_percent(of.differences.value) for _, of in rows]),
        Column("no diff", [format_percent(of.no_differences.value) for _, of in rows]),
        Column("opposite", [format_share(of.contradictions) for _, of in rows]),
        Column("same order", [format_percent(of.same_order.value) for _, of in rows]),
        *(_differences(baseline, rows) if baseline is not None else []),
    ]


def _differences(baseline: str, rows: Sequence[tuple[str, PairDecisions]]) -> list[Column]:
    """Return the columns on the baseline metric: the verdict, and the difference of shares in points."""
    shares = [None if metric == baseline else of.same_decision for metric, of in rows]
    return [
        text_column(f"vs {baseline}", ["" if share is None else share.verdict or MISSING for share in shares]),
        Column("difference", ["" if share is None else format_signed(100 * share.difference, 1) for share in shares]),
        Column(
            "95% CI of it",
            [
                "" if share is None else format_range(100 * share.difference_low, 100 * share.difference_high, 1)
                for share in shares
            ],
        ),
    ]


def _notes(results: Sequence[DecisionAgreement]) -> list[str]:
    first = results[0]
    notes = [
        f"Each pair is decided {_describe_tests(first)} (level {first.alpha:g}), once by the metric "
        "and once by people: better, worse, or no difference. same decision: both decide the same. diff: of the pairs "
        "on which people find a difference, share on which the metric decides the same; no diff: of those on which "
        "they find none. opposite: "
        "both find a difference, in opposite directions. same order: the means are in the same order, whether or not "
        "the difference is significant (Owczarzak et al. 2012, Tables 2 and 3)."
    ]
    if first.baseline is not None:
        notes.append(
            f"vs {first.baseline}: same decision significantly more often (better) or less often (worse) than by "
            f"{first.baseline}, level 0.05. difference: in percentage points. Intervals and test are over systems, as "
            "pairs that share a system are not independent."
        )
    most = max(of.undecidable for result in results for of in result.decisions)
    if most:
        notes.append(
            f"Left out: up to {format_count(most, 'pair')} with fewer than {MIN_ITEMS} judged items in common."
            if first.test in ITEM_TESTS
            else f"Left out: up to {format_count(most, 'pair')} with so few items that no difference could be found."
        )
    return notes + [_contradictions(result) for result in results if result.systems.contradicted]


def _describe_tests(result: DecisionAgreement) -> str:
    """Say how pairs were decided."""
    if result.test in ITEM_TESTS:
        return f"by a {test_name(result.test)} paired by item"
    people = " (of people: for other raters)" if result.human_test == "satterthwaite" else ""
    return f"as assay compare decides it{people}"


def _contradictions(result: DecisionAgreement) -> str:
    pairs = [f"{a} and {b}" for a, b in result.systems.contradicted]
    names = "; ".join(pairs[:5]) + (f"; {len(pairs) - 5} more" if len(pairs) > 5 else "")
    return f"{result.metric} and {result.human} decide the opposite on: {names}."


def chart_decisions(results: Sequence[DecisionAgreement]) -> Chart:
    """Chart what metrics and people decide about pairs of systems: the same, one a difference, or the opposite."""
    kinds = ["same decision", "one finds a difference", "opposite"]
    rows = []
    for result in results:
        same, opposite = result.value, result.systems.contradictions
        rows += [
            {"metric": result.metric, "kind": kind, "order": i, "share": vega.number(share)}
            for i, (kind, share) in enumerate(zip(kinds, [same, 1 - same - opposite, opposite], strict=True))
        ]
    x = {
        "field": "share",
        "type": "quantitative",
        "title": "pairs of systems",
        "stack": "zero",
        "axis": {"format": ".0%"},
        "scale": {"domain": [0, 1]},
    }
    colour = {
        "field": "kind",
        "type": "nominal",
        "legend": {"title": None, "orient": "top", "columns": 2},
        "scale": {"domain": kinds, "range": ["$accent", "$faint", "$second"]},
    }
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 26},
        "mark": {"type": "bar"},
        "encoding": {
            "y": vega.names_axis("metric"),
            "x": x,
            "order": {"field": "order", "type": "quantitative"},
            "color": colour,
            "tooltip": [*vega.tooltip(metric="metric", kind="decision"), vega.share("share", "pairs")],
        },
    }
    of = [result.systems for result in results]
    columns = (
        text_column("metric", [result.metric for result in results]),
        Column("pairs", [str(o.pairs) for o in of]),
        Column("same decision", [format_percent(o.same_decision.value) for o in of]),
        Column("95% CI", [format_range(100 * o.same_decision.low, 100 * o.same_decision.high, 0) for o in of]),
        Column("opposite", [format_percent(o.contradictions) for o in of]),
        Column("people's differences found", [format_percent(o.differences.value) for o in of]),
        Column("people's ties found", [format_percent(o.no_differences.value) for o in of]),
        Column("same order of means", [format_percent(o.same_order.value) for o in of]),
    )
    return Chart(spec, columns, f"Decisions on pairs of systems: metrics and {results[0].human}")
