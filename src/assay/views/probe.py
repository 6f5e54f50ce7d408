"""Show what a metric prefers outside the range of real systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_decimals, format_number, format_percent

if TYPE_CHECKING:
    from ..meta.probe import Probe


def view_probe(result: Probe) -> View:
    """Show whether other metrics agree with the probed one, and an example of a text it prefers."""
    columns = [
        text_column("metric", [o.other for o in result.others]),
        Column("all extracts", [format_decimals(o.whole) for o in result.others]),
        Column("within systems", [format_decimals(o.within) for o in result.others]),
        Column("above systems", [format_decimals(o.above) for o in result.others]),
        Column("outputs beaten", [format_percent(o.beaten) for o in result.others]),
    ]
    return View(_sentences(result), [Table(columns)], notes=[*_notes(result), *_example(result)])


def _sentences(result: Probe) -> list[str]:
    extracts, count = format_number(result.extracts_high), len(result.items)
    means = f"(means over {count} items)" if count > 1 else "(1 item)"
    lead = f"Extracts optimized for {result.metric} reach {extracts}"
    if isnan(result.systems_high):
        return [f"{lead} {means}."]
    lead = f"{lead}; the best system has {format_number(result.systems_high)} {means}."
    known = [o for o in result.others if not isnan(o.beaten)]
    if not known:
        return [lead]
    least = min(known, key=lambda o: o.beaten)
    return [lead, f"By {least.other}, the same extracts beat {format_percent(least.beaten)} of the systems' outputs."]


def _example(result: Probe) -> list[str]:
    """Show the item on which the other metrics think least of the best extract."""
    case = result.clearest()
    lines = [
        f"Example (item {case.item}, on which the other metrics think least of the extract). Best extract by "
        f"{result.metric} ({format_number(case.score)}): {_quote(case.extract)}"
    ]
    if case.best_system:
        score = format_number(case.best_score)
        lines.append(f"Best system by {result.metric}, {case.best_system} ({score}): {_quote(case.best_output)}")
    return [*lines, f"Reference: {_quote(case.reference)}"] if case.reference else lines


def _quote(text: str) -> str:
    return f'"{" ".join(text.split())}"'


def _notes(result: Probe) -> list[str]:
    count = max((o.items for o in result.others), default=0)
    systems = _span([result.systems_low, result.systems_high], format_number)
    extracts = _span([result.extracts_low, result.extracts_high], format_number)
    return [
        f"{result.metric}: systems range from {systems}, extracts from {extracts} (means over items); "
        f"{format_percent(result.share_above)} of the last generations score higher than every system.",
        f"all extracts, within systems, above systems: rank correlation with {result.metric} over all extracts of an "
        f"item, over those that score as its systems do, and over those that score higher (on {count} items with 5 or "
        "more). outputs beaten: share of the systems' outputs to which the metric prefers the extract that is best by "
        f"{result.metric}.",
        f"{result.population} extracts in a generation, {_span([i.generations for i in result.items])} generations, at "
        f"most {_span([i.words for i in result.items])} words; seed {result.seed} (Peyrard et al. 2017, section 4.4).",
    ]


def _span(values: Sequence[float], form: Callable[[float], str] = str) -> str:
    low, high = form(min(values)), form(max(values))
    return low if low == high else f"{low} to {high}"
