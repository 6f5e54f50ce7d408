"""Show the scores of texts by their content units, and how far texts contain the same units."""

from __future__ import annotations

from math import isnan

from ..pyramid.content_units import UnitKappas
from ..pyramid.score import ContentScores
from ._format import format_count, format_decimals
from ._view import Column, Table, View, text_column

_HEADS = {
    "coverage": "coverage",
    "precision": "precision",
    "recall": "recall",
    "f": "F",
    "mean_f": "mean F",
    "original": "pyramid",
    "modified": "modified",
}


def view_content_scores(result: ContentScores) -> View:
    """Show the scores of each text."""
    rows = result.texts
    names = [name for name in _HEADS if any(getattr(row, name) is not None for row in rows)]
    columns = [
        text_column("text", [row.text for row in rows]),
        *(Column(_HEADS[name], [format_decimals(getattr(row, name)) for row in rows]) for name in names),
        Column("items", [f"{row.items:,}" for row in rows]),
    ]
    return View([_describe(result)], [Table(columns)], notes=_notes(result))


def view_unit_kappas(result: UnitKappas) -> View:
    """Show kappa of every two texts as a triangle."""
    pairs = {(p.first, p.second): p for p in result.pairs}
    rows, others = result.texts[:-1], result.texts[1:]
    columns = [
        text_column("kappa", list(rows)),
        *(Column(b, [format_decimals(pairs[a, b].kappa) if (a, b) in pairs else "" for a in rows]) for b in others),
    ]
    best = max(result.pairs, key=lambda p: -2.0 if isnan(p.kappa) else p.kappa)
    headline = (
        "Kappa of these texts is undefined: all of them contain the same units, or none."
        if isnan(best.kappa)
        else f"{best.first} and {best.second} agree most on what to keep: kappa {format_decimals(best.kappa)}."
    )
    return View([headline], [Table(columns)], notes=["Cohen's kappa over all units: 1 is agreement, 0 is chance."])


def _describe(result: ContentScores) -> str:
    sizes = f"{format_count(result.units, 'content unit')} in {format_count(result.items, 'item')}"
    others = [row for row in result.texts if row.text != result.gold and row.f is not None and not isnan(row.f)]
    if result.gold and others:
        best = max(others, key=lambda row: row.f or 0.0)
        return f"{best.text} shares most content with {result.gold}: F {format_decimals(best.f)} ({sizes})."
    best = max(result.texts, key=lambda row: -1.0 if isnan(row.coverage) else row.coverage)
    return f"{best.text} covers most content: {format_decimals(best.coverage)} of the units ({sizes})."


def _notes(result: ContentScores) -> list[str]:
    notes = ["coverage: share of the units in the text, mean over items."]
    if result.gold:
        notes.append(f"precision, recall, F: against {result.gold}, over all units. mean F: mean over items.")
    if result.references:
        names = ", ".join(result.references)
        notes.append(
            f"pyramid, modified: original and modified Pyramid score against {names}, each of which is scored against "
            "the others."
        )
    return notes
