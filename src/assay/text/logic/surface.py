"""Surface ties: words that belong together by their order, whatever the parser took them to depend on.

A parser errs most where a phrase is attached. A deletion counts as entailed only if it is so in the parse and no tie of
this module speaks against it: a phrase after a restricted noun may restrict it, a condition may hold for every verb
before it, and what is compared stands after *than* or the second *as*.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .facts import BREAKS, DEONTIC, NOMINAL, Facts
from .polarity import UP, Polarity

_LIMITING = {"conditional": "condition", "exceptive": "exception", "attribution": "attribution"}
_DOUBTFUL = frozenset(
    {"once", "upon", "until", "given", "bar", "save", "besides", "whether", "failing", "provided", "providing"}
    | {"assuming", "supposing", "rather than", "instead of", "as opposed to"}
)
_PHRASES = frozenset({"nmod", "obl", "acl", "advcl"})
_INSIDE = frozenset({"xcomp", "obl", "obj", "nmod", "nsubj", "amod", "advmod", "appos", "conj", "iobj", "compound"})
_IDIOMS = (["as", "well", "as"], ["as", "soon", "as"], ["as", "such", "as"])
_COMMA = frozenset({",", ',"', ",”", "''", '"', "”"})


class Tie(NamedTuple):
    """A word that needs another, and why."""

    word: int
    needed: int
    reason: str


def find_limits(facts: Facts) -> Iterator[tuple[int, int, str]]:
    """Yield the connectives that limit what a clause says, without doubtful ones: start, end and class."""
    for start, (end, classes) in facts.connectives.items():
        limiting = sorted(classes & set(_LIMITING))
        if limiting and " ".join(facts.forms[start:end]) not in _DOUBTFUL:
            yield start, end, limiting[0]


def find_comparisons(facts: Facts) -> Iterator[tuple[int, int]]:
    """Yield the places of a comparative and its *than*, and of the two halves of *as ... as* and *same ... as*."""
    forms = facts.forms
    for k, form in enumerate(forms[:-1]):
        if form not in ("than", "as") or facts.kinds[k] == "fixed":
            continue
        for i in range(k - 1, max(-1, k - 16), -1):
            if forms[i] in BREAKS:
                break
            if form == "than" and (facts.a.words[i].tag in ("JJR", "RBR") or forms[i] in ("more", "less", "rather")):
                yield i, k
                break
            if form == "as" and forms[i] in ("as", "so", "same") and forms[i : k + 1] not in _IDIOMS:
                yield i, k
                break


class SurfaceTies:
    """All ties of a text."""

    def __init__(self, facts: Facts, polarity: Polarity) -> None:
        self.facts, self.polarity = facts, polarity
        self.a = facts.a

    def find(self) -> Iterator[Tie]:
        """Yield them."""
        yield from self.tie_connectives()
        yield from self.tie_comparisons()
        yield from self.tie_restrictions()
        yield from self.tie_superlatives()
        yield from self.tie_places()
        yield from self.tie_subjects()
        yield from self.tie_asides()
        yield from self.tie_sources()

    def tie_connectives(self) -> Iterator[Tie]:
        """Tie the words of a connective to each other, and the verbs before it to it: order ... to pay ... if."""
        for start, end, limiting in find_limits(self.facts):
            reason, phrase = _LIMITING[limiting], range(start, end)
            yield from (Tie(i, k, "connective") for i in phrase for k in phrase if i != k)
            top = self._top(start, phrase)
            kind = self.facts.kinds[top]
            if kind in ("ccomp", "csubj", "root", "xcomp") or (reason == "condition" and kind == "acl"):
                continue
            governed = self._find_governed(end)
            verbs = list(self._clauses_above(top, start))
            yield from (Tie(verb, start, reason) for verb in verbs)
            if governed >= 0:
                yield Tie(governed, start, "connective")
                yield from (Tie(verb, governed, reason) for verb in verbs)

    def _find_governed(self, end: int) -> int:
        """Return the word that a connective before a place introduces: what its last word marks, or the next noun."""
        head = self.a.heads[end - 1]
        if head >= end:
            return head
        after = (k for k in range(end, min(end + 4, len(self.a.words))) if self.a.words[k].pos in NOMINAL)
        return next(after, -1)

    def _top(self, i: int, phrase: range) -> int:
        """Return the highest word that a phrase introduces: on the way up, the last that is not before it."""
        while self.a.heads[i] >= phrase.start:
            i = self.a.heads[i]
        return i

    def _clauses_above(self, i: int, start: int) -> Iterator[int]:
        """Yield the clauses that a phrase may belong to: the one it hangs on, and those above without a boundary."""
        i = self.a.heads[i]
        while i >= 0:
            if i < start and self.facts.is_clause(i):
                yield i
            purpose = self.facts.kinds[i] in ("advcl", "acl") and self.facts.forms[self.a.subtree(i)[0]] == "to"
            if self.facts.kinds[i] not in _INSIDE and not purpose:
                return
            i = self.a.heads[i]

    def tie_comparisons(self) -> Iterator[Tie]:
        """Tie a comparative to its *than*, *as* to its second half, and what is compared to these words."""
        forms, kinds = self.facts.forms, self.facts.kinds
        for first, k in find_comparisons(self.facts):
            yield Tie(first, k, "standard of comparison")
            if kinds[k + 1] == "case":  # as dangerous for the mother as for the child
                pairs = (i for i in range(first, k) if forms[i] == forms[k + 1] and kinds[i] == "case")
                yield from (Tie(k, self.a.heads[i], "comparison") for i in pairs)
            standard = self.a.heads[k] if self.a.heads[k] > k else k + 1
            yield Tie(k, standard, "comparison")
            if forms[first] == "as":
                yield Tie(k, first, "comparison")

    def tie_restrictions(self) -> Iterator[Tie]:
        """Tie a noun in a place that is not upward to a phrase right after its own, wherever the parser put it."""
        facts = self.facts
        for c, head in enumerate(self.a.heads):
            if head < 0 or facts.kinds[c] not in _PHRASES or self.a.punctuation[c]:
                continue
            for noun in facts.nouns_before(c):
                if noun != head and self._restricts(c, head, noun):
                    single = facts.singles_out(noun)
                    yield Tie(noun, c, "what is singled out" if single else "restriction in a non-monotone place")

    def _restricts(self, c: int, head: int, noun: int) -> bool:
        """Check if a phrase that hangs elsewhere may restrict a noun, and that matters."""
        facts = self.facts
        if facts.singles_out(noun):
            return facts.kinds[c] != "advcl" or facts.forms[self.a.subtree(c)[0]] in ("to", "since", "that", "who")
        if self.polarity.noun[noun] == UP or not facts.is_restricted(noun) or facts.kinds[c] == "advcl":
            return False
        return facts.kinds[c] == "acl" or facts.is_clause(head) or not facts.is_referential(head)

    def tie_superlatives(self) -> Iterator[Tie]:
        """Tie a noun that is singled out to the phrases that name its domain: the highest fine ever paid."""
        facts = self.facts
        for noun in range(len(self.a.words)):
            if facts.kinds[noun] in ("amod", "det", "advmod") or not facts.singles_out(noun):
                continue  # a noun, or what the parser took for an adjective
            end = next((k for k in range(noun + 1, len(facts.forms)) if facts.forms[k] in BREAKS), len(facts.forms))
            rest = range(noun + 1, end)
            verbs = [k for k in rest if self.a.words[k].pos == "VERB"]
            if not verbs or not any(facts.forms[k] in ("ever", "that", "to", "who", "which") for k in rest[:4]):
                continue
            if verbs[0] - noun <= 2:
                yield Tie(noun, verbs[0], "what is singled out")
            for c in rest:
                after = self.a.heads[c] in rest and self.a.subtree(c)[0] > verbs[0]
                if facts.kinds[c] in ("obl", "nmod") and after and not self.a.punctuation[c]:
                    yield Tie(noun, c, "what is singled out")

    def tie_places(self) -> Iterator[Tie]:
        """Tie a rule to its *where*: may be reduced where the firm cooperates."""
        for k, form in enumerate(self.facts.forms):
            if form != "where" or k == 0 or self.facts.is_question or self.facts.forms[k - 1] in BREAKS:
                continue
            rules = [i for i in range(k) if self.facts.is_clause(i) and self.facts.is_rule(i)]
            if rules and "place" not in self.facts.noun(k - 1):
                yield Tie(rules[-1], k, "condition")
                if self.a.heads[k] > k:
                    yield Tie(self.a.heads[k], k, "connective")

    def tie_subjects(self) -> Iterator[Tie]:
        """Tie the subject of a rule to the phrases after it: travellers from Rome must, a witness who lies may."""
        facts = self.facts
        roots = [i for i, head in enumerate(self.a.heads) if head < 0 and facts.is_rule(i)]
        modals = [k for i in roots for k in facts.children(i, "aux") if facts.forms[k] in DEONTIC]
        if not modals or not modals[0] or any(form in BREAKS for form in facts.forms[: modals[0]]):
            return
        nouns = [i for i in range(modals[0]) if self.a.words[i].pos in ("NOUN", "PRON")]
        definite = any(self.facts.is_referential(i) for i in nouns[:1]) or self.a.words[0].pos == "PROPN"
        if not nouns or definite or nouns[0] > 2:
            return
        for c in range(nouns[0] + 1, modals[0]):
            if facts.kinds[c] in _PHRASES and self.a.subtree(c)[0] > nouns[0] and not self.a.punctuation[c]:
                yield Tie(nouns[0], c, "restriction in a downward place")

    def tie_asides(self) -> Iterator[Tie]:
        """Tie the main verb to a source between two commas: the actor, so the magazine claims, paid."""
        forms, facts = self.facts.forms, self.facts
        commas = [k for k, form in enumerate(forms) if form == ","]
        for left, right in pairwise(commas):
            inside = range(left + 1, right)
            verbs = [k for k in inside if self.a.words[k].pos == "VERB"]
            starts = self.a.words[left + 1].tag in ("WDT", "WP", "CC", "IN", "WRB", "VBG", "VBN")
            nouns = [k for k in inside if self.a.words[k].pos in NOMINAL]
            if len(verbs) != 1 or not nouns or starts or len(inside) > 12 or "saying" not in facts.predicate(verbs[0]):
                continue
            main = [k for k, head in enumerate(self.a.heads) if head < 0 and k not in inside]
            yield from (Tie(k, verbs[0], "attribution") for k in main)

    def tie_sources(self) -> Iterator[Tie]:
        """Tie the clause before a comma to `an audit shows` at the end of the text."""
        forms = self.facts.forms
        commas = [k for k, form in enumerate(forms) if form in _COMMA]
        if not commas:
            return
        rest = range(commas[-1] + 1, len(forms))
        verbs = [k for k in rest if "saying" in self.facts.predicate(k)]
        if not verbs or len(verbs) > 1 or any(self.a.words[k].tag in ("WDT", "WP", "CC", "IN") for k in rest[:1]):
            return
        verb = verbs[0]
        nouns = [k for k in range(rest.start, verb) if self.a.words[k].pos in NOMINAL]
        inverted = verb == rest.start and any(self.a.words[k].pos in NOMINAL for k in rest)
        main = [k for k in range(commas[-1]) if self.facts.is_clause(k) and not self.a.punctuation[k]]
        main = [k for k in main if self.a.heads[k] < 0 or self.a.heads[k] >= rest.start]
        if not (nouns or inverted) or not main or self.a.words[verb].pos not in ("VERB", "AUX", "NOUN"):
            return
        yield Tie(main[0], verb, "attribution")
        yield from (Tie(verb, k, "attribution") for k in nouns[:1])
