"""Deletions: what a shorter text left out, each part with a label: entailed, unknown or not entailed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from .bonds import Bond, Bonds
from .modifiers import ENTAILED, LABELS, NOT_ENTAILED, UNKNOWN


class Deletion(NamedTuple):
    """Words that were deleted together; `head` is the kept word that they depend on or that needed them.

    `risky`: the label is unknown, and such deletions often change what is said.
    """

    words: tuple[int, ...]
    label: str
    reason: str
    head: int = -1
    risky: bool = False


def broken_bonds(bonds: Bonds, tokens_kept: Collection[int]) -> list[Bond]:
    """Return the bonds between a kept word and a deleted one."""
    selected = frozenset(tokens_kept)
    return [bond for bond in bonds.all if bond.word in selected and bond.needed not in selected]


def label_deletions(bonds: Bonds, tokens_kept: Collection[int]) -> tuple[Deletion, ...]:
    """Label what a text with these words left out, one deletion for each piece of the parse tree.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The alleged killer of a judge left a red car in Rome."])
    >>> for d in label_deletions(Bonds(a), [0, 2, 6, 7, 9]):
    ...     print(" ".join(a.tokens[i].text for i in d.words), "|", d.label)
    alleged | not entailed
    of a judge | unknown
    red | entailed
    in Rome | entailed
    """
    a = bonds.a
    selected = frozenset(tokens_kept)
    deleted = [i for i in range(len(a.tokens)) if i not in selected and not a.punctuation[i]]
    left_out = frozenset(deleted)
    tops = {i: _top(a.heads, i, left_out) for i in deleted}
    pieces: dict[int, list[int]] = {}
    for i in deleted:
        pieces.setdefault(tops[i], []).append(i)
    worst: dict[int, Bond] = {}
    for bond in broken_bonds(bonds, selected):
        top = tops.get(bond.needed)
        if top is not None and (top not in worst or _rank(bond.label) > _rank(worst[top].label)):
            worst[top] = bond
    deletions = []
    for top in sorted(pieces):
        words = tuple(pieces[top])
        broken = worst.get(top)
        if broken is not None and broken.label == NOT_ENTAILED:
            deletions.append(Deletion(words, broken.label, broken.reason, broken.word))
            continue
        head = broken.word if broken is not None else a.heads[top] if a.heads[top] in selected else -1
        reason = broken.reason if broken is not None else bonds.rules.judge(top).reason
        risks = bonds.risks
        risky = head >= 0 and (
            risks.limits(top, words) or risks.is_restriction(top, words) or risks.strands(words, selected)
        )
        deletions.append(Deletion(words, UNKNOWN if broken is not None or risky else ENTAILED, reason, head, risky))
    return tuple(sorted(deletions))


def _rank(label: str) -> int:
    return LABELS.index(label)


def _top(heads: tuple[int, ...], i: int, deleted: frozenset[int]) -> int:
    """Return the highest word of the deleted piece that a word is in."""
    while heads[i] in deleted:
        i = heads[i]
    return i
