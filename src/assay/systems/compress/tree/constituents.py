"""Constituents: phrases over the tokens of a text, made from its dependency parse or read from Penn brackets.

A head projects, from the inside out, up to seven phrases, each with the dependents that the table below gives it: a
base phrase (NB: determiners, adjectives, compounds), the phrase with its modifiers (NP), PP with a preposition, VP with
objects and adverbials, S with the subject, SBAR with a subordinator, CONJ with a conjunction. A dependent that stands
outside another on the same side joins no lower than that one, so that phrases are unbroken. Phrases that would add
nothing are left out. Crossing arcs are lifted first (Nivre and Nilsson 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ....text.parse.flat import ParsedText

_BASE, _MODIFIED, _CASE, _PREDICATE, _CLAUSE, _MARKED, _JOINED = range(1, 8)
_LEVELS = {
    **dict.fromkeys(("det", "amod", "compound", "nummod", "nmod:poss", "flat", "fixed", "goeswith"), _BASE),
    **dict.fromkeys(("compound:prt", "det:predet", "nmod:desc", "flat:foreign", "nmod:unmarked"), _BASE),
    **dict.fromkeys(("nmod", "acl", "acl:relcl", "appos", "list"), _MODIFIED),
    "case": _CASE,
    **dict.fromkeys(("aux", "aux:pass", "cop", "obj", "iobj", "obl", "obl:agent", "obl:tmod", "xcomp"), _PREDICATE),
    **dict.fromkeys(("ccomp", "advmod", "advcl", "obl:npmod", "obl:unmarked", "orphan"), _PREDICATE),
    **dict.fromkeys(("nsubj", "nsubj:pass", "nsubj:outer", "csubj", "csubj:pass", "expl"), _CLAUSE),
    **dict.fromkeys(("discourse", "vocative", "parataxis", "dislocated", "dep", "reparandum"), _CLAUSE),
    "mark": _MARKED,
    **dict.fromkeys(("cc", "cc:preconj"), _JOINED),
}
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "nsubj:outer", "csubj", "csubj:pass", "expl"})
_PHRASES = {
    **dict.fromkeys(("NOUN", "PROPN", "PRON"), "NP"),
    **dict.fromkeys(("VERB", "AUX"), "VP"),
    "NUM": "QP",
    "SYM": "QP",
    "ADJ": "ADJP",
    "ADV": "ADVP",
    "ADP": "PP",
    "DET": "NP",
    "SCONJ": "SBAR",
}
TOP = "TOP"


class Node(NamedTuple):
    """A phrase or a word: tokens start to end, the relation of its head if it is all that the head projects."""

    label: str
    start: int
    end: int
    relation: str
    head: int  # the token that it is a phrase of, -1 where that is not known
    parent: int
    children: tuple[int, ...]


@dataclass(frozen=True)
class ConstituentTree:
    """Nodes in preorder, the root first; every token has a node of its own, labelled by its part of speech."""

    nodes: tuple[Node, ...]

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The node of each token."""
        leaves = [i for i, node in enumerate(self.nodes) if not node.children]
        return tuple(sorted(leaves, key=lambda i: self.nodes[i].start))

    @cached_property
    def starting(self) -> tuple[tuple[int, ...], ...]:
        """The starting that start at each token, the largest first and the token's own last."""
        starting: list[list[int]] = [[] for _ in self.leaves]
        for i, node in enumerate(self.nodes):  # preorder: the larger come first
            starting[node.start].append(i)
        return tuple(map(tuple, starting))

    def ancestors(self, node: int) -> list[int]:
        """List the nodes above, from the parent to the root."""
        ancestors = []
        while (node := self.nodes[node].parent) >= 0:
            ancestors.append(node)
        return ancestors

    def to_brackets(self, words: Sequence[str]) -> str:
        """Write the tree in Penn brackets.

        >>> from assay.systems.compress.tree._brackets import read_brackets
        >>> read_brackets("(S (NP (DT The) (NN cat)) (VP (VBD sat)))")[0].tree.to_brackets(["The", "cat", "sat"])
        '(S (NP (DT The) (NN cat)) (VP (VBD sat)))'
        """
        parts: list[str] = []
        open_ends: list[int] = []
        for node in self.nodes:
            while open_ends and open_ends[-1] <= node.start:
                parts.append(")")
                open_ends.pop()
            parts.append(f" ({node.label}")
            if node.children:
                open_ends.append(node.end)
            else:
                parts.append(f" {words[node.start]})")
        return "".join([*parts, ")" * len(open_ends)]).strip()


class Span(NamedTuple):
    """A phrase before the tree is made of all."""

    start: int
    end: int
    order: int  # of two with the same tokens, the higher is outside
    label: str
    relation: str
    head: int


