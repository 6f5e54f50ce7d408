"""The fusion graph: the units of a base sentence, and those of another that can stand under a word both share.

After Barzilay and McKeown (2005) and Filippova and Strube (2008): the trees are aligned, an aligned word is one node,
and what hangs on it in the other sentence can hang on it in the base. Where the sentences share no more than the
subject, or a topic, the predicates are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...text.parse.flat import ParsedText
from ..compress.truth.constraints import base, is_negation
from ._units import TIME, Units
from ._word_sets import word_set

Shared = tuple[tuple[int, int], tuple[int, int]]  # (sentence, token) twice
START, END = -1, 10**9  # places before and after all tokens
_CLAUSE = frozenset({"nsubj", "csubj", "expl"})
_BACK = word_set("he she they him her them his hers their theirs it its this these those the both")
_OPEN = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "VERB"})
_PREDICATE = frozenset({"obj", "iobj", "obl", "xcomp", "compound", "advmod"})
_ABBREVIATIONS = word_set(
    "jan feb mar apr jun jul aug sep sept oct nov dec mr mrs ms dr prof gen sen rep gov lt col sgt capt cmdr st jr sr "
    "vs inc co corp ltd rev hon"
)
_ADJUNCTS = frozenset({"obl", "advcl"})


class GraphNode(NamedTuple):
    """Words of a sentence that are kept or left out together, and the node that they need."""

    sentence: int
    tokens: tuple[int, ...]
    parent: int  # -1: a root, which is kept
    segment: int  # 0: the base, else what is inserted into it


class Segment(NamedTuple):
    """A part of the text in the order of one sentence: `after` is the base token it follows, END for the end."""

    sentence: int
    after: int = END
    lead: str = ""  # what is written before it
    tail: str = ""


@dataclass
class FusionGraph:
    """Nodes and segments of one way to fuse: `kind` is one, shared, coordinated or joined.

    one: a sentence alone; shared: with what another says of a shared word; coordinated: two predicates of one subject;
    joined: two clauses.
    """

    kind: str
    nodes: list[GraphNode] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)

    def add(self, units: Units, segment: int, top: int, parent: int, skip: frozenset[int] = frozenset()) -> None:
        """Add a unit and all below it; tokens of `skip`, and units that hold nothing else, are left out."""
        tokens = tuple(i for i in units.tokens(top) if i not in skip and i not in units.idle)
        if not tokens:
            return
        self.nodes.append(GraphNode(self.segments[segment].sentence, tokens, parent, segment))
        own = len(self.nodes) - 1
        for unit, above in enumerate(units.parents):
            if above == top:
                self.add(units, segment, unit, own, skip)


class Cores:
    """The sentences of a cluster as the graphs need them: parses, units, shared words, main clauses."""

    def __init__(self, texts: Sequence[ParsedText], units: Sequence[Units], links: Sequence[Shared]) -> None:
        self.texts, self.units = texts, units
        self.shared: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for one, two in links:
            self.shared.setdefault(one, []).append(two)
            self.shared.setdefault(two, []).append(one)

    def roots(self, n: int) -> list[int]:
        """Return the units that can be the base: main clauses; none if the sentence was split at an abbreviation.

        What is not a clause is a fragment, or the parse is wrong: nothing can be left out of it safely.
        """
        tops = [u for u, parent in enumerate(self.units[n].parents) if parent < 0 and not self.is_broken(n)]
        return [u for u in tops if self.is_clause(n, u)]

    def is_broken(self, n: int) -> bool:
        """Check if a sentence was split after an abbreviation (Feb . 9): its halves are not clauses."""
        a = self.texts[n]
        ends = [k for k in range(2, len(a.tokens)) if a.sentence[k] != a.sentence[k - 1]]
        return any(_is_abbreviation(a.tokens[k - 2].text) and a.tokens[k - 1].text == "." for k in ends)

    def is_clause(self, n: int, unit: int) -> bool:
        """Check if a unit has a subject and a finite predicate."""
        return is_clause(self.texts[n], self.units[n].heads[unit])

    def subject(self, n: int, unit: int) -> int | None:
        """Return the subject's head of a clause."""
        a, head = self.texts[n], self.units[n].heads[unit]
        return next((k for k in a.children[head] if base(a.words[k].relation) == "nsubj"), None)

    def same(self, one: tuple[int, int], two: tuple[int, int]) -> bool:
        """Check if two words are aligned."""
        return two in self.shared.get(one, [])

    def same_subject(self, i: int, one: int, j: int, two: int) -> bool:
        """Check if two clauses have the same subject: the same noun phrase, or a pronoun for a name before it."""
        first, second = self.subject(i, one), self.subject(j, two)
        if first is None or second is None or not self._begins(j, second):
            return False
        if self.same((i, first), (j, second)):
            return self._says_no_more(j, second, i)
        word = self.texts[j].words[second]
        pronoun = word.form.lower() in ("he", "she") and i < j
        return pronoun and find_name(self.texts[i]) == first

    def _begins(self, n: int, subject: int) -> bool:
        """Check if a sentence begins with its subject, but for words that go in any case."""
        a, idle = self.texts[n], self.units[n].idle
        phrase = a.subtree(subject)
        first = all(a.punctuation[k] or k in idle for k in range(phrase[0]))
        return first and phrase[-1] < a.heads[subject]

    def is_connected(self, i: int, j: int) -> bool:
        """Check if two sentences share a content word, or the second refers back: he, its, this, the."""
        linked = any(a == i and any(b == j for b, _ in others) for (a, _), others in self.shared.items())
        return linked or any(token.text.lower() in _BACK for token in self.texts[j].tokens)

    def repeats(self, i: int, one: int, j: int, two: int) -> bool:
        """Check if the main clause of one sentence says again what that of another says: verb, or most words."""
        heads = (i, self.units[i].heads[one]), (j, self.units[j].heads[two])
        if self.same(*heads):
            return True
        a, subject = self.texts[j], self.subject(j, two)
        known = set(a.subtree(subject)) if subject is not None else set()
        content = [k for k in self.units[j].tokens(two) if a.words[k].pos in _OPEN and k not in known]
        again = [k for k in content if any(s == i for s, _ in self.shared.get((j, k), []))]
        return 2 * len(again) > len(content)

    def speaks(self, n: int) -> bool:
        """Check if a sentence is someone's own words and does not say who that is: I or we without a quotation."""
        a = self.texts[n]
        first = any(token.text.lower() in ("i", "we", "my", "our", "me", "us") for token in a.tokens)
        opened = any(token.text in ("`", "``", "“", '"') for token in a.tokens)
        closed = any(token.text in ("''", "”", '"') for token in a.tokens)
        return (first and not opened) or opened != closed

    def _says_no_more(self, n: int, head: int, other: int) -> bool:
        """Check if a noun phrase has no content word that the other sentence does not have."""
        a = self.texts[n]
        content = [k for k in a.subtree(head) if a.words[k].pos in _OPEN]
        return all(any(s == other for s, _ in self.shared.get((n, k), [])) for k in content)


