"""Graphs of a later conjunct: of "A did X and did Y" and "A did X, and B did Y", the second half as a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from ...text.parse.flat import ParsedText
from ..compress.truth.constraints import base, is_negation
from ._fusion_graph import Cores, FusionGraph, GraphNode, Segment, is_clause

_FINITE = ("VBD", "VBZ", "VBP")
_REFERRING = ("PRON", "DET")  # a subject that stands for something in the half that is left out


def graphs_of_conjuncts(cores: Cores, n: int, root: int) -> Iterator[FusionGraph]:
    """Yield a graph for each conjunct of a main clause that can stand alone, with the subject of the first if need be.

    A conjunct follows from the whole if nothing above it is negated or asked; under an auxiliary that both verbs share
    (was arrested and charged) it is not taken.
    """
    a, units = cores.texts[n], cores.units[n]
    head = units.heads[root]
    if a.heads[head] >= 0 or any(token.text == "?" for token in a.tokens):
        return
    if any(is_negation(a, k) for k in a.children[head]):
        return
    for unit, top in enumerate(units.heads):
        if units.parents[unit] != root or a.heads[top] != head or base(a.words[top].relation) != "conj":
            continue
        graph = _graph_of_clause(cores, n, unit) if is_clause(a, top) else _graph_of_predicate(cores, n, root, unit)
        if graph is not None:
            yield graph


def _find_subject(a: ParsedText, head: int) -> int | None:
    return next((k for k in a.children[head] if base(a.words[k].relation) == "nsubj"), None)


def _links(a: ParsedText, head: int) -> frozenset[int]:
    """Return the and before a conjunct."""
    return frozenset(k for k in a.children[head] if base(a.words[k].relation) == "cc")


def _graph_of_clause(cores: Cores, n: int, unit: int) -> FusionGraph | None:
    a, units = cores.texts[n], cores.units[n]
    head = units.heads[unit]
    subject = _find_subject(a, head)
    if subject is None or a.words[subject].pos in _REFERRING:
        return None
    graph = FusionGraph("one", segments=[Segment(n)])
    graph.add(units, 0, unit, -1, _links(a, head))
    return graph


def _graph_of_predicate(cores: Cores, n: int, root: int, unit: int) -> FusionGraph | None:
    """Build the graph of the subject of the main clause with a later predicate."""
    a, units = cores.texts[n], cores.units[n]
    first, head = units.heads[root], units.heads[unit]
    subject = _find_subject(a, first)
    shared = any(base(a.words[k].relation) in ("aux", "cop") for k in a.children[first])
    if subject is None or subject > first or shared or a.words[head].tag not in _FINITE:
        return None
    phrase = set(a.subtree(subject))
    tokens = {k for k in units.tokens(root) if k in phrase} | (set(units.tokens(unit)) - _links(a, head))
    graph = FusionGraph("one", segments=[Segment(n)])
    graph.nodes.append(GraphNode(n, tuple(sorted(tokens - units.idle)), -1, 0))
    for below, above in enumerate(units.parents):
        if above == unit or (above == root and units.heads[below] in phrase):
            graph.add(units, 0, below, 0)
    return graph
