"""Show aligned words, and how good links are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._draw.links import draw_link_lines, draw_link_matrix
from ._format import format_count, format_decimals

if TYPE_CHECKING:
    from ..text.align.results import AlignerScores, PairAlignment


def view_alignment(result: PairAlignment) -> View:
    """Show both texts with the numbers of their linked groups, or a matrix of links."""
    alignment = result.alignment
    a, b = ([t.text for t in side.tokens] for side in (alignment.a, alignment.b))
    if result.matrix:
        return View(text=draw_link_matrix(a, b, {(k.a, k.b): k.kind for k in alignment.links}))
    groups = alignment.phrases()
    text = draw_link_lines(a, b, [(g.a, g.b) for g in groups])
    if not groups:
        return View(text=f"{text}\n\nNo words of these two texts are aligned.")
    best = [max(k.score for i in g.a for k in alignment.of_a[i]) for g in groups]
    columns = [
        Column("", [str(n) for n in range(1, len(groups) + 1)]),
        text_column("first", [alignment.words_a(g) for g in groups]),
        text_column("second", [alignment.words_b(g) for g in groups]),
        text_column("why", ["+".join(g.kinds) for g in groups]),
        Column("score", [format_decimals(score, 2) for score in best]),
    ]
    return View(text=text, tables=[Table(columns)])


def view_aligner_scores(result: AlignerScores) -> View:
    """Show precision, recall and F1 next to the baseline of equal words."""
    ours, plain = (next(s for s in result.scores if s.aligner == name) for name in ("aligner", "equal words"))
    columns = [
        text_column("aligner", [s.aligner for s in result.scores]),
        text_column("lines", [s.lines for s in result.scores]),
        *(Column(head, [format_decimals(getattr(s, head)) for s in result.scores]) for head in ("precision", "recall")),
        Column("F1", [format_decimals(s.f1) for s in result.scores]),
        Column("links", [f"{s.links:,}" for s in result.scores]),
        Column("gold links", [f"{s.gold:,}" for s in result.scores]),
        Column("correct", [f"{s.right:,}" for s in result.scores]),
    ]
    sentence = (
        f"The aligner reaches F1 {format_decimals(ours.f1)} on {format_count(result.pairs, 'pair')}; linking equal "
        f"words reaches {format_decimals(plain.f1)}."
    )
    return View([sentence], [Table(columns)], notes=["equal words: each word is linked to the first equal word left."])