def _is_abbreviation(form: str) -> bool:
    return (len(form) == 1 and form.isupper()) or "." in form[:-1] or form.lower() in _ABBREVIATIONS


def is_clause(a: ParsedText, head: int) -> bool:
    """Check if a word heads a clause with a subject and a finite verb."""
    below = a.children[head]
    subject = any(base(a.words[k].relation) in _CLAUSE for k in below)
    verbs = [head, *(k for k in below if base(a.words[k].relation) in ("aux", "cop"))]
    finite = any(a.words[k].tag in ("VBD", "VBZ", "VBP", "MD") or "Fin" in a.words[k].features for k in verbs)
    return subject and finite


def find_name(a: ParsedText) -> int | None:
    """Find the only name that is a subject in a sentence: what a later he or she most likely stands for."""
    names = [k for k, word in enumerate(a.words) if word.pos == "PROPN" and base(word.relation) == "nsubj"]
    return names[0] if len(names) == 1 and not _is_no_person(a, names[0]) else None


def _is_no_person(a: ParsedText, k: int) -> bool:
    return any(base(a.words[c].relation) == "det" for c in a.children[k]) or a.words[k].form.isupper()


def graph_of_one(cores: Cores, n: int, root: int) -> FusionGraph:
    """Build the graph of a sentence alone."""
    graph = FusionGraph("one", segments=[Segment(n)])
    graph.add(cores.units[n], 0, root, -1)
    return graph


