"""Show how many sentences of abstracts were made of two sentences of their document."""

from __future__ import annotations

from ..corpus.fusion_pairs import FusionSearch
from ._format import format_count, format_share
from ._view import Column, Table, View, text_column


def view_fusion_search(result: FusionSearch) -> View:
    """Show the counts, and examples."""
    counts = {
        "one document sentence": result.one,
        "two document sentences": result.two,
        "two, but nearly all from one": result.uneven,
        "more sentences, or other words": result.other,
    }
    columns = [
        text_column("made of", list(counts)),
        Column("sentences", [f"{n:,}" for n in counts.values()]),
        Column("share", [format_share(n / result.sentences) for n in counts.values()]),
    ]
    share = format_share(result.two / result.sentences)
    sentence = (
        f"{result.two:,} of {format_count(result.sentences, 'sentence')} ({share}) "
        f"in {format_count(result.documents, 'abstract')} were made of two sentences of their document."
    )
    notes = [f"{f.fused}  <  {f.first}  +  {f.second}" for f in result.examples]
    return View([sentence], [Table(columns)], notes=notes)
