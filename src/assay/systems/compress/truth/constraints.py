"""Constraints: what a compression must not do to the sentence's structure (Clarke and Lapata 2008, section 3.3).

Each family gives rows `low <= sum of coefficients * y <= high` over the keep bits y of the tokens. They are stated
there for RASP's grammatical relations; here they are read from Universal Dependencies, and each function says how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ....text.parse.flat import ParsedText
from .._rendering import pairs

INFINITY = float("inf")
JOINS = frozenset({"-", "/", "–", "&", "·"})
NEGATIONS = frozenset({"not", "n't", "n’t", "never", "nt"})
_MODIFIERS = frozenset(
    {
        "amod",
        "advmod",
        "det",
        "nummod",
        "nmod",
        "obl",
        "compound",
        "appos",
        "acl",
        "advcl",
        "discourse",
        "vocative",
        "fixed",
        "flat",
        "goeswith",
        "dislocated",
        "clf",
        "cc",
    }
)
_ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj", "xcomp", "ccomp"})


class ConstraintRow(NamedTuple):
    """One linear constraint on the keep bits."""

    family: str
    terms: Mapping[int, float]
    low: float = 0.0
    high: float = INFINITY

    def holds(self, keep: Mapping[int, bool] | list[bool] | tuple[bool, ...]) -> bool:
        """Check if a choice of tokens satisfies it."""
        value = sum(c for i, c in self.terms.items() if keep[i])
        return self.low - 1e-9 <= value <= self.high + 1e-9


def implies(family: str, token: int, other: int) -> ConstraintRow:
    """Require `other` if `token` is kept: y_other - y_token >= 0."""
    return ConstraintRow(family, {other: 1.0, token: -1.0})


def together(family: str, token: int, other: int) -> ConstraintRow:
    """Require both or neither: y_other - y_token = 0."""
    return ConstraintRow(family, {other: 1.0, token: -1.0}, 0.0, 0.0)


def base(relation: str) -> str:
    """Return a relation without its subtype."""
    return relation.partition(":")[0]


def is_negation(a: ParsedText, i: int) -> bool:
    """Check if a word is not, n't or never, or no as a determiner."""
    word = a.words[i]
    return word.form.lower() in NEGATIONS or (word.form.lower() == "no" and base(word.relation) == "det")