def graph_of_shared(cores: Cores, n: int, root: int) -> FusionGraph | None:
    """Build the graph of a base sentence with what others say of the words they share; None if they add nothing."""
    graph = FusionGraph("shared", segments=[Segment(n)])
    graph.add(cores.units[n], 0, root, -1)
    node_of = {k: m for m, node in enumerate(graph.nodes) for k in node.tokens}
    for own, (other, word) in sorted(_pairs(cores, n, node_of)):
        if titles := _titles(cores, n, own, other, word):
            graph.segments.append(Segment(other, own - 1))
            graph.nodes.append(GraphNode(other, titles, node_of[own], len(graph.segments) - 1))
        for unit, segment in _grafts(cores, n, own, other, word):
            size = len(graph.nodes)
            graph.segments.append(segment)
            repeated = {k for s, k in cores.shared if s == other}
            units = cores.units[other]
            if repeated.isdisjoint(units.tokens(unit)):
                skip = frozenset(repeated_units(units, repeated))
                graph.add(units, len(graph.segments) - 1, unit, node_of[own], skip)
            if len(graph.nodes) == size:
                graph.segments.pop()
    return graph if len(graph.segments) > 1 else None


def repeated_units(units: Units, repeated: set[int]) -> Iterator[int]:
    """Yield the tokens of units that say something again."""
    for unit in {units.unit[k] for k in repeated}:
        yield from units.tokens(unit)


