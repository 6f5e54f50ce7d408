"""Show paraphrases, and what they change in a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_scores, shorten_text

if TYPE_CHECKING:
    from ..systems.paraphrase.equivalence_sets import Paraphrases
    from ..systems.paraphrase.explain import ParaphraseEffects

_MAX_CHARS = 40  # characters of a phrase in a table


def view_paraphrases(result: Paraphrases) -> View:
    """Show the words and phrases that are equivalent, by the source that they translate."""
    members = sum(len(group.members) for group in result.sets)
    sets = format_count(len(result.sets), "set")
    skipped = f" {format_count(result.skipped, 'line')} empty or too long, left out." if result.skipped else ""
    rows = [(group, member) for group in result.sets for member in group.members]
    columns = [
        text_column("source", [shorten_text(g.source, _MAX_CHARS) if m is g.members[0] else "" for g, m in rows]),
        text_column("equivalents", [shorten_text(m.text, _MAX_CHARS) for _, m in rows]),
        Column("count", [str(m.count) for _, m in rows]),
        Column("p(e|f)", [format_decimals(m.given_source) for _, m in rows]),
        Column("p(f|e)", [format_decimals(m.source_given) for _, m in rows]),
    ]
    if not result.sets:
        lines = format_count(result.lines, "line")
        return View([f"No equivalent words or phrases in {lines}.{skipped}"], notes=[_settings(result)])
    headline = f"{sets} of equivalent words and phrases, {members:,} in all, from {format_count(result.lines, 'line')}."
    notes = ["e: the equivalent, f: the source that it translates.", _settings(result)]
    return View([headline + skipped], [Table(columns)], notes=notes)


def _settings(result: Paraphrases) -> str:
    return f"paraphrases = paraphrases({result.signature})"


def view_paraphrase_effects(result: ParaphraseEffects) -> View:
    """Show how much a metric changes, and which replacements change it."""
    count = len(result.systems)
    before, after = format_scores(
        [sum(s.before for s in result.systems) / count, sum(s.after for s in result.systems) / count]
    )
    rows = result.replacements
    columns = [
        text_column("replacement", [shorten_text(r.replacement, _MAX_CHARS) for r in rows]),
        Column("outputs", [str(r.outputs) for r in rows]),
        Column("change", format_scores([r.change for r in rows])),
        Column("largest", format_scores([r.largest for r in rows])),
        text_column("system", [r.system for r in rows]),
        text_column("item", [r.item for r in rows]),
    ]
    sentence = (
        f"{result.metric}: {before} with the original references, {after} with paraphrases (mean of "
        f"{format_count(count, 'system')}). Paraphrases change the score of {format_count(result.changed, 'output')}."
    )
    notes = [
        "change: what the replacement alone adds to an output's score, on average. largest: the largest change, with "
        "its system and item.",
        f"{result.metric} = {result.signature}",
    ]
    return View([sentence], [Table(columns)], notes=notes)
