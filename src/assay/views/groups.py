"""Show an answer for each group of items, and one for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Any

from ..data.view import Column, Table, View, text_column
from ._format import (
    MISSING,
    format_count,
    format_decimals,
    format_p_cell,
    format_percent,
    format_range,
    format_scores,
    join_names,
)

if TYPE_CHECKING:
    from ..data.grouped import GroupedResults
    from ..data.result import Result

Rows = list[tuple[str, str, Any]]  # group, items, and its result or None


def view_grouped(result: GroupedResults) -> View:
    """Show the answer for all items, then a row for each group."""
    overall = result.overall.view()
    rows: Rows = [(part.group, f"{part.items:,}", part.result) for part in result.groups]
    rows.append(("all items", f"{result.items:,}", result.overall))
    columns = _COLUMNS.get(result.overall.kind, _answers)(rows)
    problems = [f"No answer for {part.group}: {part.problem}" for part in result.groups if part.result is None]
    sentences = [f"All items: {overall.headline}", *overall.sentences[1:], *_summarize(result)]
    return View(sentences, [Table(columns)], [], [*problems, *overall.notes], title=overall.title)


def _summarize(result: GroupedResults) -> list[str]:
    """Say in how many groups the answer is the same."""
    leader = _LEADERS.get(result.overall.kind)
    if leader is None or getattr(result.overall, "undirected", False):
        return []
    known = [part for part in result.groups if part.result is not None]
    leaders = Counter(name for part in known if (name := leader(part.result)))
    if not leaders:
        return []
    what = _WHAT[result.overall.kind]
    if len(leaders) == 1:
        where = "both groups" if len(known) == 2 else f"all {format_count(len(known), 'group')}"
        return [f"{next(iter(leaders))} has the {what} in {where}."] if len(known) > 1 else []
    counts = [f"{name} in {count}" for name, count in leaders.most_common()]
    return [f"The {what} of {format_count(len(known), 'group')}: {join_names(counts)}."]


def _leader_of_comparison(result: Any) -> str:
    return result.ranking[0].system if result.ranking and not isnan(_score(result.ranking[0])) else ""


def _leader_of_correlations(result: Any) -> str:
    best = result.correlations[0]
    return "" if isnan(best.value) else str(best.metric)


def _score(row: Any) -> float:
    return float(row.worth if hasattr(row, "worth") else row.score)


def _base(rows: Rows) -> list[Column]:
    return [text_column("group", [name for name, _, _ in rows]), Column("items", [items for _, items, _ in rows])]


def _cells(rows: Rows, cell: Callable[[Any], str]) -> list[str]:
    return [MISSING if result is None else cell(result) for _, _, result in rows]


def _comparisons(rows: Rows) -> list[Column]:
    """Return the first two systems of each group, with their scores and the test between them."""
    if any(result is not None and result.undirected for _, _, result in rows):
        return _answers(rows)
    places = format_scores

    order = _first_and_second

    def score(result: Any, at: int) -> str:
        return places([r.score for r in order(result)])[at] if len(result.ranking) > at else ""

    def name(result: Any, at: int) -> str:
        return order(result)[at].system if len(result.ranking) > at else ""

    return [
        *_base(rows),
        text_column("first", _cells(rows, lambda r: name(r, 0))),
        Column("score", _cells(rows, lambda r: score(r, 0))),
        text_column("second", _cells(rows, lambda r: name(r, 1))),
        Column("score", _cells(rows, lambda r: score(r, 1))),
        Column("p", _cells(rows, _first_p)),
        text_column("best systems", _cells(rows, lambda r: join_names(r.leaders(), 4) if r.bands else MISSING)),
    ]


def _first_and_second(result: Any) -> list[Any]:
    """Return the ranked systems; with a baseline, the best of the others and the baseline: these are compared."""
    if not result.baseline:
        return list(result.ranking)
    return sorted(result.ranking, key=lambda r: r.system == result.reference)[:1] + [
        r for r in result.ranking if r.system == result.reference
    ]


def _first_pair(result: Any) -> Any:
    return result.pair(*(r.system for r in _first_and_second(result)[:2]))


def _format_above(result: Any) -> str:
    pair, (first, _) = _first_pair(result), _first_and_second(result)[:2]
    return format_percent(pair.preference if pair.better == first.system else 1 - pair.preference)


def _first_p(result: Any) -> str:
    if not result.pairs:
        return ""
    pair = _first_pair(result)
    return format_p_cell(pair.adjusted, significant=pair.significant)


def _rankings(rows: Rows) -> list[Column]:
    return [
        *_base(rows),
        Column("rankings", _cells(rows, lambda r: f"{r.rankings:,}")),
        text_column("first", _cells(rows, lambda r: _first_and_second(r)[0].system)),
        Column("worth", _cells(rows, lambda r: format_decimals(_first_and_second(r)[0].worth))),
        text_column("second", _cells(rows, lambda r: _first_and_second(r)[1].system)),
        Column("above second", _cells(rows, _format_above)),
        Column("p", _cells(rows, _first_p)),
        text_column("best systems", _cells(rows, lambda r: join_names(r.leaders(), 4) if r.bands else MISSING)),
    ]


def _correlations(rows: Rows) -> list[Column]:
    """Return the correlation of each metric in each group, metrics in the order of all items."""
    metrics = list(dict.fromkeys(c.metric for c in rows[-1][2].correlations))

    def value(metric: str) -> Callable[[Any], str]:
        return lambda result: format_decimals(result[metric].value)

    def interval(metric: str) -> Callable[[Any], str]:
        return lambda result: format_range(result[metric].low, result[metric].high, 2)

    return [
        *_base(rows),
        *(
            column
            for metric in metrics
            for column in (
                Column(metric, _cells(rows, value(metric))),
                Column(f"{100 * rows[-1][2].correlations[0].confidence:.3g}% CI", _cells(rows, interval(metric))),
            )
        ),
    ]


def _agreements(rows: Rows) -> list[Column]:
    """Return Krippendorff's alpha of each dimension in each group."""
    cells = [(group, items, dimension) for group, items, table in rows if table for dimension in table.dimensions]
    return [
        text_column("group", [group for group, _, _ in cells]),
        Column("items", [items for _, items, _ in cells]),
        text_column("dimension", [a.dimension for _, _, a in cells]),
        Column("outputs", [f"{a.outputs:,}" for _, _, a in cells]),
        Column("alpha", [format_decimals(a.alpha.value) for _, _, a in cells]),
        Column("CI", [format_range(a.alpha.low, a.alpha.high) for _, _, a in cells]),
        Column("equal", [format_decimals(a.percent_agreement) for _, _, a in cells]),
        Column("kappa", [format_decimals(a.kappa) for _, _, a in cells]),
    ]


