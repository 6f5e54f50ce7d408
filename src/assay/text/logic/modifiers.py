"""Modifiers: what follows if a dependent is deleted and its head is kept."""

from __future__ import annotations

from typing import NamedTuple

from .facts import DEONTIC, Facts
from .polarity import UP, Polarity

ENTAILED, UNKNOWN, NOT_ENTAILED = "entailed", "unknown", "not entailed"
LABELS = (ENTAILED, UNKNOWN, NOT_ENTAILED)
_OPERATORS = frozenset({"approximator", "frequency", "modal", "focus", "aspect", "negation", "comparison"})
_NONSUBSECTIVE = frozenset({"privative", "nonsubsective", "quantity", "identity"})
_ARTICLES = frozenset({"a", "an", "the", "this", "that", "these", "those"})
_AMBIGUOUS = frozenset({"once", "upon", "until", "failing", "provided", "given", "assuming"})
UNIVERSAL = frozenset(
    [
        "all",
        "every",
        "each",
        "everyone",
        "everybody",
        "everything",
        "no",
        "none",
        "nobody",
        "nothing",
        "any",
        "anyone",
        "anybody",
        "anything",
        "who",
    ]
)
_PHRASES = frozenset({"obl", "nmod", "advcl", "advmod", "conj", "acl", "ccomp", "dep", "amod", "obj", "nsubj", "appos"})


class Ruling(NamedTuple):
    """A label and the rule that gives it."""

    label: str
    reason: str


