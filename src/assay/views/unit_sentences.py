"""Show sentences of units that were found in outputs next to marks of people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_percent

if TYPE_CHECKING:
    from ..pyramid.unit_sentences import SentenceMatches


def view_sentence_matches(result: SentenceMatches) -> View:
    """Show coverage by hand and by matching, for each system."""
    rows = result.systems
    columns = [
        text_column("system", [row.system for row in rows]),
        Column("marked", [format_decimals(row.marked) for row in rows]),
        Column("matched", [format_decimals(row.matched) for row in rows]),
        Column("texts", [f"{row.texts:,}" for row in rows]),
    ]
    headline = (
        f"Matching the sentences of units finds {format_percent(result.recall)} of the units that people marked, and "
        f"people marked {format_percent(result.precision)} of the units it finds "
        f"({format_count(result.units, 'unit')} in {format_count(result.items, 'item')}); the "
        f"coverage of systems correlates at r = "
        f"{format_decimals(result.pearson)}, that of single texts at {format_decimals(result.text_pearson)}."
    )
    notes = [
        "marked, matched: share of the units in the texts of a system, by people and by matching. A unit is one "
        "sentence that a person wrote; this is not autoPyramid, which matches the words of several texts."
    ]
    return View([headline], [Table(columns)], notes=notes, title="Sentences of units in the outputs")
