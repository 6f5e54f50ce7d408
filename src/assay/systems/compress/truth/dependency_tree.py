"""Dependency tree as compression needs it: which word another depends on, and which two must stay together."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....text.logic.bonds import Bonds
from ....text.logic.modifiers import NOT_ENTAILED
from ....text.parse.flat import ParsedText
from .._rendering import is_clitic
from .constraints import JOINS, base, is_negation

# What can stand without its head: what was said without who said it, a second sentence without the first.
_DETACHED = frozenset({"root", "parataxis", "list", "dislocated", "vocative", "discourse"})
# Clauses after these words, and not under those verbs, are said to be so: they may stand alone without turning false.
_FACTUAL = frozenset({"that", "as", "while", "after", "because", "since", "when", "where"})
_DOUBTED = frozenset(
    [
        "deny",
        "doubt",
        "dispute",
        "reject",
        "refute",
        "refuse",
        "fear",
        "hope",
        "wish",
        "want",
        "pretend",
        "lie",
        "fail",
        "imagine",
        "suppose",
        "dream",
        "bet",
    ]
)
_HALF_PREPOSITIONS = frozenset(
    ["contrary", "according", "due", "prior", "because", "instead", "regardless", "apart", "aside", "along", "subject"]
)
_FUNCTION = frozenset({"case", "mark", "aux", "cop", "det", "fixed", "goeswith"})


class LooseWord(NamedTuple):
    """A word that connects a clause to what it hangs on: it stays with one of the two, and goes if the other does."""

    word: int
    other: int


class DependencyTree:
    """Heads as compression needs them: a name heads its title, and `that` hangs on the verb of saying."""

    def __init__(
        self, a: ParsedText, bonds: Bonds | None = None, lose_source: bool = False, whole: bool = True
    ) -> None:
        self.a, self.bonds, self.lose_source, self.whole = a, bonds, lose_source, whole
        self.heads, self.relations = list(a.heads), [w.relation for w in a.words]
        self.loose: list[LooseWord] = []
        for i in range(len(a.words)):
            self._raise_name(i)
        for i in range(len(a.words)):
            if bonds is not None and base(self.relations[i]) == "ccomp":
                self._turn_report(i)
            else:
                self._free_clause(i)

    def _raise_name(self, i: int) -> None:
        """Make the last part of a name its head (President Barack Obama), so that the rest may be deleted."""
        a = self.a
        parts = [k for k in a.children[i] if base(a.words[k].relation) == "flat" and a.words[k].pos == "PROPN"]
        if not parts or self.heads[i] in parts:
            return
        last = parts[-1]
        self.heads[last], self.relations[last] = self.heads[i], self.relations[i]
        self.heads[i], self.relations[i] = last, "flat"
        for k in a.children[i]:
            kind = base(a.words[k].relation)
            moves = kind in ("flat", "case", "conj", "cc", "cop", "nsubj") or k > last
            if k != last and self.heads[k] == i and moves:
                self.heads[k] = last
        for k in a.children[last]:
            if self.heads[k] == last and k < i:
                self.heads[k] = i

    def _free_clause(self, verb: int) -> None:
        """Let a clause that can stand alone lose its head; the words that connect them are deleted with either."""
        if not self._stands(verb):
            return
        above = self.heads[verb]
        self.relations[verb] = "parataxis"
        for k in self.a.children[verb]:
            if self.heads[k] != verb or not (base(self.relations[k]) == "mark" or self._relative(k)):
                continue
            for i in self.a.subtree(k):
                if not self.a.punctuation[i]:
                    optional = base(self.a.words[verb].relation) == "ccomp" and self.a.words[i].form.lower() == "that"
                    self.loose.append(LooseWord(i, verb if optional else above))
                    if optional:
                        self.heads[i], self.relations[i] = above, "loose"
                    else:
                        self.heads[i], self.relations[i] = verb, "mark"

    def _turn_report(self, verb: int) -> None:
        """Hang `he said` on what he said, so that it can be deleted, but not kept without it."""
        above = self.heads[verb]
        if above < 0 or self.heads[above] >= 0 or not self._may_lose_source(verb):
            return
        self.heads[verb], self.relations[verb] = self.heads[above], self.relations[above]
        self.heads[above], self.relations[above] = verb, "report"
        for k in self.a.children[verb]:
            if base(self.relations[k]) == "mark":
                self.heads[k], self.relations[k] = above, "loose"

    def _may_lose_source(self, verb: int) -> bool:
        assert self.bonds is not None
        label = self.bonds.judge_alone(verb).label
        below = [k for k in self.a.children[verb] if self.heads[k] == verb]
        if not any(base(self.relations[k]) in ("nsubj", "csubj", "expl") for k in below):
            return False
        marks = {self.a.words[k].form.lower() for k in below if base(self.relations[k]) == "mark"}
        return marks <= {"that"} and not any(map(self._relative, below)) and (label != NOT_ENTAILED or self.lose_source)

    def _stands(self, verb: int) -> bool:
        """Check if a clause says the same on its own: it is what was said, and no word above expresses doubt.

        Other clauses (after, where) stay with what they hang on: without their first word they say nothing.
        """
        a, above = self.a, self.heads[verb]
        if above < 0 or base(self.relations[verb]) != "ccomp" or self.bonds is not None:
            return False
        marks = {a.words[k].form.lower() for k in a.children[verb] if base(self.relations[k]) == "mark"}
        negated = any(is_negation(a, k) for k in a.children[above])
        return marks <= _FACTUAL and not negated and a.words[above].lemma.lower() not in _DOUBTED

    def _predicates(self, i: int) -> bool:
        """Check if a word is a verb, or has the copula."""
        words = self.a.words
        return words[i].pos in ("VERB", "AUX") or any(base(words[k].relation) == "cop" for k in self.a.children[i])

    def _relative(self, i: int) -> bool:
        """Check if a phrase begins with a relative word (who, in which, whose): itself, not in a clause below."""
        near = [k for k in self.a.children[i] if base(self.a.words[k].relation) in ("det", "nmod", "advmod", "case")]
        return any(self.a.words[k].tag in ("WDT", "WP", "WP$", "WRB") for k in (i, *near))

    def find_partner(self, i: int, constraints: Collection[str]) -> int | None:
        """Return the word that another must be kept or deleted with; None for most."""
        a, head, relation = self.a, self.heads[i], self.relations[i]
        kind = base(relation)
        if head < 0 or a.punctuation[head]:
            return None
        if i and is_clitic(a.tokens[i].text) and a.tokens[i - 1].end == a.tokens[i].start and not a.punctuation[i - 1]:
            return i - 1
        joins = kind == "cc" and base(self.relations[head]) == "conj"  # but not the But that begins a sentence
        if "function" in constraints and (kind in _FUNCTION or relation in ("compound:prt", "nmod:poss") or joins):
            return head
        if "negation" in constraints and is_negation(a, i):
            return head
        if "function" in constraints and self.whole and self._introduces(i):
            return head
        completes = (kind == "xcomp" and self.whole) or (self.bonds is not None and self._completes(i))
        if "arguments" in constraints and completes:
            return head
        if "arguments" in constraints and kind in ("nsubj", "obj", "expl") and self._predicates(head):
            return head
        return None

    def _completes(self, i: int) -> bool:
        """Check if something is missing without a word: he tried, the senator told, a law under he lived."""
        kind, above = base(self.relations[i]), self.a.words[self.heads[i]].form.lower()
        if kind in ("ccomp", "xcomp", "iobj") or (kind in ("obl", "nmod") and above in _HALF_PREPOSITIONS):
            return True
        return self._introduces(i)

    def _introduces(self, i: int) -> bool:
        """Check if a word introduces the clause that it stands in: where, when, who, which."""
        kind = base(self.relations[i])
        return self.a.words[i].tag in ("WDT", "WP", "WP$", "WRB") and kind in (
            "obl",
            "advmod",
            "nmod",
            "obj",
            "nsubj",
            "det",
        )

    def find_needs(self) -> list[tuple[int, int]]:
        """Find the verbs that say nothing without a clause, which may stand without them: he said, I think."""
        if not self.whole or self.bonds is not None:
            return []
        kinds = [base(word.relation) for word in self.a.words]
        pairs = [(self.a.heads[i], i) for i, kind in enumerate(kinds) if kind == "ccomp"]
        return [(verb, i) for verb, i in pairs if verb >= 0 and not self.a.punctuation[verb]]

    def find_joints(self, group: list[int]) -> list[tuple[int, int]]:
        """Find a word and a head outside its group that must join it: all heads but the highest one's.

        Groups that were tied across the tree hang on several words; a tree of groups has room for one.
        """
        above: dict[int, list[tuple[int, int, int]]] = {}
        for i, g in enumerate(group):
            head = self.heads[i]
            if self.a.punctuation[i] or (head >= 0 and (group[head] == g or self.a.punctuation[head])):
                continue
            alone = head < 0 or base(self.relations[i]) in _DETACHED
            above.setdefault(g, []).append((-1 if alone else self._depth(head), i, head))
        joints = []
        for heads in above.values():
            _, _, highest = min(heads)
            joints += [(i, head) for depth, i, head in heads if depth >= 0 and group[head] != group[highest]]
            joints = [(i, head) for i, head in joints if head != highest]
        return joints

    def _depth(self, i: int) -> int:
        steps = 0
        while i >= 0 and steps <= len(self.heads):
            i, steps = self.heads[i], steps + 1
        return steps

    def parents(self, group: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
        """Return the group that each depends on: that of the head of its highest word; -1 if it is independent."""
        parents = np.full(groups, -1, dtype=np.int64)
        above: list[list[int]] = [[] for _ in range(groups)]
        for i, g in enumerate(group.tolist()):
            head = self.heads[i]
            if g < 0 or (head >= 0 and group[head] == g):
                continue
            alone = head < 0 or group[head] < 0 or base(self.relations[i]) in _DETACHED
            above[g].append(-1 if alone else int(group[head]))
        for g, heads in enumerate(above):
            if heads and min(heads) >= 0:
                parents[g] = heads[0]
        return without_circles(parents)


def find_unspaced(a: ParsedText) -> list[tuple[int, int]]:
    """Find words without a space between them: written together ($5m, cannot), or joined by a hyphen or slash."""
    pairs = []
    for i in range(1, len(a.tokens)):
        if a.punctuation[i] or a.tokens[i - 1].end != a.tokens[i].start:
            continue
        if not a.punctuation[i - 1]:
            pairs.append((i - 1, i))
        elif i > 1 and a.tokens[i - 1].text in JOINS and a.tokens[i - 2].end == a.tokens[i - 1].start:
            pairs += [(i - 2, i)] if not a.punctuation[i - 2] else []
    return pairs


def without_circles(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Make groups that depend on themselves, through joined words, independent."""
    for g in range(len(parents)):
        visited, at = {g}, int(parents[g])
        while at >= 0:
            if at in visited:
                parents[g] = -1
                break
            visited.add(at)
            at = int(parents[at])
    return parents