class Modifiers:
    """The rules, by relation, for one text."""

    def __init__(self, facts: Facts, polarity: Polarity) -> None:
        self.facts, self.polarity = facts, polarity
        self.a = facts.a

    def judge(self, c: int) -> Ruling:
        """Say what follows from a text that keeps a word's head but not the word."""
        kind = self.facts.kinds[c]
        if kind in _PHRASES and (ruling := self._by_connective(c)) is not None:
            return ruling
        if kind in ("conj", "parataxis", "dep", "advcl", "ccomp") and self.is_tag(c):
            return Ruling(NOT_ENTAILED, "attribution")
        rule = getattr(self, f"_{kind}", None)
        return rule(c) if rule is not None else Ruling(UNKNOWN, kind)

    def _monotone(self, sign: int, doubt: bool = False, reason: str = "modifier") -> Ruling:
        """Return entailed in an upward place (unknown in doubt), else not entailed."""
        if sign == UP:
            return Ruling(UNKNOWN if doubt else ENTAILED, reason)
        return Ruling(NOT_ENTAILED, f"{reason} in a {'downward' if sign < 0 else 'non-monotone'} place")

    def _by_connective(self, c: int) -> Ruling | None:
        facts, head = self.facts, self.a.heads[c]
        if self._is_exception(c):
            return Ruling(NOT_ENTAILED, "exception")
        if facts.kinds[c] in ("nmod", "acl", "amod") and self._is_numeric_limit(c):
            return Ruling(NOT_ENTAILED, "numeric limit")
        if self._is_view(c):
            return Ruling(NOT_ENTAILED, "attribution")
        places, classes = facts.lead(c)
        if not classes or (facts.kinds[c] in ("advmod", "amod") and len(places) < 2):
            return None
        first = facts.forms[places[0]]
        if "exceptive" in classes and facts.kinds[c] != "ccomp":
            return Ruling(NOT_ENTAILED, "exception")
        if "attribution" in classes:
            return Ruling(NOT_ENTAILED, "attribution")
        if "conditional" in classes and facts.kinds[c] not in ("ccomp", "nsubj", "obj"):
            if first in _AMBIGUOUS and facts.is_past(head):
                return None
            return Ruling(NOT_ENTAILED, "condition")
        if "negative" in classes and first == "without" and not facts.is_past(head):
            plain = self.polarity.inner[head] == UP and not facts.children(head, "aux")
            return Ruling(NOT_ENTAILED, "what is absent" if plain else "condition")
        if "comparative" in classes and facts.is_comparative(head):
            return Ruling(NOT_ENTAILED, "standard of comparison")
        return None

    def _is_exception(self, c: int) -> bool:
        """Check if a phrase is `but X` after a universal or negative quantifier."""
        if self.facts.kinds[c] not in ("conj", "nmod", "obl", "appos"):
            return False
        leads = [k for k in self.facts.children(c, "cc", "case", "mark") if self.facts.forms[k] == "but"]
        if not leads or self.facts.is_clause(c):
            return False
        return any(form in UNIVERSAL for form in self.facts.forms[: leads[0]])

    def _is_view(self, c: int) -> bool:
        """Check if a phrase names the source of words or of a view: in his words, in the eyes of the critics."""
        facts = self.facts
        if facts.lemmas[c] not in ("word", "view", "opinion", "eye", "judgment", "judgement", "account"):
            return False
        owned = any(self.a.words[k].relation in ("nmod:poss", "nmod") for k in self.a.children[c])
        return (
            owned and facts.kinds[c] == "obl" and any(facts.forms[k] in ("in", "by") for k in facts.children(c, "case"))
        )

    def _is_numeric_limit(self, c: int) -> bool:
        """Check if a phrase restricts by a number: under two years, more than six tons."""
        first = next((k for k in self.a.subtree(c) if not self.a.punctuation[k]), c)
        end, classes = self.facts.bounds.get(first, (0, frozenset()))
        return (
            "before" in classes and end < len(self.a.words) and self.facts.is_number(end) and end <= max(c, first + 4)
        )

    # one rule for each relation

    def _det(self, c: int) -> Ruling:
        if self.facts.forms[c] in _ARTICLES or self.facts.quantifier(c) is None:
            return Ruling(ENTAILED, "article")
        if self.facts.quantifier(c) == ("up", "up"):
            return Ruling(UNKNOWN, "quantifier")
        return Ruling(NOT_ENTAILED, "quantifier")

    def _nummod(self, c: int) -> Ruling:
        head = self.a.heads[c]
        if "unit" in self.facts.noun(head) or self.facts.is_number(head):
            return Ruling(NOT_ENTAILED, "number of a unit")
        return self._monotone(self.polarity.noun[head], reason="number")

    def _amod(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        kind = facts.modifier(c)
        if kind in _NONSUBSECTIVE or (facts.quantifier(c) is not None and self.a.words[c].tag not in ("WP",)):
            return Ruling(NOT_ENTAILED, f"{kind or 'quantity'} modifier")
        if facts.is_identifying(c) or self.a.words[c].tag == "JJR":
            return Ruling(NOT_ENTAILED, "comparison")
        if "scale" in facts.noun(head):
            return Ruling(NOT_ENTAILED, "value on a scale")
        doubt = kind != "plain" or facts.is_definite(head)
        sign = self.polarity.outer[head] if facts.singles_out(head) else self.polarity.noun[head]
        return self._monotone(sign, doubt, "adjective")

    def _compound(self, c: int) -> Ruling:
        head = self.a.heads[c]
        if self.a.words[c].relation == "compound:prt":
            return Ruling(NOT_ENTAILED, "particle")
        if self.facts.modifier(c) in _NONSUBSECTIVE and self.a.words[c].pos != "PROPN":
            return Ruling(NOT_ENTAILED, "non-subsective modifier")
        if self.facts.is_number(c) and self.facts.is_number(head):
            return Ruling(NOT_ENTAILED, "number")
        return self._monotone(self.polarity.noun[head], True, "compound")

    def _nmod(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        if self.a.words[c].relation == "nmod:poss":
            return self._monotone(self.polarity.outer[head], True, "possessor")
        classes = facts.noun(head)
        of = any(facts.forms[k] == "of" for k in facts.children(c, "case"))
        if of and ("partitive" in classes or facts.quantifier(head) or facts.is_number(head)):
            return Ruling(NOT_ENTAILED, "part of a whole")
        if facts.singles_out(head):
            return Ruling(NOT_ENTAILED, "what is singled out")
        if "negative" in facts.predicate(head):
            return Ruling(NOT_ENTAILED, "complement")
        return self._monotone(self.polarity.noun[head], facts.is_definite(head), "restriction")

    def _acl(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        if facts.singles_out(head):
            return Ruling(NOT_ENTAILED, "what is singled out")
        if facts.follows_break(c):
            return Ruling(ENTAILED, "aside")
        if facts.predicate(head) and self.a.words[c].relation == "acl":
            return Ruling(UNKNOWN, "complement")
        return self._monotone(self.polarity.noun[head], facts.is_definite(head), "restriction")

    def _appos(self, c: int) -> Ruling:
        return Ruling(ENTAILED, "apposition")

    def _advmod(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        kind = facts.modifier(c)
        tag = self.a.words[c].tag
        if (facts.forms[c] == "too" and c > head) or (facts.forms[c] == "yet" and not self._is_pending(c)):
            return Ruling(ENTAILED, "aside")  # also; but
        if any(facts.modifier(k) in ("approximator", "negation") for k in facts.children(c, "advmod")):
            return Ruling(NOT_ENTAILED, "approximator")  # almost certainly
        if kind == "discourse" or (facts.forms[c] == "well" and facts.forms[c - 1] == "as"):
            return Ruling(ENTAILED, "aside")
        if facts.forms[c] in ("much", "as") and not facts.is_comparative(head):
            return Ruling(UNKNOWN, "degree")
        if tag in ("WRB", "WP", "WDT"):
            return Ruling(NOT_ENTAILED, "question word")
        if kind in _OPERATORS or facts.quantifier(c) is not None or facts.is_comparative(c) or facts.is_identifying(c):
            return Ruling(NOT_ENTAILED, f"{kind or 'comparison'}")
        sign = self.polarity.inner[head]
        if self._is_frame(c):
            return Ruling(UNKNOWN, "circumstance")
        return self._monotone(sign, kind != "plain", "adverb")

    def _is_pending(self, yet: int) -> bool:
        """Tell the yet of `not yet` and `has yet to` from the one that means but."""
        nearby = self.facts.forms[max(0, yet - 4) : yet + 2]
        return any(form in ("not", "n't", "never", "no", "to", "nobody", "none") for form in nearby)

    def _obl(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        if facts.is_identifying(head):
            return Ruling(NOT_ENTAILED, "what is singled out")
        if facts.is_comparative(head) and not facts.is_clause(head):
            return Ruling(NOT_ENTAILED, "standard of comparison")
        if self._is_frame(c):
            return Ruling(UNKNOWN, "circumstance")
        before = self.a.subtree(c)[0] - 1
        if "negative" in facts.predicate(head) and any(
            before in self.a.subtree(k) for k in facts.children(head, "obj")
        ):
            return self._monotone(-self.polarity.inner[head], reason="adjunct")  # bars firms with, or to bar with
        _, classes = facts.lead(c)
        doubt = "frame" not in classes and self.a.words[c].relation != "obl:unmarked"
        doubt = doubt or any(facts.forms[k] in DEONTIC for k in facts.children(head, "aux"))
        return self._monotone(self.polarity.inner[head], doubt, "adjunct")

    def _is_frame(self, c: int) -> bool:
        """Check if an adjunct of a negated past event may be outside the negation: its time or place."""
        head = self.a.heads[c]
        return self.polarity.inner[head] != UP and self.polarity.outer[head] == UP and self.facts.is_past(head)

    def _advcl(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        places, classes = facts.lead(c)
        first = facts.forms[places[0]] if places else facts.forms[self.a.subtree(c)[0]]
        if "saying" in facts.predicate(c) and first == "as":
            return Ruling(NOT_ENTAILED, "attribution")
        if self.is_inverted(c):
            return Ruling(NOT_ENTAILED, "condition")
        if first in ("when", "where") and not facts.is_past(head):
            return Ruling(NOT_ENTAILED, "condition")
        if facts.is_identifying(head) or (facts.singles_out(head) and first == "to"):
            return Ruling(NOT_ENTAILED, "what is singled out")
        if "concessive" in classes:
            return Ruling(ENTAILED, "aside")
        if self._is_frame(c):
            return Ruling(UNKNOWN, "circumstance")
        return self._monotone(self.polarity.inner[head], False, "clause")

    def is_inverted(self, clause: int) -> bool:
        """Check if a clause is a condition by its order: Had he known, should it rain."""
        subjects = self.facts.children(clause, "nsubj", "csubj", "expl")
        leads = [
            k for k in self.facts.children(clause, "aux", "cop") if self.facts.forms[k] in ("had", "should", "were")
        ]
        return bool(subjects and leads) and leads[0] < subjects[0] and not self.facts.is_question

    def is_reported(self, c: int) -> bool:
        """Check if a clause before a verb of saying is what it reports: "It rains," he said."""
        head = self.a.heads[c]
        if "saying" not in self.facts.predicate(head) or not self.facts.is_clause(head):
            return False
        quoted = any(self.facts.forms[k] in ('"', "''", "”", ",") for k in range(c + 1, head))
        return c < head and quoted and self.facts.is_clause(c)

    def is_tag(self, c: int) -> bool:
        """Check if a clause says who said what stands before it, whatever relation the parser took it to have."""
        facts = self.facts
        if "saying" not in facts.predicate(c) or not facts.children(c, "nsubj") or facts.children(c, "cc", "mark"):
            return False
        first = self.a.subtree(c)[0]
        return first > self.a.heads[c] and any(facts.forms[k] in ('"', "''", "”", ",") for k in (first, first - 1))

    def _conj(self, c: int) -> Ruling:
        facts, head = self.facts, self.a.heads[c]
        conjunctions = {facts.forms[k] for k in facts.children(c, "cc")}
        siblings = {facts.forms[k] for s in facts.children(head, "conj") for k in facts.children(s, "cc")}
        words = conjunctions or siblings
        clause = facts.is_clause(head) and facts.is_clause(c)
        sign = self.polarity.outer[head] if clause or not facts.is_clause(head) else self.polarity.inner[head]
        leads = [facts.forms[k] for k in facts.children(head, "case", "cc", "advmod") if k < head]
        if "between" in leads or (facts.is_number(head) and facts.is_number(c)):
            return Ruling(NOT_ENTAILED, "range")
        if "nor" in words or "neither" in leads:
            return Ruling(ENTAILED, "conjunct")
        if "or" in words:
            return self._monotone(-sign, False, "alternative")
        if clause and self.polarity.inner[head] != UP and not facts.children(c, "nsubj", "aux"):
            return Ruling(UNKNOWN, "conjunct")
        return self._monotone(sign, False, "conjunct")

    def _parataxis(self, c: int) -> Ruling:
        if "saying" in self.facts.predicate(c) or any("saying" in self.facts.predicate(k) for k in self.a.subtree(c)):
            return Ruling(NOT_ENTAILED, "attribution")
        if self.is_inverted(self.a.heads[c]):
            return Ruling(NOT_ENTAILED, "condition")
        return Ruling(ENTAILED, "aside")

    def _nsubj(self, c: int) -> Ruling:
        head = self.a.heads[c]
        if self.facts.kinds[head] == "acl":
            return Ruling(UNKNOWN, "argument")
        restrictor, scope = self.facts.restriction(c)
        if (restrictor, scope) != ("up", "up"):
            return Ruling(NOT_ENTAILED, "quantifier")
        return self._monotone(self.polarity.outer[head], True, "argument")

    def _obj(self, c: int) -> Ruling:
        head = self.a.heads[c]
        if self.facts.restriction(c) != ("up", "up") or self.facts.a.words[c].tag == "WP":
            return Ruling(NOT_ENTAILED, "quantifier")
        return self._monotone(self.polarity.inner[head], True, "argument")

    _iobj, _csubj = _obj, _nsubj

    def _aux(self, c: int) -> Ruling:
        if self.a.words[c].tag == "MD":
            return Ruling(NOT_ENTAILED, "modal")
        return Ruling(UNKNOWN, "auxiliary")

    def _case(self, c: int) -> Ruling:
        _, classes = self.facts.connectives.get(c, (0, frozenset()))
        if classes & {"exceptive", "negative", "conditional", "attribution"}:
            return Ruling(NOT_ENTAILED, "connective")
        return Ruling(UNKNOWN, "preposition")

    _mark = _case

    def _cc(self, c: int) -> Ruling:
        alternative = self.facts.forms[c] in ("or", "nor", "neither", "either")
        return Ruling(NOT_ENTAILED if alternative and self.facts.kinds[self.a.heads[c]] == "conj" else UNKNOWN, "cc")

    def _flat(self, c: int) -> Ruling:
        return Ruling(UNKNOWN, "name")

    def _discourse(self, c: int) -> Ruling:
        return Ruling(ENTAILED, "aside")

    _vocative = _dislocated = _discourse

    def _list(self, c: int) -> Ruling:
        return Ruling(ENTAILED, "aside")
