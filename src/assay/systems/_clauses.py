"""Clauses: a sentence as a main clause and what hangs on it, from the dependency parse.

They stand in for the elementary units of a discourse parse (Daumé III and Marcu 2002 use an RST parser). A unit begins
at a word that is joined to its head as an adverbial clause, a relative or other adjectival clause, an apposition,
parataxis, a joined clause, or the complement of a verb of saying; it holds that word and all below it that is in no
unit of its own. The main clause is a nucleus and the others its satellites, with one exception: of "he said that it
rains" the complement is the nucleus and "he said that" the satellite.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..text.parse.flat import ParsedText

SATELLITES = ("advcl", "acl:relcl", "acl", "appos", "parataxis", "conj", "attribution")
_SAYING = frozenset(
    (
        "say",
        "tell",
        "report",
        "announce",
        "add",
        "note",
        "claim",
        "believe",
        "think",
        "state",
        "explain",
        "argue",
        "suggest",
        "warn",
        "admit",
        "insist",
        "declare",
        "confirm",
        "reveal",
        "indicate",
        "deny",
        "stress",
        "predict",
        "estimate",
        "suspect",
        "know",
        "show",
        "find",
        "hear",
        "learn",
        "write",
        "acknowledge",
    )
)


@dataclass(frozen=True)
class Clause:
    """A unit: its head word, its tokens in order, the unit it hangs on (-1: none) and how."""

    head: int
    tokens: tuple[int, ...]
    parent: int
    relation: str  # "root", or one of SATELLITES
    before: bool = False  # whether it stands before the word it hangs on


def clauses(text: ParsedText) -> list[Clause]:
    """Split a text into clauses, each after the one that it depends on.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The dam, which was built in 1931, is safe because it was repaired."])
    >>> for c in clauses(a):
    ...     print(c.relation, c.parent, " ".join(a.tokens[i].text for i in c.tokens))
    root -1 The dam , is safe .
    advcl 0 because it was repaired
    acl:relcl 0 , which was built in 1931
    >>> [a] = parse_texts(["Engineers said on Friday that the dam is safe."])
    >>> for c in clauses(a):
    ...     print(c.relation, c.parent, " ".join(a.tokens[i].text for i in c.tokens))
    root -1 the dam is safe .
    attribution 0 Engineers said on Friday that
    """
    heads: dict[int, str] = {}
    for i, head in enumerate(text.heads):
        kind = "root" if head < 0 else _kind(text, i)
        if kind:
            heads[i] = kind
    unit_of = {i: _unit(text, i, heads) for i in range(len(text.tokens))}
    order = _outside_in(text, heads)
    place = {head: n for n, head in enumerate(order)}
    units: list[Clause] = []
    for head in order:
        relation = heads[head]
        above = text.heads[head]
        parent = -1 if relation == "root" else place[unit_of[above]]
        tokens = tuple(i for i, unit in unit_of.items() if unit == head)
        units.append(Clause(head, tokens, parent, relation, head < above))
    return _turn_attribution(text, units)


def _kind(text: ParsedText, i: int) -> str:
    """Return the kind of satellite that begins at a word; the empty text if none does."""
    word, above = text.words[i], text.words[text.heads[i]]
    relation = word.relation
    if relation in ("acl:relcl", "acl", "parataxis", "appos"):
        return relation if len(text.subtree(i)) > 1 else ""
    if relation.startswith("advcl"):
        return "advcl"
    if relation == "conj" and word.pos in ("VERB", "AUX") and above.pos in ("VERB", "AUX", "ADJ"):
        return "conj"
    return "saying" if relation == "ccomp" and above.lemma.lower() in _SAYING else ""


def _unit(text: ParsedText, i: int, heads: dict[int, str]) -> int:
    """Return the head of the clause that a token is in; "that" before a reported clause is in the reporting one."""
    if (
        text.words[i].relation == "mark"
        and heads.get(text.heads[i]) == "saying"
        and text.tokens[i].text.lower() == "that"
    ):
        i = text.heads[text.heads[i]]
    while i not in heads:
        i = text.heads[i]
    return i


def _outside_in(text: ParsedText, heads: dict[int, str]) -> list[int]:
    def depth(i: int) -> int:
        steps = 0
        while text.heads[i] >= 0:
            i, steps = text.heads[i], steps + 1
        return steps

    return sorted(heads, key=lambda i: (text.sentence[i], depth(i), i))


def _turn_attribution(text: ParsedText, units: list[Clause]) -> list[Clause]:
    """Make the reported clause the nucleus, and the reporting one its satellite, if that is a main clause."""
    turned = list(units)
    for n, clause in enumerate(units):
        if clause.relation != "saying":
            continue
        if units[clause.parent].relation != "root":  # the complement of a verb inside a satellite stays with it
            turned[n] = Clause(clause.head, clause.tokens, clause.parent, "conj", clause.before)
            continue
        saying = turned[clause.parent]
        if saying.relation == "attribution":  # a second complement of the same verb
            turned[n] = Clause(clause.head, clause.tokens, clause.parent, "conj", clause.before)
            continue
        final = tuple(i for i in saying.tokens if text.punctuation[i] and i > max(clause.tokens))
        tokens = tuple(sorted((*clause.tokens, *final)))
        turned[n] = Clause(clause.head, tokens, -1, "root")
        rest = tuple(i for i in saying.tokens if i not in final)
        turned[clause.parent] = Clause(saying.head, rest, n, "attribution", saying.head < clause.head)
    return _sort_parents_first(turned)


def _sort_parents_first(units: list[Clause]) -> list[Clause]:
    """Sort parents before their children, and renumber the parents."""
    order: list[int] = []
    waiting = list(range(len(units)))
    while waiting:
        ready = [n for n in waiting if units[n].parent < 0 or units[n].parent in order]
        order += ready
        waiting = [n for n in waiting if n not in ready]
    place = {old: new for new, old in enumerate(order)}
    return [
        Clause(c.head, c.tokens, place.get(c.parent, -1), c.relation, c.before) for c in (units[old] for old in order)
    ]