def constituents(analysis: ParsedText) -> ConstituentTree:
    """Build the tree of a parsed text; several sentences are below a node TOP.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The old man sat in the park."])
    >>> constituents(a).to_brackets([t.text for t in a.tokens])  # doctest: +NORMALIZE_WHITESPACE
    '(S (NB (DET The) (ADJ old) (NOUN man))
        (VP (VERB sat) (PP (ADP in) (NB (DET the) (NOUN park)))) (PUNCT .))'
    """
    words = analysis.words
    heads = projective(analysis.heads)
    dependents: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if head >= 0:
            dependents[head].append(i)
    left, right = _extents(heads)
    spans = []
    for i, word in enumerate(words):
        phrases = [Span(i, i + 1, 0, word.pos or "X", "head", i)]
        if dependents[i]:
            relations = {k: words[k].relation for k in dependents[i]}
            phrases += _projections(i, word.pos, relations, left, right)
        phrases[-1] = phrases[-1]._replace(relation=word.relation or "dep")
        spans += phrases
    return tree_of(spans)


def projective(heads: Sequence[int]) -> list[int]:
    """Remove crossing arcs: a word with an arc that crosses another moves to its head's head, the shortest arc first.

    >>> projective([2, 3, -1, 2])  # the arc from 3 to 1 spans 2, which 3 does not govern
    [2, 2, -1, 2]
    """
    lifted = list(heads)
    while (crossing := _crossing(lifted)) is not None:
        lifted[crossing] = lifted[lifted[crossing]]
    return lifted


def _crossing(heads: Sequence[int]) -> int | None:
    """Find the dependent of the shortest arc that spans a word which is not below its head."""
    crossing = [
        (abs(i - head), i)
        for i, head in enumerate(heads)
        if head >= 0 and not all(_below(heads, k, head) for k in range(min(i, head) + 1, max(i, head)))
    ]
    return min(crossing)[1] if crossing else None


def _below(heads: Sequence[int], word: int, head: int) -> bool:
    while word >= 0:
        if word == head:
            return True
        word = heads[word]
    return False


def _extents(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the first token below each token, and one past the last."""
    left, right = list(range(len(heads))), [i + 1 for i in range(len(heads))]
    depth = [0] * len(heads)
    for i in range(len(heads)):
        k = i
        while (k := heads[k]) >= 0:
            depth[i] += 1
    for i in sorted(range(len(heads)), key=lambda i: -depth[i]):
        if heads[i] >= 0:
            left[heads[i]] = min(left[heads[i]], left[i])
            right[heads[i]] = max(right[heads[i]], right[i])
    return left, right


def _projections(
    head: int, pos: str, relations: dict[int, str], left: Sequence[int], right: Sequence[int]
) -> list[Span]:
    """Build the phrases of one head, the smallest first."""
    levels = _levels(head, relations)
    clause = bool(_SUBJECTS & set(relations.values())) or pos in ("VERB", "AUX")
    predicate = clause or bool({"cop", "aux", "aux:pass"} & set(relations.values()))
    spans = []
    start, end = head, head + 1
    for level in range(_BASE, _JOINED + 1):
        joining = [k for k, at in levels.items() if at == level]
        if joining:
            start, end = min(start, *(left[k] for k in joining)), max(end, *(right[k] for k in joining))
            label = _label(level, pos, clause, predicate)
            spans.append(Span(start, end, level, label, "head", head))
    return spans


def _levels(head: int, relations: dict[int, str]) -> dict[int, int]:
    """Choose the level at which each dependent joins: no lower than those nearer to the head on its side."""
    has_subject = bool(_SUBJECTS & set(relations.values()))
    levels: dict[int, int] = {}
    for side in (sorted((k for k in relations if k < head), reverse=True), sorted(k for k in relations if k > head)):
        reached = _BASE
        for n, k in enumerate(side):
            relation = relations[k]
            if relation == "conj":
                level = _PREDICATE if has_subject else _MODIFIED
            elif relation == "punct":  # between others it goes with them, outside them with the clause
                level = reached if n + 1 < len(side) else _CLAUSE
            else:
                level = _LEVELS.get(relation, _LEVELS.get(relation.partition(":")[0], _CLAUSE))
            reached = max(reached, level)
            levels[k] = reached
    return levels


def _label(level: int, pos: str, clause: bool, predicate: bool) -> str:
    phrase = _PHRASES.get(pos, "X")
    if level == _BASE:
        return "NB" if phrase == "NP" else phrase
    if level == _MODIFIED:
        return phrase
    if level == _PREDICATE:
        return "VP" if predicate else phrase
    if level == _CLAUSE:
        return "S" if clause else phrase
    return {_CASE: "PP", _MARKED: "SBAR", _JOINED: "CONJ"}[level]


def tree_of(spans: Sequence[Span]) -> ConstituentTree:
    """Build a tree of nested spans; a node TOP is added if there is no single one at the top."""
    last = max((s.end for s in spans), default=0)
    ordered = sorted(spans, key=lambda s: (s.start, -s.end, -s.order))
    if not ordered or (ordered[0].start, ordered[0].end) != (0, last) or last == 0:
        ordered.insert(0, Span(0, last, 99, TOP, "root", -1))
    parents: list[int] = []
    children: list[list[int]] = [[] for _ in ordered]
    above: list[int] = []
    for i, span in enumerate(ordered):
        while above and ordered[above[-1]].end <= span.start:
            above.pop()
        parents.append(above[-1] if above else -1)
        if above:
            children[above[-1]].append(i)
        above.append(i)
    return ConstituentTree(
        tuple(
            Node(s.label, s.start, s.end, s.relation, s.head, parents[i], tuple(children[i]))
            for i, s in enumerate(ordered)
        )
    )
