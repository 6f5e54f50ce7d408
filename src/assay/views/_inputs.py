"""Notes that every view of several metrics has: who was left out, and what each name stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._format import format_count, join_names


def input_notes(signatures: Mapping[str, str], left_out: Sequence[str] = (), *, can_keep: bool = True) -> list[str]:
    """Say which people were left out and what the names of metrics stand for.

    >>> input_notes({"rouge2": "rouge2(stem=true)", "bleu": "bleu"}, ["P1"])
    ['Left out: 1 person among the systems (P1); --people include keeps them.', 'rouge2 = rouge2(stem=true)']
    """
    notes = []
    if left_out:
        count = format_count(1, "person") if len(left_out) == 1 else f"{len(left_out):,} people"
        names = join_names(left_out, 10)
        how = "; --people include keeps them" if can_keep else ""
        notes.append(f"Left out: {count} among the systems ({names}){how}.")
    return notes + [f"{name} = {signature}" for name, signature in signatures.items() if signature != name]
