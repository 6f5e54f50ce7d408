"""Faithful choice: word groups that keep what must not be separated, penalties where the limit is too low for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...text.logic.bonds import Bond, Bonds
from ...text.logic.deletions import Deletion, label_deletions
from ...text.logic.modifiers import NOT_ENTAILED
from .._parsed_text import ParsedText
from ._base import Compression
from ._word_groups import WordGroups, group_words

Floats = NDArray[np.float64]
_LOSS = 1000.0  # in logits: more than all words of a sentence weigh
_GRAVE = 4  # a lost condition, exception or attribution weighs as much as so many modifiers in downward places
_TIGHT = 16  # and so does a lost not, almost, alleged or more than
_DOUBT = 0.5  # for a deletion whose label is unknown
# What the length limit may break first: a phrase or clause, not a word such as not, almost or alleged.
_WIDE = frozenset(
    {"condition", "exception", "attribution", "complement", "restriction", "clause", "conjunct", "alternative"}
    | {"argument", "adjunct", "adjective", "adverb", "compound", "possessor", "part of a whole", "what is singled out"}
)


_MILD = _WIDE - {"condition", "exception", "attribution", "part of a whole", "what is singled out"}


class FaithfulGroups:
    """The word groups of one text at each level: all bonds kept, those of single words kept, none."""

    def __init__(self, a: ParsedText, constraints: frozenset[str]) -> None:
        self.a, self.constraints = a, constraints
        self.bonds = Bonds(a)

    @cached_property
    def strict(self) -> WordGroups:
        """Groups that break no bond."""
        return group_words(self.a, self.constraints, self.bonds, [bond[:2] for bond in self.bonds.strict])

    @cached_property
    def tight(self) -> WordGroups:
        """Groups that break no bond of a single word."""
        ties = [bond[:2] for bond in self.bonds.strict if _stem(bond) not in _WIDE]
        return group_words(self.a, self.constraints, self.bonds, ties, lose_source=True)

    @cached_property
    def loose(self) -> WordGroups:
        """Groups that break bonds."""
        return group_words(self.a, self.constraints, self.bonds, lose_source=True)

    @cached_property
    def plain(self) -> WordGroups:
        """Groups that break bonds and leave out complements, where nothing else is short enough."""
        return group_words(self.a, self.constraints)

    def penalties(self, groups: WordGroups) -> Floats:
        """Return what to add to the groups' values so that a broken bond between a group and its parent costs.

        The loss is taken from the parent and given back by the child: a text with neither or both pays nothing.
        """
        values = np.zeros(len(groups.parents))
        for bond in self.bonds.all:
            above, below = int(groups.group[bond.word]), int(groups.group[bond.needed])
            if above >= 0 and below >= 0 and above != below and groups.parents[below] == above:
                loss = _weigh(bond)
                values[above] -= loss
                values[below] += loss
        return values

    @cached_property
    def reporting(self) -> set[int]:
        """The verbs and nouns that say who says what depends on them."""
        return {bond.needed for bond in self.bonds.strict if bond.reason == "attribution"}

    def loss(self, words_kept: Sequence[int]) -> float:
        """Return how much a text with these words changes what is said: what the bonds weigh that it breaks."""
        places = set(words_kept)
        return sum(_weigh(b) for b in self.bonds.strict if b.word in places and b.needed not in places)

    def label(self, compression: Compression) -> Compression:
        """Add the labels of the deletions, and a note that names those that change what is said."""
        deletions = label_deletions(self.bonds, compression.kept_tokens)
        note = note_losses(self.a, deletions)
        return replace(compression, deletions=deletions, notes=(*note, *compression.notes))


def _weigh(bond: Bond) -> float:
    if bond.label != NOT_ENTAILED:
        return _DOUBT
    if _stem(bond) in _MILD and _stem(bond) != bond.reason:
        return _LOSS
    return _LOSS * (_GRAVE if _stem(bond) in _WIDE else _TIGHT)


def _stem(bond: Bond) -> str:
    return bond.reason.partition(" in a ")[0]


def note_losses(a: ParsedText, deletions: tuple[Deletion, ...]) -> tuple[str, ...]:
    """Return the note on deletions that are not entailed; none if there are none."""
    lost = [deletion for deletion in deletions if deletion.label == NOT_ENTAILED]
    if not lost:
        return ()
    parts = "; ".join(f'"{a.tokens[d.head].text}" lost "{_join(a, d.words)}" ({d.reason})' for d in lost)
    return (f"the length limit changed what is said: {parts}",)


def _join(a: ParsedText, words: tuple[int, ...]) -> str:
    return " ".join(a.tokens[i].text for i in words)
