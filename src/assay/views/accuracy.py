"""Show how metrics rank by their agreement with people, and whether a sentinel wins."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from ..data.minimums import MINIMUMS
from ..data.view import Column, Table, View, text_column
from ..meta.minimums import MIN_SYSTEMS
from ._format import (
    MISSING,
    coefficient_symbol,
    find_best,
    format_count,
    format_decimals,
    format_interval,
    format_number,
    format_percent,
    format_range,
    format_signed,
    join_names,
)
from ._inputs import describe_instead, input_notes

if TYPE_CHECKING:
    from ..meta import MetricRanking, RankedMetric

_MEASURES = {
    "accuracy": "accuracy",
    "soft_accuracy": "soft accuracy",
    "acc_eq": "acc_eq",
    "pdp": "PDP",
    "near_pairs": "tau of near pairs",
    "correlation": "correlation",
}


_SWAPPED = {"systems": "whole systems", "inputs": "items", "both": "single scores"}


def view_metric_ranking(result: MetricRanking) -> View:
    """Show metrics by rank, with sentinels among them."""
    return View(_sentences(result), [Table(_columns(result)), Table(_differences(result))], notes=_notes(result))


def _sentences(result: MetricRanking) -> list[str]:
    ranked = [m for m in result.ranking if not m.sentinel and m.rank >= 0]
    if not ranked:
        return [f"No metric has a {result.method} correlation with {result.human} at {result.level} level."]
    best = ranked[0]
    ties = [m.metric for m in ranked[1:] if m.rank == best.rank > 0]
    symbol = coefficient_symbol(result.method)
    lead = (
        f"{best.metric} has the highest correlation with {result.human}: {symbol} = {format_number(best.correlation)} "
        f"at {result.level} level, and puts {format_percent(best.accuracy)} of "
        f"{format_count(result.pairs, 'system pair')} in the same order."
    )
    rival = result.rival()
    if best.rank == 0:
        lead += (
            f" {format_count(result.systems, 'system')} are too few to test whether another metric is worse: at least "
            f"{MIN_SYSTEMS} are needed."
        )
    elif rival is not None:
        lead += f" But {_compare_rival(rival, symbol)}."
    elif ties:
        lead += f" Not significantly worse: {join_names(ties)}."
    few = MINIMUMS["best metric"].lacks({"systems": result.systems})
    if few and best.rank > 0 and rival is None and len(ranked) > 1:
        lead += f" {format_count(result.systems, 'system')} are too few to call it best: 8 are needed."
    return [*describe_instead(result.instead), lead, *describe_sentinels(result)]


def _compare_rival(rival: RankedMetric, symbol: str) -> str:
    numbers = f"{symbol} = {format_number(rival.correlation)}"
    if rival.difference >= 0:
        return f"{rival.metric}, which cannot see quality, agrees as well ({numbers})"
    interval = format_interval(-rival.difference_high, -rival.difference_low, 0.95, places=3)
    return (
        f"it is not significantly better than {rival.metric}, which cannot see quality ({numbers}; difference "
        f"{format_signed(-rival.difference)}{interval})"
    )


def describe_sentinels(result: MetricRanking) -> list[str]:
    """Say whether a sentinel, a simple measure that cannot see quality, reaches the best metric."""
    names = [m.metric for m in result.ranking if m.sentinel]
    if not names:
        return []
    wins = result.sentinel_wins()
    if not wins:
        return [f"No sentinel ({join_names(names)}) reaches the best metric by any measure."]
    listed = "; ".join(f"{join_names(winners)} by {_MEASURES[measure]}" for measure, winners in wins.items())
    return [
        f"Sentinels, which cannot see quality, reach or beat the best metric ({listed}): on this data these "
        "measures do not show which metric sees quality."
    ]


def _columns(result: MetricRanking) -> list[Column]:
    def column(head: str, field: str) -> Column:
        values = [getattr(m, field) for m in result.ranking]
        best = find_best([nan if m.sentinel else v for m, v in zip(result.ranking, values, strict=True)])
        return Column(head, [format_decimals(value) for value in values], best=best)

    return [
        text_column("metric", [m.metric for m in result.ranking]),
        Column("rank", [_rank(m.rank) for m in result.ranking]),
        column(f"{coefficient_symbol(result.method)} ({result.level})", "correlation"),
        *([column("without outliers", "without_outliers")] if result.outliers else []),
        column("accuracy", "accuracy"),
        column("soft accuracy", "soft_accuracy"),
        column("PDP", "pdp"),
        column("near pairs", "near_pairs"),
        column("acc_eq", "acc_eq"),
        Column("rank (acc_eq)", [_rank(m.rank_acc_eq) for m in result.ranking]),
    ]


def _differences(result: MetricRanking) -> list[Column]:
    rows = [m for m in result.ranking if m.difference != 0]
    return [
        text_column("metric", [m.metric for m in rows]),
        Column("difference from the best", [format_decimals(m.difference) for m in rows]),
        Column("95% CI", [format_range(m.difference_low, m.difference_high) for m in rows]),
    ]


def _rank(rank: int) -> str:
    return str(rank) if rank > 0 else MISSING


def _notes(result: MetricRanking) -> list[str]:
    sentinels = any(m.sentinel for m in result.ranking)
    return [
        *(["In brackets: sentinels, simple measures that cannot see quality and must not win."] if sentinels else []),
        f"rank: a new rank begins where a metric is significantly worse than one of the rank above (permutation test, "
        f"{result.resamples:,} swaps of {_SWAPPED[result.over]}, level {result.alpha:g}, seed {result.seed}). "
        "accuracy: share of system pairs in the same order as by people. soft accuracy: agreement of the p-values of "
        "system pairs. PDP: Pearson correlation of all score differences within items. near pairs: Kendall's tau over "
        "the quarter of system pairs that are closest by the metric. acc_eq: share of output pairs of an item in the "
        "same order or tied, with ties of the metric calibrated; its test is over pairs of systems, and knows which "
        "share one. difference: of the correlation, with a bootstrap interval over systems and items.",
        *([f"Outliers: {join_names(result.outliers, 10)}."] if result.outliers else []),
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]
