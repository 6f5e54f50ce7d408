"""Show outputs that are their own references, and what they do to correlations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import coefficient_symbol, format_count, format_decimals, format_number, format_percent, join_names
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import LeakEffect, Leaks


def view_leaks(result: Leaks) -> View:
    """Show which systems' outputs are their own references, and the correlation with and without them."""
    sentences = [describe_leaks(result), *[_describe_effect(effect) for effect in result.effects[:1]]]
    return View(sentences, _tables(result), notes=_notes(result))


def describe_leaks(result: Leaks) -> str:
    """Say how many outputs are among their own references."""
    if not result.leaks:
        return f"No output is among its own references ({format_count(result.outputs, 'output')} checked)."
    if not result.systems:
        return (
            f"{format_count(len(result.leaks), 'output')} of {result.outputs:,} ({format_percent(result.value)}) "
            f"{'equals' if len(result.leaks) == 1 else 'equal'} a reference, but no system does so on half of its "
            "items: short texts match by chance."
        )
    count = sum(leak.system in result.systems for leak in result.leaks)
    end = "is among its own references" if count == 1 else "are among their own references"
    return (
        f"{format_count(count, 'output')} of {join_names(result.systems)} "
        f"({format_percent(count / result.outputs)} of all outputs) {end}."
    )


def _describe_effect(effect: LeakEffect) -> str:
    symbol = coefficient_symbol(effect.method)
    sentence = (
        f"If they are scored against themselves too, {effect.metric} correlates with {effect.human} at {symbol} = "
        f"{format_number(effect.all_references)} ({effect.level} level); if only against the other references, at "
        f"{symbol} = {format_number(effect.other_references)}"
    )
    if isnan(effect.without_systems):
        return f"{sentence}."
    return f"{sentence}; without these systems, at {symbol} = {format_number(effect.without_systems)}."


def describe_leaked(effects: Sequence[LeakEffect], leaked: Sequence[str]) -> list[str]:
    """Say which systems that repeat references were left out, and what the first metric correlates with them.

    Without such systems, the effects are those of people who are scored against their own texts.
    """
    if not leaked:
        return [
            f"People are scored against their own texts too (own=keep), which lifts them: {e.metric} correlates at "
            f"{coefficient_symbol(e.method)} = {format_number(e.all_references)} with them, at "
            f"{format_number(e.other_references)} where they are scored against the other references"
            f"{'' if isnan(e.without_systems) else f', at {format_number(e.without_systems)} without them'}."
            for e in effects[:1]
        ]
    one = len(leaked) == 1
    it = "it" if one else "them"
    return [
        f"{join_names(leaked)} {'repeats' if one else 'repeat'} a reference on at least half of the items and "
        f"{'is' if one else 'are'} left out: {e.metric} correlates at {coefficient_symbol(e.method)} = "
        f"{format_number(e.without_systems)} without {it}, at {format_number(e.other_references)} with {it} scored "
        f"against the other references, and at {format_number(e.all_references)} with {it} as "
        f"{'it is' if one else 'they are'}."
        for e in effects[:1]
    ]


def _tables(result: Leaks) -> list[Table]:
    effects = [
        text_column("metric", [e.metric for e in result.effects]),
        Column("all references", [format_decimals(e.all_references) for e in result.effects]),
        Column("other references", [format_decimals(e.other_references) for e in result.effects]),
        Column("without these systems", [format_decimals(e.without_systems) for e in result.effects]),
    ]
    counts = Counter(leak.system for leak in result.leaks)
    listed = [
        text_column("system", result.systems),
        Column("outputs", [f"{result.by_system[name]:,}" for name in result.systems]),
        Column("own references", [f"{counts[name]:,}" for name in result.systems]),
    ]
    return [Table(columns) for columns in (effects, listed) if columns[0].cells]


def _notes(result: Leaks) -> list[str]:
    notes = []
    if result.effects:
        first = result.effects[0]
        notes.append(
            f"{first.method} correlation with {first.human} at {first.level} level; people among the systems are "
            "included."
        )
    if result.leaks:
        notes.append(
            f"An output is its own reference if the two are the same text (case and spacing aside) or share more than "
            f"{format_percent(result.near)} of their words."
        )
    return notes + input_notes({e.metric: e.signature for e in result.effects})
