"""The subtree program: the nodes of a fusion graph with the largest expected overlap, each with the one it needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._solver import Program
from ._fusion_graph import FusionGraph

Floats = NDArray[np.float64]
_SECONDS = 2.0


@dataclass(frozen=True)
class Weights:
    """What keeping is worth: p(said) of each token, p(said with the next) of each, per sentence, and the two rates."""

    p_word: Sequence[Floats]
    p_pair: Sequence[Floats]
    word: float  # what a word costs
    pair: float = 0.5  # what a pair of neighbours is worth against a word


def node_gains(graph: FusionGraph, weights: Weights) -> tuple[Floats, dict[tuple[int, int], float]]:
    """Return the gain of each node, and of two nodes if both are kept: they have neighbouring words."""
    gains = np.zeros(len(graph.nodes))
    node_of = {(node.segment, k): m for m, node in enumerate(graph.nodes) for k in node.tokens}
    both: dict[tuple[int, int], float] = {}
    for (segment, k), m in node_of.items():
        n = graph.nodes[m].sentence
        gains[m] += weights.p_word[n][k] - weights.word
        following = node_of.get((segment, k + 1))
        if following is None:
            continue
        worth = weights.pair * float(weights.p_pair[n][k])
        if following == m:
            gains[m] += worth
        else:
            both[m, following] = both.get((m, following), 0.0) + worth
    return gains, both


def best_nodes(
    graph: FusionGraph,
    weights: Weights,
    costs: Sequence[float],
    most: float | None = None,
    required: Collection[int] = (),
) -> list[int] | None:
    """Find the nodes to keep: all roots, each other one with its parent, at most `most` in cost; None if none fit."""
    gains, both = node_gains(graph, weights)
    size = len(graph.nodes)
    program = _program(graph, gains, both, required)
    if most is not None:
        program.add(list(range(size)), list(costs), -np.inf, float(most))
    solution = program.solve(_SECONDS)
    return None if solution.values is None else [m for m in range(size) if solution.values[m] > 0.5]


def _program(
    graph: FusionGraph, gains: Floats, both: dict[tuple[int, int], float], required: Collection[int]
) -> Program:
    size = len(graph.nodes)
    low = np.zeros(size + len(both))
    low[[m for m, node in enumerate(graph.nodes) if node.parent < 0 or m in required]] = 1.0
    program = Program(np.concatenate([gains, list(both.values())]), size, low, np.ones(size + len(both)))
    program.add([0], [1.0], 0.0, 1.0)
    for m, node in enumerate(graph.nodes):
        if node.parent >= 0:
            program.add([m, node.parent], [1.0, -1.0], -np.inf, 0.0)
    for column, ends in enumerate(both, size):  # both neighbours are kept
        for end in ends:
            program.add([column, end], [1.0, -1.0], -np.inf, 0.0)
    return program
