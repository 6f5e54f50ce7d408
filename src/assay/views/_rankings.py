"""Show comparisons of systems that people ranked."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
from ._format import (
    format_count,
    format_decimals,
    format_interval_percent,
    format_p,
    format_p_cell,
    format_percent,
    format_range,
    join_names,
)
from ._sentences import describe_lack, describe_sides, name_judges, name_needs

if TYPE_CHECKING:
    from ..comparison.rankings import RankingComparison, WorthPair

_NAMES = {"Plackett-Luce": "Plackett-Luce model", "Bradley-Terry": "Bradley-Terry model with Davidson's ties"}


def view_ranking(result: RankingComparison) -> View:
    """Show an order of systems by rankings: the best system, then all with worths, bands and tests."""
    return View([_headline(result)], [Table(_columns(result))], [chart_worths(result)], _notes(result))


def chart_worths(result: RankingComparison) -> Chart:
    """Chart systems from best to worst with the intervals of their worths; the leaders stand out."""
    leaders = set(result.leaders())
    rows = [
        {
            "system": r.system,
            "score": vega.number(r.worth),
            "low": vega.number(r.low),
            "high": vega.number(r.high),
            "n": r.n,
            "band": r.bands,
            "place": vega.BEST if r.system in leaders else vega.OTHERS,
        }
        for r in result.ranking
    ]
    spec = vega.ranked_intervals(rows, f"worth by {result.metric}", count="rankings")
    return Chart(
        spec, tuple(_columns(result)[: 3 if result.baseline else 4]), f"Systems by {result.metric} with intervals"
    )


def _headline(result: RankingComparison) -> str:
    if result.baseline:
        return _against_baseline(result)
    answer, *_ = result.statements()
    count, nearest = len(result.ranking), result.neighbours[0]
    first, numbers = nearest.better, _numbers(result, nearest)
    if answer.needs:
        of = f"whether {first} or {nearest.worse}" if count == 2 else f"which of {count} systems"
        return f"{describe_lack(answer)} {of} is ranked first by {result.metric}: {name_needs(answer)}."
    if answer.claim == "not shown to differ" and count == 2:
        return f"No significant difference between {first} and {nearest.worse} in {result.metric}: {numbers}."
    if answer.claim == "not shown to differ" and len(result.bands) == 1:
        none = f"No significant differences among the {count} systems in {result.metric}."
        return f"{none} {first} is ranked first: {numbers}."
    if answer.claim == "not shown to differ":
        others = f"but not significantly above {join_names(answer.others)}"
    elif answer.claim == "undefined":
        others = "without a test"
    else:
        others = f"significantly above {f'the other {count - 1} systems' if count > 2 else nearest.worse}"
    return f"{name_judges(answer.judges)} rank {first} first by {result.metric}, {others}: {numbers}."


def _against_baseline(result: RankingComparison) -> str:
    reference, statements = result.reference, result.statements()
    if statements[0].needs:
        return (
            f"{describe_lack(statements[0])} which systems are ranked above {reference} by {result.metric}: "
            f"{name_needs(statements[0])}."
        )
    parts = describe_sides(statements, reference, "ranked significantly above", "ranked significantly below")
    return f"By {result.metric}: {'; '.join(parts)}."


def _numbers(result: RankingComparison, pair: WorthPair) -> str:
    interval = format_interval_percent(pair.low, pair.high, result.confidence)
    where = f"{format_count(result.rankings, 'ranking')} of {format_count(result.items, 'item')}"
    return (
        f"{pair.better} is put above {pair.worse} {format_percent(pair.preference)} of the time{interval}, ties aside "
        f"({format_p(pair.adjusted)}, {where})"
    )


def _columns(result: RankingComparison) -> list[Column]:
    pairs = [None if r.system == result.reference else result.pair(result.reference, r.system) for r in result.ranking]
    complete = not any(isnan(r.mean_rank) for r in result.ranking)
    return [
        text_column("system", [r.system for r in result.ranking]),
        Column("worth", [format_decimals(r.worth) for r in result.ranking]),
        Column(f"{100 * result.confidence:.3g}% CI", [format_range(r.low, r.high) for r in result.ranking]),
        *([] if result.baseline else [text_column("band", [r.bands for r in result.ranking])]),
        *([Column("mean rank", [format_decimals(r.mean_rank, 2) for r in result.ranking])] if complete else []),
        Column("rankings", [f"{r.n:,}" for r in result.ranking]),
        Column(f"p vs {'baseline' if result.baseline else 'best'}", [_p(p) for p in pairs]),
        *_next_columns(result),
    ]


def _next_columns(result: RankingComparison) -> list[Column]:
    if result.baseline:
        return []
    following: list[WorthPair | None] = [*result.neighbours, None]
    return [
        Column("above next", ["" if p is None else format_percent(p.preference) for p in following]),
        Column("p vs next", [_p(p) for p in following]),
    ]


def _p(pair: WorthPair | None) -> str:
    return "" if pair is None else format_p_cell(pair.adjusted, significant=pair.significant)


def _describe_bands(result: RankingComparison) -> str:
    return "" if result.baseline else " band: systems that share a letter do not differ significantly."


def _notes(result: RankingComparison) -> list[str]:
    noun = "item" if result.clusters == result.items else "cluster"
    where = "" if noun == "item" else f" in {format_count(result.clusters, noun)}"
    notes = [
        f"worth: chance to be put first of all systems, ties aside ({_NAMES[result.model]}). {result.prior:g} wins and "
        f"{result.prior:g} losses against a hypothetical average system are added to each system, so that one that "
        "always wins has a finite worth. above next: how often the system is put above the next in the table, of the "
        f"times they do not tie. Intervals: {result.resamples:,} bootstrap samples of {noun}s, seed {result.seed}. "
        f"Tests: difference of log worths over its bootstrap standard error, with intervals for "
        f"{format_count(result.tests, 'pair')} at once: * significant at level {result.alpha:g}."
        f"{_describe_bands(result)}",
        f"{format_count(result.rankings, 'ranking')} by {format_count(result.raters, 'rater')} of "
        f"{format_count(result.items, 'item')}{where}; {result.tied:,} with ties, {result.partial:,} of only some "
        "systems.",
    ]
    if result.undefined:
        notes.append(
            f"In {result.undefined:,} of {result.resamples:,} samples some systems were not ranked together; these "
            "were left out, and intervals are too narrow."
        )
    if result.unranked:
        notes.append(f"Never ranked, so not in the table: {join_names(result.unranked)}.")
    return notes
