"""Notes that every view of several metrics has: who was left out, and what each name stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..data.evalset import SKIPPED
from ._format import format_count, join_names

if TYPE_CHECKING:
    from ..data.copies import SystemCopy


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


def describe_instead(problem: str) -> list[str]:
    """Say that systems are correlated where items were asked for, and what items would need.

    >>> describe_instead("items need 20; there are 3"), describe_instead("")
    (['Items need 20; there are 3. So systems are correlated.'], [])
    """
    return [f"{problem[0].upper()}{problem[1:]}. So systems are correlated."] if problem else []


def describe_copies(copies: Sequence[SystemCopy], most: int = 5) -> str:
    """Say which systems have the same texts as which.

    >>> from assay.data.copies import SystemCopy
    >>> describe_copies([SystemCopy("B", "A", 9, 10)])
    'B has the same outputs as A on 9 of 10 items'
    """
    parts = [
        f"{c.system} has the same outputs as {c.original} on {c.same:,} of {c.items:,} items" for c in copies[:most]
    ]
    rest = len(copies) - most
    return "; ".join(parts) + (f"; and so have {rest:,} more systems" if rest > 0 else "")


def input_notes(
    signatures: Mapping[str, str],
    left_out: Sequence[str] = (),
    leaked: Sequence[str] = (),
    copies: Sequence[SystemCopy] = (),
    *,
    can_keep: bool = True,
) -> list[str]:
    """Say which people, systems that repeat references and copies were left out, and what names of metrics stand for.

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
    if copies:
        it = "it" if len(copies) == 1 else "them"
        notes.append(f"Counted once: {describe_copies(copies)}; --copies include counts {it} again.")
    return notes + [f"{name} = {signature}" for name, signature in signatures.items() if signature != name]
