"""Faithful choice: the text within a limit that changes the meaning least, and notes on what it changes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....text.logic.attachment import raise_limits
from ....text.logic.bonds import Bond, Bonds
from ....text.logic.deletions import Deletion, label_deletions
from ....text.logic.lexicon import omissible
from ....text.logic.modifiers import NOT_ENTAILED, UNKNOWN
from ....text.parse.flat import ParsedText
from .._base import Compression
from .constraints import base
from .dependency_tree import DependencyTree
from .word_groups import FORBIDDEN, Need, WordGroups, group_words

Floats = NDArray[np.float64]
_LOSS = 1000.0  # in logits: more than all words of a sentence weigh
_PART = (
    12.0  # a lost whole of which something is a part weighs as much as this number of content words in downward places
)
GRAVE = 24.0  # so does a lost condition, exception or attribution
_TIGHT = 48.0  # and a lost not, almost, alleged or more than
_ARGUMENT = 96.0  # a subject or object is left out only where nothing else is short enough
_DOUBT = 0.5  # in logits, for a deletion with an unknown label
# What the length limit may break first: a phrase or clause, not a word such as not, almost or alleged.
_WIDE = frozenset(
    {"complement", "restriction", "clause", "conjunct", "alternative", "argument", "adjunct", "adjective", "adverb"}
    | {"compound", "possessor", "what is singled out"}
)
_LIMITS = frozenset({"condition", "exception", "attribution"})
_PARTS = frozenset({"part of a whole", "standard of comparison", "what is absent"})
_WHOLE = frozenset({"name", "number", "connective"})  # all of it or nothing
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})


class FaithfulGroups:
    """The word groups of one text, and what it costs to separate words."""

    def __init__(self, a: ParsedText, constraints: frozenset[str]) -> None:
        self.a, self.constraints = a, constraints
        self.bonds = Bonds(a)

    @cached_property
    def tree(self) -> ParsedText:
        """The text with conditions and the like at the clause that they may limit."""
        return raise_limits(self.bonds.facts)

    @cached_property
    def whole(self) -> list[tuple[int, int]]:
        """Pairs of words of which no text has one: parts of a name, a number and its bound."""
        return [bond[:2] for bond in self.bonds.strict if bond.reason in _WHOLE]

    @cached_property
    def strict(self) -> WordGroups:
        """Groups that break no bond, for a text without a length limit."""
        return group_words(self.a, self.constraints, self.bonds, [bond[:2] for bond in self.bonds.strict])

    @cached_property
    def loose(self) -> WordGroups:
        """Groups that can break bonds, but for names and numbers."""
        return group_words(self.tree, self.constraints, self.bonds, self.whole, lose_source=True)

    @cached_property
    def short(self) -> WordGroups:
        """Groups that also leave out complements where what is left is a sentence: she refused."""
        tree = DependencyTree(self.tree, self.bonds, lose_source=True)
        ties = list(self.whole)
        for i in range(len(self.a.words)):
            partner = None if self.a.punctuation[i] else tree.find_partner(i, self.constraints)
            if partner is not None and not self._is_omissible(i, partner):
                ties.append((i, partner))
        constraints = self.constraints - {"arguments"}
        return group_words(self.tree, constraints, self.bonds, ties, lose_source=True)

    def _is_omissible(self, i: int, head: int) -> bool:
        clause = base(self.a.words[i].relation) in ("ccomp", "xcomp") and self.a.heads[i] == head
        return clause and self.a.words[head].lemma.lower() in omissible()

    @cached_property
    def split(self) -> WordGroups:
        """Groups that leave out even subjects and objects, but no part of a name or number."""
        return group_words(self.a, self.constraints - {"arguments"}, ties=self.whole, whole=False)

    @cached_property
    def arguments(self) -> list[tuple[int, int]]:
        """Pairs of a verb and its subject or object, in the order of their places."""
        tree = DependencyTree(self.a)
        partners = (
            (i, tree.find_partner(i, {"arguments"})) for i in range(len(self.a.words)) if not self.a.punctuation[i]
        )
        return [(head, i) for i, head in partners if head is not None]

    @cached_property
    def bare(self) -> WordGroups:
        """Groups that leave out any complement, but no part of a name or number."""
        return group_words(self.a, self.constraints, ties=self.whole, whole=False)

    @cached_property
    def plain(self) -> WordGroups:
        """Groups that keep to grammar only, where nothing else is short enough."""
        return group_words(self.a, self.constraints)

    def doubts(self, groups: WordGroups) -> Floats:
        """Return what to add to the groups' values so that an unknown deletion of a group costs.

        The loss is taken from the parent and given back by the child: a text with neither or both pays nothing.
        """
        values = np.zeros(len(groups.parents))
        for bond in self.bonds.all:
            above, below = int(groups.group[bond.word]), int(groups.group[bond.needed])
            if bond.label == UNKNOWN and min(above, below) >= 0 and groups.parents[below] == above:
                values[above] -= _DOUBT
                values[below] += _DOUBT
        return values

    def needs(self, groups: WordGroups) -> list[Need]:
        """Return which group needs which, and how grave it is to separate them; each pair once."""
        prices: dict[tuple[int, int], float] = {}
        for bond in self.bonds.strict:
            pair = int(groups.group[bond.word]), int(groups.group[bond.needed])
            if min(pair) >= 0 and pair[0] != pair[1]:
                prices[pair] = max(prices.get(pair, 0.0), self.weigh(bond))
        for pair in ((int(groups.group[head]), int(groups.group[i])) for head, i in self.arguments):
            if min(pair) >= 0 and pair[0] != pair[1] and groups is self.split:
                prices[pair] = _ARGUMENT
        return [Need(*pair, price) for pair, price in prices.items()]

    def weigh(self, bond: Bond) -> float:
        """Return how grave it is to break a strict bond: in a downward place, as many content words as are lost."""
        stem = bond.reason.partition(" in a ")[0]
        for reasons, weight in ((_LIMITS, GRAVE), (_PARTS, _PART)):
            if stem in reasons:
                return weight
        if stem not in _WIDE:
            return _TIGHT
        if stem == "what is singled out" and base(self.a.words[bond.needed].relation) in ("acl", "advcl"):
            return _PART
        return float(max(1, sum(self.a.words[i].pos in _CONTENT for i in self.a.subtree(bond.needed))))

    def choose(
        self,
        groups: WordGroups,
        scores: Floats,
        costs: NDArray[np.int64],
        states: NDArray[np.int64],
        least: int,
        most: int,
        lossless: bool = False,
        adjacency: float = 0.0,
    ) -> tuple[list[int], float] | None:
        """Find the tokens of the text of this length that loses least, then is longest, then has the highest score.

        Also return what it loses. None if no text is so long, or, with `lossless`, if each loses something.
        """
        scores = scores + self.doubts(groups)
        needs = self.needs(groups)
        neighbours = adjacency * len(groups.group)
        word = 2 * (float(np.abs(scores).sum()) + neighbours) + 1  # one more word is worth more than any score
        loss = word * (int(costs.sum()) + 1)  # and the smallest loss more than any number of words
        prices = [Need(n.group, n.needed, FORBIDDEN if lossless else n.price * loss) for n in needs]
        members = groups.best_priced(scores + word * costs, costs, states, prices, least, most, adjacency)
        if members is None:
            return None
        lost = sum(n.price for n in needs if members[n.group] and not members[n.needed])
        return groups.tokens_of(members, states), lost

    def penalties(self, groups: WordGroups) -> Floats:
        """Return the same for all bonds, those that must not be broken too."""
        values = self.doubts(groups)
        for need in self.needs(groups):
            if groups.parents[need.needed] == need.group:
                values[need.group] -= _LOSS * need.price
                values[need.needed] += _LOSS * need.price
        return values

    @cached_property
    def reporting(self) -> set[int]:
        """The verbs and nouns that say who says what depends on them."""
        return {bond.needed for bond in self.bonds.strict if bond.reason == "attribution"}

    def label(self, compression: Compression) -> Compression:
        """Add the labels of the deletions, and a note that names those that change what is said."""
        deletions = label_deletions(self.bonds, compression.kept_tokens)
        note = note_losses(self.a, deletions)
        return replace(compression, deletions=deletions, notes=(*note, *compression.notes))


def note_losses(a: ParsedText, deletions: tuple[Deletion, ...]) -> tuple[str, ...]:
    """Return the notes on deletions that change what is said, and on those that may."""
    lost = [deletion for deletion in deletions if deletion.label == NOT_ENTAILED]
    risky = [deletion for deletion in deletions if deletion.risky]
    notes = []
    for verb, parts in (("changed", lost), ("may have changed", risky)):
        if parts:
            listed = "; ".join(f'"{a.tokens[d.head].text}" lost "{_join(a, d.words)}" ({d.reason})' for d in parts)
            notes.append(f"the length limit {verb} what is said: {listed}")
    return tuple(notes)


def _join(a: ParsedText, words: tuple[int, ...]) -> str:
    """Return words as they are written; a space where others stood between."""
    text = a.tokens[words[0]].text if words else ""
    for left, right in pairwise(words):
        between = a.text[a.tokens[left].end : a.tokens[right].start]
        text += (between if right == left + 1 or between == "-" else " ") + a.tokens[right].text
    return text
