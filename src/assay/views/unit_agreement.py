"""Show how far annotators of content units agree."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import MISSING, format_count, format_decimals, format_percent, join_names, judge_alpha

if TYPE_CHECKING:
    from ..pyramid.duplicates import DuplicateMarks
    from ..pyramid.unit_agreement import PeerAgreement, PyramidAgreement


def view_pyramid_agreement(result: PyramidAgreement) -> View:
    """Show agreement on what the units are, and which unit of one annotator is which of the other."""
    measures = {
        "alpha, MASI": result.alpha_masi,
        "alpha, Jaccard": result.alpha_jaccard,
        "F of word pairs": result.span_f,
        "alpha of peers' scores": result.score_alpha,
    }
    table = Table(
        [
            text_column("measure", list(measures)),
            Column("value", [format_decimals(value) for value in measures.values()]),
        ]
    )
    matches = Table(
        [
            text_column("topic", [m.item for m in result.matches]),
            text_column(result.first, [m.first for m in result.matches]),
            text_column(result.second, [m.second or "–" for m in result.matches]),
            Column("overlap", [format_decimals(m.overlap, 2) for m in result.matches]),
        ],
        title="Units that go together",
    )
    notes = [
        "alpha: Krippendorff's alpha over the words that at least one annotator put in a unit; a word's value is the "
        "set of words in its unit, compared by the MASI or Jaccard distance (Passonneau 2006). F of word pairs: pairs "
        "of words in one unit. overlap: F of the words of two units."
    ]
    headline = (
        f"{result.first} and {result.second} {_judge(_weaker(result))} on what the units are: alpha "
        f"{format_decimals(result.alpha_masi)} with the MASI distance, F of word pairs "
        f"{format_decimals(result.span_f)} ({format_count(result.words, 'word')}, "
        f"{format_count(result.topics, 'topic')})."
    )
    return View([headline], [table, matches], notes=notes)


def view_peer_agreement(result: PeerAgreement) -> View:
    """Show agreement on which units are in the peers."""
    measures = {
        "alpha of marks (nominal)": format_decimals(result.presence_alpha),
        "same marks": format_percent(result.same),
        "alpha of scores (interval)": format_decimals(result.score_alpha),
    }
    table = Table([text_column("measure", list(measures)), Column("value", list(measures.values()))])
    headline = (
        f"{join_names(result.annotators)} {_judge(result.presence_alpha)} on which peer states which unit: "
        f"Krippendorff's alpha {format_decimals(result.presence_alpha)} over {format_count(result.marks, 'mark')} of "
        f"{format_count(result.peers, 'peer')}."
    )
    return View([headline], [table], title="Do the annotators agree?")


def view_duplicate_marks(result: DuplicateMarks) -> View:
    """Show how consistent each annotator is on texts that come twice."""
    rows = result.annotators
    names = [row.annotator or MISSING for row in rows]
    table = Table(
        [
            text_column("annotator", names),
            Column("pairs", [f"{row.pairs:,}" for row in rows]),
            Column("same marks", [format_percent(row.same) for row in rows]),
            Column("alpha", [format_decimals(row.alpha) for row in rows]),
            Column("score gap", [format_decimals(row.score_gap) for row in rows]),
        ]
    )
    notes = ["alpha: nominal, over every unit in two identical texts. score gap: mean difference of modified scores."]
    return View([_describe_duplicates(result)], [table], notes=notes, title="Identical texts marked twice")


def _describe_duplicates(result: DuplicateMarks) -> str:
    worst, pairs = result.annotators[0], format_count(result.pairs, "pair")
    name = worst.annotator or "the annotator"
    if worst.same == 1:
        return f"All identical texts were marked alike ({pairs})."
    return (
        f"Check {name}: in identical texts {format_percent(1 - worst.same)} of the marks differ, which changes the "
        f"score by {format_decimals(worst.score_gap)} on average ({pairs} in all)."
    )


def _weaker(result: PyramidAgreement) -> float:
    """Return what the verdict is about: alpha, or the F of word pairs where more than half of the pairs differ."""
    return min(result.alpha_masi, result.span_f) if result.span_f < 0.5 else result.alpha_masi


def _judge(alpha: float) -> str:
    return "cannot be compared" if isnan(alpha) else f"agree {judge_alpha(alpha)}"
