"""Show how well metrics see the differences between outputs of one item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import (
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_p_cell,
    format_percent,
    format_range,
    format_signed,
    join_names,
)
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta.pooled_differences import PooledDifferences

_ALPHA = 0.05


def view_pooled_differences(result: PooledDifferences) -> View:
    """Show the metrics by the correlation of differences within items, the best first."""
    return View([_describe(result), *_explain(result)], [Table(_columns(result))], notes=_notes(result))


def _explain(result: PooledDifferences) -> list[str]:
    """Say why differences are pooled, where metrics cannot be compared for one pair of systems at a time."""
    if 2 * result.comparable >= result.system_pairs:
        return []
    return [
        f"Differences are pooled over systems, because only {result.comparable:,} of "
        f"{format_count(result.system_pairs, 'pair')} of systems have 4 judged items in common, the fewest on which "
        "metrics can be compared for a single pair."
    ]


def _describe(result: PooledDifferences) -> str:
    best = result.ranking[0]
    if best.value != best.value:
        return f"No two outputs of an item differ by {result.human} and by a metric: nothing can be correlated."
    rank = "sees differences between outputs of the same item" + (" best" if len(result.ranking) > 1 else "")
    lead = (
        f"{best.metric} {rank}: r = {format_number(best.value)}"
        f"{format_interval(best.low, best.high, result.confidence)} with differences in {result.human}, and "
        f"{format_percent(best.agreement)} of {format_count(result.pairs, 'pair')} of outputs in the same order "
        f"({format_count(result.items, 'item')}, {format_count(result.systems, 'system')})."
    )
    near = [row.metric for row in result.ranking[1:] if row.pvalue > _ALPHA]
    return f"{lead} Not significantly worse: {join_names(near)}." if near else lead


def _columns(result: PooledDifferences) -> list[Column]:
    rows, percent = result.ranking, f"{100 * result.confidence:.3g}% CI"
    best = rows[0].metric
    others = [None if row.metric == best else row for row in rows]
    return [
        text_column("metric", [row.metric for row in rows]),
        Column("r of differences", [format_decimals(row.value) for row in rows]),
        Column(percent, [format_range(row.low, row.high) for row in rows]),
        Column("same order", [format_percent(row.agreement) for row in rows]),
        Column("difference", ["" if row is None else format_signed(row.difference) for row in others]),
        Column(
            f"{percent} of it",
            ["" if row is None else format_range(row.difference_low, row.difference_high) for row in others],
        ),
        Column(
            "p",
            ["" if row is None else format_p_cell(row.pvalue, significant=row.pvalue <= _ALPHA) for row in others],
        ),
    ]


def _notes(result: PooledDifferences) -> list[str]:
    return [
        "r of differences: Pearson correlation of the score differences of all pairs of outputs of an item, pooled "
        f"over {format_count(result.items, 'item')} with two outputs or more ({format_count(result.outputs, 'output')})"
        ". same order: share of the pairs that people put in an order; a tie of the metric counts as half. "
        f"difference: from the best metric. Intervals: {result.resamples:,} bootstrap samples of items with all their "
        f"outputs, seed {result.seed}; that of a difference, and its two-sided test (level {_ALPHA:g}, not adjusted "
        "for the number of metrics), also count what outputs of one system have in common.",
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]
