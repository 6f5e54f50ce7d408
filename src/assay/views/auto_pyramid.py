"""Show automatic next to manual annotation of content units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_percent, format_signed, shorten_text

if TYPE_CHECKING:
    from ..pyramid.auto import AutoPyramid, MissedUnit, SuggestionQuality

_MAX_CHARS = 60  # characters of words and labels in the table


def view_auto_pyramid(result: AutoPyramid) -> View:
    """Show how well suggestions fit, differences by annotator and topic, and the units that may have been missed."""
    return View(_describe(result), _tables(result), notes=_notes(result))


def _describe(result: AutoPyramid) -> list[str]:
    sentences = [
        f"Suggestions from other texts of the topic find {format_percent(result.recall)} of the marked units, and "
        f"{format_percent(result.precision)} of their suggestions were marked ({format_count(result.peers, 'peer')}, "
        f"{format_count(result.topics, 'topic')}); automatic and manual scores correlate at r = "
        f"{format_decimals(result.pearson)}."
    ]
    below = [row for row in result.annotators if row.difference < 0]
    if below:
        worst = min(below, key=lambda row: row.difference)
        name = worst.annotator or "The annotator"
        sentences.append(
            f"{name} may have missed units: the automatic score is above the manual one by "
            f"{format_decimals(-worst.difference)} on average ({format_decimals(worst.automatic)} against "
            f"{format_decimals(worst.manual)})."
        )
    return sentences


def _quality_table(result: AutoPyramid) -> Table:
    rows: list[AutoPyramid | SuggestionQuality] = [result, *result.without_copies]
    names = ["of all other texts", "of texts that are not copies"] if not result.skip_copies else ["of no copies"]
    return Table(
        [
            text_column("suggestions", names[: len(rows)]),
            Column("precision", [format_decimals(row.precision) for row in rows]),
            Column("recall", [format_decimals(row.recall) for row in rows]),
            Column("r", [format_decimals(row.pearson) for row in rows]),
            Column("rho", [format_decimals(row.spearman) for row in rows]),
            Column("r within topics", [format_decimals(row.within_topics) for row in rows]),
        ]
    )


def _tables(result: AutoPyramid) -> list[Table]:
    tables = [
        _quality_table(result),
        Table(
            [
                text_column("annotator", [row.annotator or "–" for row in result.annotators]),
                Column("manual", [format_decimals(row.manual) for row in result.annotators]),
                Column("automatic", [format_decimals(row.automatic) for row in result.annotators]),
                Column("difference", [format_signed(row.difference) for row in result.annotators]),
                Column("topics", [f"{row.topics:,}" for row in result.annotators]),
            ],
            title="By annotator",
        ),
        Table(
            [
                text_column("topic", [row.item for row in result.by_topic]),
                text_column("annotator", [row.annotator or "–" for row in result.by_topic]),
                Column("manual", [format_decimals(row.manual) for row in result.by_topic]),
                Column("automatic", [format_decimals(row.automatic) for row in result.by_topic]),
                Column("difference", [format_signed(row.difference) for row in result.by_topic]),
                Column("peers", [f"{row.peers:,}" for row in result.by_topic]),
            ],
            title="By topic",
        ),
    ]
    if result.misses:
        tables.append(
            Table(
                [
                    text_column("topic", [miss.item for miss in result.misses]),
                    text_column("peer", [miss.peer for miss in result.misses]),
                    text_column("annotator", [miss.annotator or "–" for miss in result.misses]),
                    text_column("unit", [shorten_text(miss.label, _MAX_CHARS) for miss in result.misses]),
                    text_column("words", [shorten_text(miss.words, _MAX_CHARS) for miss in result.misses]),
                    text_column("as in", [_name_source(miss) for miss in result.misses]),
                ],
                title="Found automatically, not marked",
            )
        )
    return tables


def _name_source(miss: MissedUnit) -> str:
    """Return the other text, with the words that were assigned there where they are not the same."""
    words = shorten_text(miss.contributor_words, _MAX_CHARS)
    return miss.contributor if miss.words == miss.contributor_words else f"{miss.contributor}: {words}"


def _notes(result: AutoPyramid) -> list[str]:
    stands = "A unit is suggested where a contributor of a model or of another peer stands: "
    methods = {
        "exact": f"{stands}the same words.",
        "lemma": f"{stands}the same words or their dictionary forms.",
        "partial": f"{stands}the same words, their dictionary forms, or most content words aligned in one sentence.",
        "learned": "A unit is suggested where the words of a sentence and marks in sentences like it make it likely.",
    }
    notes = [
        f"{methods[result.method]} "
        "Scores are modified Pyramid scores; r and rho are their correlations with manual ones, over all peers.",
        "Automatic above manual: a unit was missed here, or assigned by accident in the text named under 'as in'.",
    ]
    if result.copies and not result.skip_copies:
        notes.append(
            f"{format_count(result.copies, 'peer')} have the text of another, which makes suggestions easy: the second "
            "row takes nothing from copies; --skip-copies does so in all tables."
        )
    return notes
