"""Polarity: whether a place in a sentence is upward monotone, downward monotone or neither (van Benthem 1986).

In an upward place a phrase may be replaced by a weaker one (a red car, a car) and the sentence still follows; in a
downward place only by a stronger one. The rules read lemma, part of speech, relation and head, as in MacCartney and
Manning (2009), and go down the tree from the root: each operator turns the sign of its scope, or makes it 0.
"""

from __future__ import annotations

import math

from .facts import NOMINAL, Facts

UP, DOWN, NEITHER = 1, -1, 0
_PROJECTING = frozenset({"appos", "parataxis", "discourse", "vocative", "dislocated", "list"})
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_COMPLEMENTS = frozenset({"obj", "iobj", "ccomp", "xcomp", "csubj", "acl", "nmod", "obl", "advcl"})
_SIGNS = {"up": UP, "definite": UP, "down": DOWN, "none": NEITHER}
_RESTRICTING = frozenset({"acl", "nmod", "amod", "compound", "nummod", "det"})
_FREE = ("down", "none")
_OPEN = frozenset({"unless", "whether", "until", "lest", "as"})
_NEGATED = ("negative", "exceptive", "comparative", "conditional")


class Polarity:
    """The polarity of each word's place (`outer`), of its dependents (`inner`), of a noun's modifiers (`noun`).

    The last two differ where a noun is a predicate: in *it is not the largest town*, the clause is negated, and
    *largest* makes the place of the noun's modifiers non-monotone.
    """

    def __init__(self, facts: Facts, *, presuppose: bool = True) -> None:
        self.facts, self.presuppose = facts, presuppose
        n = len(facts.a.words)
        self.outer, self.inner, self.noun = [UP] * n, [UP] * n, [UP] * n
        start = NEITHER if facts.is_question else UP  # a question about red cars is none about cars
        stack = [(i, start) for i, head in enumerate(facts.a.heads) if head < 0]
        while stack:
            i, sign = stack.pop()
            self.outer[i], self.inner[i] = sign, self._inner(i, sign)
            predicate = facts.a.words[i].pos in NOMINAL and facts.is_clause(i)
            self.noun[i] = self._restrictor(i, self.inner[i]) if predicate else self.inner[i]
            stack += [(k, self._below(i, k)) for k in facts.a.children[i]]

    def _inner(self, i: int, sign: int) -> int:
        """Return the polarity of a word's modifiers: of the restrictor of a noun, of the clause of a verb."""
        facts = self.facts
        if facts.is_clause(i):
            for k in facts.a.children[i]:
                sign *= self._scope(i, k)
            return sign
        return self._restrictor(i, sign)

    def _restrictor(self, i: int, sign: int) -> int:
        facts = self.facts
        if facts.singles_out(i):
            return NEITHER
        if facts.is_referential(i) and self.presuppose:
            return UP  # the party of the general: there is one whatever the sentence denies
        if facts.is_clause(i):  # a predicate: its quantifier is not the clause's
            own = [facts.quantifier(k) for k in facts.children(i, "det", "amod")]
            return sign * _SIGNS[next((monotone[0] for monotone in own if monotone is not None), "up")]
        monotone = facts.restriction(i)
        if monotone == _FREE and sign != NEITHER:
            return DOWN  # any of all, or, under a negation, not even one
        return sign * _SIGNS[monotone[0]]

    def _scope(self, clause: int, k: int) -> int:
        """Return what a dependent does to the clause that it is in."""
        facts = self.facts
        kind = facts.kinds[k]
        if kind in ("advmod", "det", "cc"):
            monotone = facts.quantifier(k)
            return _SIGNS[monotone[1]] if monotone is not None and facts.a.words[k].tag not in ("WRB", "WP") else UP
        if kind in ("nsubj", "obj", "obl", "iobj") and facts.a.words[k].tag not in ("WP", "WDT"):
            return _SIGNS[facts.restriction(k)[1]]
        return UP

    def _below(self, i: int, k: int) -> int:
        facts = self.facts
        kind = facts.kinds[k]
        if kind in _PROJECTING:
            return UP
        if kind == "conj" or (kind in _SUBJECTS and facts.is_clause(i)):
            return self.outer[i]
        sign = self.noun[i] if kind in _RESTRICTING else self.inner[i]
        if kind in ("obj", "obl", "iobj") and self._scope(i, k) != UP and facts.is_clause(i):
            others = [self._scope(i, other) for other in facts.a.children[i] if other != k]
            sign = self.outer[i] * math.prod(others)  # a quantifier is not in its own scope
        places, classes = facts.lead(k)
        above = (kind in ("advcl", "obl") and k < i) or (kind == "advcl" and classes & {"conditional", "concessive"})
        if above and self.inner[i] != self.outer[i]:
            sign = self.outer[i]  # before the negation, or outside of it
        if kind == "obl" and k > i and any(n != k and facts.is_restricted(n) for n in facts.nouns_before(k)):
            sign = NEITHER  # close every branch in villages: which branch, or where?
        if kind in ("advcl", "obl", "nmod", "acl", "ccomp", "advmod") and classes & set(_NEGATED):
            sign = NEITHER if facts.forms[places[0]] in _OPEN else -sign
        if kind in _COMPLEMENTS and "negative" in facts.predicate(i) and not classes & set(_NEGATED):
            sign = -sign
        return sign
