"""Risks: deletions that logic neither allows nor forbids, but that often change what is said.

A definite phrase refers to something given, so that what restricts it may be known (the liability of the carrier); in a
place that is not upward the risk is high that it is not. And a phrase with *if*, *except* or *than* in it limits
something, whatever the parser took it to depend on.
"""

from __future__ import annotations

from functools import cached_property

from .facts import Facts, base
from .polarity import UP, Polarity

_LIMITING = frozenset({"conditional", "exceptive", "attribution"})
_RESTRICTING = frozenset({"nmod", "acl", "obl", "appos"})
_CLEAR = frozenset({"nsubj", "obj", "iobj", "ccomp", "csubj", "conj", "parataxis", "appos"})


class Risks:
    """Which deletions of a text are risky."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.a = facts, facts.a

    @cached_property
    def polarity(self) -> Polarity:
        """The polarity if nothing is taken as given."""
        return Polarity(self.facts, given=False)

    def is_restriction(self, top: int) -> bool:
        """Tell whether a deleted phrase restricts a noun in a place that is not upward."""
        head = self.a.heads[top]
        if head < 0 or base(self.a.words[top].relation) not in _RESTRICTING:
            return False
        if self.a.words[top].relation == "nmod:poss" or self.facts.follows_break(top):
            return False
        return self.polarity.noun[head] != UP

    def limits(self, top: int, words: tuple[int, ...]) -> bool:
        """Tell whether a deleted phrase begins with words that limit what the rest says, or compares."""
        facts = self.facts
        if facts.kinds[top] in _CLEAR or facts.follows_break(top):
            return False
        lead = words[:3]
        for start, (_, classes) in facts.connectives.items():
            if start in lead and classes & _LIMITING and not facts.is_past(self.a.heads[top]):
                return True
        return any(facts.forms[i] == "than" for i in lead)
