"""Show the sentences of abstracts that were made from two sentences of their document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_share

if TYPE_CHECKING:
    from ..corpus.fusion_pairs import FusionPairs


def view_fusion_pairs(result: FusionPairs) -> View:
    """Show how many sentences were made from one, two or more, and those made from two."""
    total = result.sentences
    headline = (
        f"{result.from_two:,} of {format_count(total, 'sentence')} ({format_share(result.from_two / total)}) in "
        f"{format_count(result.abstracts, 'abstract')} were made from two sentences of their document."
    )
    counts = {
        "from one document sentence": result.from_one,
        "from two": result.from_two,
        "from two, but nearly all from one": result.uneven,
        "from more than two, or in other words": result.other,
    }
    columns = [
        text_column("sentences of abstracts", list(counts)),
        Column("n", [f"{count:,}" for count in counts.values()]),
        Column("share", [format_share(count / total) for count in counts.values()]),
    ]
    pairs = [
        text_column("part", ["fused", "first", "second"] * len(result.pairs)),
        text_column("sentence", [text for p in result.pairs for text in (p.fused, p.first, p.second)]),
    ]
    tables = [Table(columns), *([Table(pairs, title="Fused sentences and their sources")] if result.pairs else [])]
    return View([headline], tables)