def modifiers(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a modifier only with its head (eq. 17): amod, advmod, det, nummod, nmod, obl, compound, appos, acl ..."""
    for i, word in enumerate(a.words):
        if a.heads[i] >= 0 and base(word.relation) in _MODIFIERS and not a.punctuation[i]:
            yield implies("modifiers", i, a.heads[i])


def negation(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a negation if and only if the negated word is kept (eq. 18)."""
    for i in range(len(a.words)):
        if is_negation(a, i) and a.heads[i] >= 0:
            yield together("negation", i, a.heads[i])


def possessives(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a possessor if and only if its noun is kept, and 's with the possessor (eq. 19): nmod:poss and its case."""
    for i, word in enumerate(a.words):
        if word.relation == "nmod:poss" and a.heads[i] >= 0:
            yield together("possessives", i, a.heads[i])
        if base(word.relation) == "case" and word.tag == "POS" and a.heads[i] >= 0:
            yield together("possessives", i, a.heads[i])


def arguments(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a subject or object if and only if its verb is kept (eq. 20); so also particles, complements and `be`.

    UD makes the complement of `be` the head: the copula goes with it as verb and argument do in RASP, and auxiliaries
    go with their verb (been added). Clausal complements may stand without their verb (he said), but not the reverse.
    """
    for i, word in enumerate(a.words):
        head, kind = a.heads[i], base(word.relation)
        if head < 0:
            continue
        if kind in ("ccomp", "csubj"):
            yield implies("arguments", head, i)
        elif kind in _ARGUMENTS or kind in ("cop", "aux", "expl") or word.relation == "compound:prt":
            yield together("arguments", i, head)


def verb(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a verb if the sentence has one (eq. 21); a copula counts."""
    verbs = [i for i, w in enumerate(a.words) if w.pos == "VERB" or base(w.relation) == "cop"]
    if verbs:
        yield ConstraintRow("verb", dict.fromkeys(verbs, 1.0), 1.0)


def phrases(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep the word that introduces a phrase or subordinate clause if and only if part of it is kept (eq. 22, 23).

    The preposition or conjunction is the `case` or `mark` of the phrase's head; the phrase is what hangs on that head.
    """
    for w, word in enumerate(a.words):
        head = a.heads[w]
        if head < 0 or base(word.relation) not in ("case", "mark") or word.tag == "POS":
            continue
        if word.form.lower() == "that" and base(a.words[head].relation) == "ccomp" and a.heads[head] >= 0:
            yield implies("phrases", w, head)  # he said that: it goes with either, and may go alone
            yield implies("phrases", w, a.heads[head])
            continue
        leads = [k for k in a.children[head] if base(a.words[k].relation) in ("case", "mark")]
        members = [m for m in a.subtree(head) if m not in leads and not a.punctuation[m] and a.heads[m] not in leads]
        yield from (implies("phrases", m, w) for m in members)
        yield ConstraintRow("phrases", {**dict.fromkeys(members, 1.0), w: -1.0})


def coordination(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep a conjunction if and only if the conjunct after it and one before it are kept (eq. 24-26)."""
    for c, word in enumerate(a.words):
        last = a.heads[c]
        if base(word.relation) != "cc" or last < 0 or base(a.words[last].relation) != "conj":
            continue
        first = a.heads[last]
        others = [first, *(k for k in a.children[first] if base(a.words[k].relation) == "conj" and k < last)]
        yield implies("coordination", c, last)
        yield ConstraintRow("coordination", {**dict.fromkeys(others, 1.0), c: -1.0})
        yield from (ConstraintRow("coordination", {c: 1.0, last: -1.0, other: -1.0}, -1.0) for other in others)


def brackets(a: ParsedText) -> Iterator[ConstraintRow]:
    """Delete everything in brackets (eq. 27)."""
    for opened, closed in pairs(a.text, a.tokens).items():
        if opened < closed and a.tokens[opened].text in ("(", "[", "{") and closed - opened + 1 < len(a.tokens):
            yield from (ConstraintRow("brackets", {i: 1.0}, 0.0, 0.0) for i in range(opened, closed + 1))


def pronouns(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep personal pronouns (eq. 28)."""
    for i, word in enumerate(a.words):
        if word.tag == "PRP":
            yield ConstraintRow("pronouns", {i: 1.0}, 1.0, 1.0)


def unspaced_words(a: ParsedText) -> Iterator[ConstraintRow]:
    """Keep or delete words without a space between them (York-based, $5m, didn't) together. Not in the paper."""
    for i in range(1, len(a.tokens)):
        mark = a.punctuation[i] or a.punctuation[i - 1]
        hyphen = a.tokens[i].text in JOINS or a.tokens[i - 1].text in JOINS
        if a.tokens[i - 1].end == a.tokens[i].start and (hyphen or not mark):
            yield together("unspaced", i, i - 1)


FAMILIES: dict[str, Callable[[ParsedText], Iterator[ConstraintRow]]] = {
    "modifiers": modifiers,
    "negation": negation,
    "possessives": possessives,
    "arguments": arguments,
    "verb": verb,
    "phrases": phrases,
    "coordination": coordination,
    "brackets": brackets,
    "pronouns": pronouns,
    "unspaced": unspaced_words,
}


def rows(
    a: ParsedText, families: Mapping[str, Callable[[ParsedText], Iterator[ConstraintRow]]] | None = None
) -> list[ConstraintRow]:
    """Return all constraints of a text; a pronoun in brackets is deleted with them."""
    rows_of_text = [row for family in (FAMILIES if families is None else families).values() for row in family(a)]
    deleted = {i for row in rows_of_text if row.family == "brackets" for i in row.terms}
    return [row for row in rows_of_text if not (row.family == "pronouns" and deleted & row.terms.keys())]
