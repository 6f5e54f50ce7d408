"""Notes that every view of several metrics has: who was left out, and what each name stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..data.evalset import SKIPPED
from ._format import format_count, join_names


def leak_notes(leaked: Sequence[str], signature: str = "") -> list[str]:
    """Say which systems repeat references, and whether they are scored against the others.

    >>> leak_notes(["A"], "rouge2 + repeats skipped")
    ['A repeats a reference on at least half of the items: scored against the other references, where there are any.']
    >>> leak_notes(["A"], "rouge2")
    ['A repeats a reference on at least half of the items: its score is too high.']
    """
    if not leaked:
        return []
    too_high = f"{'its score is' if len(leaked) == 1 else 'their scores are'} too high"
    against_others = "scored against the other references, where there are any"
    return [f"{_repeat_references(leaked)}: {against_others if SKIPPED in signature else too_high}."]


def _repeat_references(leaked: Sequence[str]) -> str:
    verb = "repeats" if len(leaked) == 1 else "repeat"
    return f"{join_names(leaked, 10)} {verb} a reference on at least half of the items"


def input_notes(
    signatures: Mapping[str, str],
    left_out: Sequence[str] = (),
    leaked: Sequence[str] = (),
    *,
    can_keep: bool = True,
) -> list[str]:
    """Say which people and which systems that repeat references were left out, and what the names of metrics stand for.

    >>> input_notes({"rouge2": "rouge2(stem=true)", "bleu": "bleu"}, ["P1"])
    ['Left out: 1 person among the systems (P1); --people include keeps them.', 'rouge2 = rouge2(stem=true)']
    """
    notes = []
    if left_out:
        count = format_count(1, "person") if len(left_out) == 1 else f"{len(left_out):,} people"
        names = join_names(left_out, 10)
        how = "; --people include keeps them" if can_keep else ""
        notes.append(f"Left out: {count} among the systems ({names}){how}.")
    if leaked:
        notes.append(
            f"Left out: {_repeat_references(leaked)}; --leaked include keeps {'it' if len(leaked) == 1 else 'them'}."
        )
    return notes + [f"{name} = {signature}" for name, signature in signatures.items() if signature != name]
