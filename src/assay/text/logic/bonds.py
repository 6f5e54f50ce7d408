"""Bonds: words that a shorter text may not separate, and what follows if it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from ..parse.flat import ParsedText
from .facts import NOMINAL, Facts
from .modifiers import ENTAILED, NOT_ENTAILED, UNIVERSAL, UNKNOWN, Modifiers, Ruling
from .names import find_names
from .numbers import find_quantities
from .polarity import UP, Polarity
from .risks import Risks
from .surface import SurfaceTies

_CLAUSES = frozenset({"ccomp", "xcomp", "csubj"})
_ADJACENT = frozenset({"approximator", "focus", "negation", "comparison", "frequency"})
_CONTENT = frozenset({"ADJ", "ADV", "VERB", "NUM", "NOUN", "PRON", "DET"})
_FOCUS = frozenset({"mainly", "mostly", "largely", "primarily", "chiefly", "only", "exclusively", "solely", "almost"})
_REASONS = ("exception", "condition", "attribution", "standard of comparison")


class Bond(NamedTuple):
    """If `word` stays and the one that it needs goes, the shorter text has this label; both are places."""

    word: int
    needed: int
    label: str
    reason: str


class Bonds:
    """All bonds of a parsed text with a label unknown or not entailed.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The alleged killer was not in Rome."])
    >>> [(a.tokens[b.word].text, a.tokens[b.needed].text) for b in Bonds(a).strict]
    [('killer', 'alleged'), ('Rome', 'not')]
    """

    def __init__(self, a: ParsedText) -> None:
        self.a, self.facts = a, Facts(a)
        self.polarity = Polarity(self.facts)
        self.rules = Modifiers(self.facts, self.polarity)
        self.risks = Risks(self.facts)

    @cached_property
    def all(self) -> tuple[Bond, ...]:
        """All of them, each pair of words once, with the worst label."""
        order = (ENTAILED, UNKNOWN, NOT_ENTAILED)
        worst: dict[tuple[int, int], Bond] = {}
        for bond in self._find():
            pair = bond[:2]
            if pair not in worst or order.index(bond.label) > order.index(worst[pair].label):
                worst[pair] = bond
        return tuple(worst.values())

    @property
    def strict(self) -> tuple[Bond, ...]:
        """Those that must not be broken: what is left would not follow."""
        return tuple(bond for bond in self.all if bond.label == NOT_ENTAILED)

    def _find(self) -> Iterator[Bond]:
        for c, head in enumerate(self.a.heads):
            if head < 0 or self.a.punctuation[c] or self.a.punctuation[head]:
                continue
            below, above = self.rules.judge(c), self.judge_alone(c)
            if below.label != ENTAILED:
                yield Bond(head, c, *below)
                yield from self._connective(c, below)
            if above.label != ENTAILED:
                yield Bond(c, head, *above)
        yield from self._tie_neighbours()
        yield from self._tie_following()
        yield from self._tie_halves()
        yield from self._tie_stacks()
        yield from self._tie_operators()
        yield from self._tie_exceptions()
        yield from self._tie_openings()
        yield from self._tie_first_quantity()
        ties = SurfaceTies(self.facts, self.polarity).find()
        yield from (Bond(tie.word, tie.needed, NOT_ENTAILED, tie.reason) for tie in ties)
        for reason, groups in (("name", find_names(self.facts)), ("number", find_quantities(self.facts))):
            for places in groups:
                yield from (Bond(i, k, NOT_ENTAILED, reason) for i in places for k in places if i != k)

    def _connective(self, c: int, ruling: Ruling) -> Iterator[Bond]:
        """Tie a phrase to all words of the connective that it begins with."""
        places, _ = self.facts.lead(c)
        if ruling.label == NOT_ENTAILED and ruling.reason in _REASONS:
            yield from (Bond(c, k, NOT_ENTAILED, "connective") for k in self._add_hedge(places) if k != c)

    def _add_hedge(self, places: range) -> range:
        """Add only or even before the connective."""
        before = places.start - 1
        return (
            range(before, places.stop)
            if before >= 0 and self.facts.forms[before] in ("only", "even", "not")
            else places
        )

    def _tie_operators(self) -> Iterator[Bond]:
        """Tie a negation to its clause, and mainly or only to the noun phrase that it stands in, however they hang."""
        facts = self.facts
        for i, form in enumerate(facts.forms):
            monotone = facts.quantifier(i)
            if (
                monotone is not None
                and monotone[1] == "down"
                and "before" not in facts.bounds.get(i, (0, frozenset()))[1]
                and (i == 0 or facts.kinds[i] in ("advmod", "nsubj", "det", "cc"))
            ):
                clause = self._climb(i, (lambda k: self.a.heads[k] < 0) if i == 0 else facts.is_clause)
                if clause >= 0 and (i == 0 or facts.kinds[i] != "det" or self._is_core(self.a.heads[i])):
                    yield Bond(clause, i, NOT_ENTAILED, "negation")
            if form in _FOCUS and self.a.heads[i] >= 0 and facts.kinds[self.a.heads[i]] in ("amod", "nummod"):
                yield Bond(self.a.heads[self.a.heads[i]], i, NOT_ENTAILED, "focus")

    def _is_core(self, i: int) -> bool:
        return self.facts.kinds[i] in ("nsubj", "obj", "root", "det") or self.facts.forms[i] in ("time", "case", "way")

    def _climb(self, i: int, stop: Callable[[int], bool]) -> int:
        """Return the nearest word above that satisfies a condition, -1 if none does."""
        i = self.a.heads[i]
        while i >= 0 and not stop(i):
            i = self.a.heads[i]
        return i

    def _tie_exceptions(self) -> Iterator[Bond]:
        """Tie `but X` to the universal or negative quantifier right before it."""
        facts = self.facts
        for j, form in enumerate(facts.forms):
            before = range(max(0, j - 5), j)
            if form == "excepted" and (clause := self._climb(j, self.facts.is_clause)) >= 0:
                yield Bond(clause, j, NOT_ENTAILED, "exception")
            universal = [i for i in before if facts.forms[i] in UNIVERSAL]
            if (
                form != "but"
                or not universal
                or any(facts.a.words[i].pos in ("VERB", "AUX") for i in range(universal[-1], j))
            ):
                continue
            nouns = [k for k in range(j + 1, min(j + 5, len(facts.forms))) if facts.a.words[k].pos in NOMINAL]
            for k in nouns[:1]:
                yield from (Bond(i, n, NOT_ENTAILED, "exception") for i in universal[-1:] for n in (j, k))
                yield Bond(k, j, NOT_ENTAILED, "connective")

    def _tie_first_quantity(self) -> Iterator[Bond]:
        """Tie the main verb to a quantity at the start of the text, its subject: up to a quarter of the crop."""
        facts = self.facts
        start = 1 if facts.forms[:1] == ['"'] else 0
        if start >= len(facts.forms):
            return
        end, _ = facts.bounds.get(start, (start, frozenset()))
        amounts = [k for k in range(end, min(end + 3, len(facts.forms))) if facts.quantifier(k) or facts.is_number(k)]
        monotone = facts.quantifier(start)
        first = start if monotone is not None and monotone[0] != "up" else amounts[0] if end > start and amounts else -1
        verbs = [k for k in range(len(facts.forms)) if self.a.heads[k] < 0 and facts.is_clause(k) and k > first]
        if first >= 0 and verbs and facts.kinds[first] != "advmod":
            yield Bond(verbs[0], first, NOT_ENTAILED, "quantifier")

    def _tie_openings(self) -> Iterator[Bond]:
        """Tie a condition, exception or source at the start of a sentence to the verb after the comma."""
        forms = self.facts.forms
        if "," not in forms or "?" in forms:
            return
        _, classes = self.facts.connectives.get(0, (0, frozenset()))
        if forms[0] not in ("had", "should", "were") and not classes & {"conditional", "exceptive", "attribution"}:
            return
        comma = forms.index(",")
        verbs = [k for k in range(comma, len(forms)) if self.facts.is_clause(k) and not self.a.punctuation[k]]
        main = [k for k in verbs if self.facts.children(k, "nsubj")]
        inside = [k for k in range(comma) if self.facts.is_clause(k)]
        yield from (Bond(k, 0, NOT_ENTAILED, "condition") for k in main[:1])
        yield from (Bond(k, i, NOT_ENTAILED, "condition") for k in main[:1] for i in inside[:1] if i != k)

    def _tie_stacks(self) -> Iterator[Bond]:
        """Tie the nouns between a non-subsective adjective and its head to it: attempted robbery charges."""
        for c, head in enumerate(self.a.heads):
            if self.facts.kinds[c] == "amod" and self.facts.modifier(c) in ("privative", "nonsubsective"):
                between = [k for k in self.facts.children(head, "compound") if c < k < head]
                yield from (Bond(c, k, NOT_ENTAILED, "nonsubsective modifier") for k in between)

    def _tie_halves(self) -> Iterator[Bond]:
        """Tie the second half of `both A and B`, `neither A nor B` to the first."""
        for c, head in enumerate(self.a.heads):
            if self.facts.kinds[c] == "conj":
                firsts = [k for k in self.a.children[head] if self.a.words[k].relation == "cc:preconj"]
                yield from (Bond(k, c, NOT_ENTAILED, "coordination") for k in firsts)

    def _tie_following(self) -> Iterator[Bond]:
        """Tie a condition to both of two verbs that it may belong to."""
        for c, head in enumerate(self.a.heads):
            kind = self.facts.kinds[c]
            if head >= 0 and kind == "advcl" and self.facts.kinds[head] == "conj" and c > head:
                ruling, first = self.rules.judge(c), self.a.heads[head]
                if ruling.reason == "condition" and not self.facts.children(head, "nsubj"):
                    yield Bond(first, c, *ruling)

    def _tie_neighbours(self) -> Iterator[Bond]:
        """Tie an operator to the word that it stands before, whatever the parser took to be its head."""
        for start, (end, classes) in self.facts.bounds.items():
            if "operator" in classes and end < len(self.a.words) and not self.a.punctuation[end]:
                yield from (Bond(end, k, NOT_ENTAILED, "approximator") for k in range(start, end))
        for i in range(len(self.a.words) - 1):
            if self.facts.kinds[i] != "advmod":
                continue
            k = i + 1
            if self.facts.modifier(i) in _ADJACENT and self.a.words[k].pos in _CONTENT:
                yield Bond(k, i, NOT_ENTAILED, self.facts.modifier(i))

    def _is_own_voice(self, verb: int) -> bool:
        """Check if the speaker is the source: I think, we believe, you know."""
        subjects = [self.facts.forms[k] for k in self.facts.children(verb, "nsubj")]
        plain = (
            self.polarity.inner[verb] == UP and not self.facts.is_past(verb) and not self.facts.children(verb, "aux")
        )
        return plain and subjects in (["i"], ["we"], ["you"]) and "negative" not in self.facts.predicate(verb)

    def _is_quoted(self, i: int) -> bool:
        """Check if a word stands between quotation marks: who speaks is part of the meaning."""
        marks = sum(form in ('"', "“", "”", "``", "''") for form in self.facts.forms[:i])
        return marks % 2 == 1

    def judge_alone(self, c: int) -> Ruling:
        """Say what follows from a text that keeps a word but not its head."""
        facts, head = self.facts, self.a.heads[c]
        kind = facts.kinds[c]
        classes = facts.predicate(head)
        if kind in _CLAUSES:
            sure = classes & {"factive", "implicative"} and self.polarity.inner[head] == UP and not self._is_quoted(c)
            if not sure and kind == "ccomp" and self._is_own_voice(head):
                return Ruling(UNKNOWN, "own opinion")
            return Ruling(ENTAILED if sure else NOT_ENTAILED, "attribution" if kind == "ccomp" else "complement")
        if kind == "advcl":
            ruling = self.rules.judge(c)
            if ruling.label == NOT_ENTAILED:
                return ruling
            _, lead = facts.lead(c)
            marked = facts.children(c, "nsubj", "expl", "csubj") and self.polarity.outer[head] == UP
            return Ruling(ENTAILED if marked and "factual" in lead else UNKNOWN, "clause")
        if kind in ("parataxis", "discourse", "dep", "conj") and self.rules.is_reported(c):
            return Ruling(NOT_ENTAILED, "attribution")
        if kind == "conj":
            return self.rules.judge(c)
        if kind == "parataxis" and self.rules.is_inverted(head):
            return Ruling(NOT_ENTAILED, "condition")
        if kind in ("parataxis", "discourse", "vocative", "list", "dislocated"):
            return Ruling(ENTAILED, "aside")
        if "negative" in classes and kind in ("obj", "obl", "nmod", "acl"):
            return Ruling(NOT_ENTAILED, "complement")
        if self.a.words[c].relation == "acl" and classes - {"factive"}:
            return Ruling(NOT_ENTAILED, "attribution")  # reports that, a chance that
        if kind == "acl" and self.polarity.outer[head] != UP:
            return Ruling(NOT_ENTAILED, "restriction")
        return Ruling(UNKNOWN, kind)