def _pairs(cores: Cores, n: int, inside: dict[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
    for own in inside:
        for other in cores.shared.get((n, own), []):
            yield own, other


def _grafts(cores: Cores, n: int, own: int, other: int, word: int) -> Iterator[tuple[int, Segment]]:
    """Yield the units of the other sentence that may hang on a shared word of the base, and where they go."""
    a, b = cores.texts[n], cores.texts[other]
    units = cores.units[other]
    for unit, head in enumerate(units.heads):
        if b.heads[head] != word:
            continue
        kind = base(b.words[head].relation)
        both = a.words[own].pos if a.words[own].pos == b.words[word].pos else ""
        if both == "VERB" and kind in _ADJUNCTS and head > word and not _has_adjunct(a, own, b, head):
            if _same_event(cores, n, own, other, word):
                yield unit, Segment(other, _end_of_predicate(a, own))
        elif (
            both == "PROPN"
            and a.words[own].lemma.lower() not in TIME
            and _is_commented(b, head, word)
            and not _has_comment(a, own)
        ):
            yield unit, Segment(other, _end_of_name(a, own), ",", ",")


def _titles(cores: Cores, n: int, own: int, other: int, word: int) -> tuple[int, ...]:
    """Find what stands before a shared name in the other sentence, if the base has the name alone."""
    a, b = cores.texts[n], cores.texts[other]
    if not (a.words[own].pos == b.words[word].pos == "PROPN") or any(k < own for k in a.children[own]):
        return ()
    before = [k for k in b.subtree(word) if k < word]
    names = any(b.words[k].relation in ("det", "case", "nummod", "conj", "cc", "nmod", "nmod:poss") for k in before)
    flat = base(a.words[own].relation) in ("flat", "compound")
    if names or flat or not before or before != list(range(before[0], word)) or any(b.punctuation[k] for k in before):
        return ()
    return () if any((other, k) in cores.shared for k in before) else tuple(before)


def _same_event(cores: Cores, n: int, own: int, other: int, word: int) -> bool:
    """Check if two verbs are the same with the same subject, both or neither negated."""
    a, b = cores.texts[n], cores.texts[other]
    if a.words[own].lemma.lower() != b.words[word].lemma.lower():
        return False
    subjects = [
        next((k for k in t.children[v] if base(t.words[k].relation) == "nsubj"), None) for t, v in ((a, own), (b, word))
    ]
    negated = [any(is_negation(t, k) for k in t.children[v]) for t, v in ((a, own), (b, word))]
    if None in subjects or any(negated):
        return False
    objects = [
        next((k for k in t.children[v] if base(t.words[k].relation) == "obj"), None) for t, v in ((a, own), (b, word))
    ]
    same_object = objects == [None, None] or (
        None not in objects and cores.same((n, objects[0] or 0), (other, objects[1] or 0))
    )
    return same_object and cores.same((n, subjects[0] or 0), (other, subjects[1] or 0))


def _has_adjunct(a: ParsedText, own: int, b: ParsedText, head: int) -> bool:
    """Check if the base verb has an adjunct with the same preposition already."""
    cases = {b.words[k].form.lower() for k in b.children[head] if base(b.words[k].relation) in ("case", "mark")}
    for k in a.children[own]:
        if base(a.words[k].relation) in _ADJUNCTS:
            here = {a.words[c].form.lower() for c in a.children[k] if base(a.words[c].relation) in ("case", "mark")}
            if here & cases or not cases:
                return True
    return False


def _has_comment(a: ParsedText, own: int) -> bool:
    return any(base(a.words[k].relation) in ("appos", "acl") for k in a.children[own])


def _is_commented(b: ParsedText, head: int, word: int) -> bool:
    """Check if a unit is an apposition or relative clause between commas after a name that is not a day or month."""
    if b.words[head].relation not in ("appos", "acl:relcl") or b.words[word].lemma.lower() in TIME:
        return False
    start = b.subtree(head)[0]
    return start > word and (b.tokens[start].text == "," or b.tokens[start - 1].text == ",")


def _end_of_predicate(a: ParsedText, verb: int) -> int:
    """Return the last token of a verb's objects and adjuncts, before any clause that follows."""
    parts = [k for k in a.children[verb] if k > verb and base(a.words[k].relation) in _PREDICATE]
    return max([verb, *(i for k in parts for i in a.subtree(k) if not a.punctuation[i])])


def _end_of_name(a: ParsedText, name: int) -> int:
    parts = [k for k in a.children[name] if base(a.words[k].relation) == "flat"]
    return max([name, *parts])


def graph_of_both(cores: Cores, i: int, j: int) -> FusionGraph | None:
    """Build the graph of two main clauses joined by and; the second without its subject if it is that of the first."""
    first, second = cores.roots(i), cores.roots(j)
    if not first or not second:
        return None
    one, two = first[0], second[0]
    if not _may_join(cores, i, one, j, two):
        return None
    shared = cores.same_subject(i, one, j, two)
    subject = cores.subject(j, two)
    skip = frozenset(cores.texts[j].subtree(subject)) if shared and subject is not None else frozenset[int]()
    graph = FusionGraph(
        "coordinated" if shared else "joined", segments=[Segment(i), Segment(j, END, "and" if shared else ", and")]
    )
    graph.add(cores.units[i], 0, one, -1)
    size = len(graph.nodes)
    graph.add(cores.units[j], 1, two, -1, skip)
    return graph if len(graph.nodes) > size else None


def _may_join(cores: Cores, i: int, one: int, j: int, two: int) -> bool:
    """Check if two main clauses may be joined: about the same thing, and not the same twice."""
    if _asks(cores.texts[i]) or _asks(cores.texts[j]) or cores.speaks(i) != cores.speaks(j):
        return False
    return cores.is_connected(i, j) and not cores.repeats(i, one, j, two)


def _asks(a: ParsedText) -> bool:
    """Check if a sentence is a question or exclamation, or has clauses of its own that are joined."""
    return any(token.text in ("?", "!", ";") for token in a.tokens)