def _ranking_agreements(rows: Rows) -> list[Column]:
    return [
        *_base(rows),
        Column("rankings", _cells(rows, lambda r: f"{r.rankings:,}")),
        Column("tau", _cells(rows, lambda r: format_decimals(r.tau.value))),
        Column("CI", _cells(rows, lambda r: format_range(r.tau.low, r.tau.high))),
        Column("W", _cells(rows, lambda r: format_decimals(r.w.value))),
        Column("p of order", _cells(rows, lambda r: format_p_cell(r.pvalue).strip())),
    ]


def _answers(rows: Rows) -> list[Column]:
    """Return the headline of each group."""
    return [*_base(rows), text_column("answer", _cells(rows, _headline))]


def _headline(result: Result) -> str:
    return result.view().headline


_COLUMNS: dict[str, Callable[[Rows], list[Column]]] = {
    "comparison": _comparisons,
    "ranking": _rankings,
    "correlations": _correlations,
    "agreement_table": _agreements,
    "ranking_agreement": _ranking_agreements,
}
_LEADERS: dict[str, Callable[[Any], str]] = {
    "comparison": _leader_of_comparison,
    "ranking": _leader_of_comparison,
    "correlations": _leader_of_correlations,
}
_WHAT = {"comparison": "best score", "ranking": "first rank", "correlations": "highest correlation"}
