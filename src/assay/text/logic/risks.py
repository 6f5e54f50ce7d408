"""Risks: deletions that logic neither allows nor forbids, but that often change what is said.

A definite phrase refers to something given, so that what restricts it may be known (the liability of the carrier); in a
place that is not upward the risk is high that it is not. A phrase with *if*, *except* or *than* in it limits something,
and *not* or *almost* changes the word after it, whatever the parser took them to depend on.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from .facts import Facts
from .polarity import UP, Polarity

_LIMITING = frozenset({"conditional", "exceptive", "attribution"})
_RESTRICTING = frozenset({"nmod", "acl"})
_LIGHT = frozenset({"one", "ones", "those", "that", "thing", "things"})  # nothing without what follows
_OPERATORS = frozenset({"approximator", "modal", "focus", "negation", "privative", "nonsubsective"})
_BEFORE = frozenset({"det", "advmod", "amod", "nummod", "aux", "cc", "case", "compound"})
_CLEAR = frozenset({"nsubj", "obj", "iobj", "ccomp", "csubj", "conj", "parataxis", "appos"})


class Risks:
    """Which deletions of a text are risky."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.a = facts, facts.a

    @cached_property
    def polarity(self) -> Polarity:
        """The polarity if nothing is taken as given."""
        return Polarity(self.facts, presuppose=False)

    def is_restriction(self, top: int, words: tuple[int, ...]) -> bool:
        """Check if a deleted phrase restricts a noun in a place that is not upward."""
        head = self.a.heads[top]
        kind = self.facts.kinds[top]
        if head < 0 or (kind not in _RESTRICTING and not (kind == "obl" and self.facts.kinds[head] == "acl")):
            return False
        if self.a.words[top].relation == "nmod:poss" or self.facts.follows_break(top):
            return False
        light = self.facts.forms[head] in _LIGHT
        of = any(self.facts.forms[k] == "of" for k in self.facts.children(top, "case"))
        of = of and not any(self.facts.kinds[k] == "acl" for k in words)
        return self.polarity.noun[head] != UP and (light or (self._is_rule and not of))

    @cached_property
    def _is_rule(self) -> bool:
        """Whether the text lays down what must, may or must not be: what it does not say is then not so."""
        clauses = (i for i, head in enumerate(self.a.heads) if head < 0)
        return any(self.facts.is_rule(i) or self._denies(i) for i in clauses)

    def _denies(self, clause: int) -> bool:
        """Check if a clause in the present says that nothing, nobody or no such thing does something."""
        subjects = self.facts.children(clause, "nsubj")
        return not self.facts.is_past(clause) and any(self.facts.restriction(k)[1] == "down" for k in subjects)

    def strands(self, words: tuple[int, ...], selected: Collection[int]) -> bool:
        """Check if a deleted word that changes what it stands before stands right before one that is kept."""
        return any(i + 1 in selected and not self.a.punctuation[i + 1] and self._is_operator(i) for i in words)

    def _is_operator(self, i: int) -> bool:
        facts, tag = self.facts, self.a.words[i].tag
        if facts.kinds[i] not in _BEFORE and self.a.words[i].pos not in ("VERB", "AUX", "ADV"):
            return False
        if (facts.modifier(i) in _OPERATORS and self.a.words[i].pos != "NOUN") or "negative" in facts.predicate(i):
            return True
        monotone = facts.quantifier(i)
        return tag == "MD" or (monotone not in (None, ("up", "up"), ("definite", "up")) and not tag.startswith("W"))

    def limits(self, top: int, words: tuple[int, ...]) -> bool:
        """Check if a deleted phrase begins with words that limit what the rest says, or compares."""
        facts = self.facts
        if facts.kinds[top] in _CLEAR or facts.follows_break(top):
            return False
        lead = words[:3]
        for start, (_, classes) in facts.connectives.items():
            if start in lead and classes & _LIMITING and not facts.is_past(self.a.heads[top]):
                return True
        return any(facts.forms[i] == "than" for i in lead)
