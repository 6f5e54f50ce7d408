"""The subtree program against every choice of nodes, on short sentences."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.systems.fuse._fusion_graph import Cores, FusionGraph, graph_of_both, graph_of_one, graph_of_shared
from assay.systems.fuse._subtree import Weights, best_nodes, node_gains
from assay.systems.fuse._units import split_units
from assay.systems.fuse.joint import shared_words
from assay.text.parse.flat import parse_texts

PAIRS = [
    (
        "Hamilton won the race on Sunday, after a storm.",
        "Hamilton won the race in Melbourne ahead of Rosberg, his rival.",
    ),
    ("The old mill, a ruin, burned down on Monday.", "Ann Lee, who owned the mill, sold it in May."),
    ("On Friday the council met and it voted quickly.", "The council, a small body, met in Oslo after lunch."),
]


def build_graphs(pair: tuple[str, str]) -> list[FusionGraph]:
    texts = parse_texts(pair)
    cores = Cores(texts, [split_units(text) for text in texts], shared_words(texts))
    root = cores.units[0].parents.index(-1)
    graphs = [graph_of_one(cores, 0, root), graph_of_shared(cores, 0, root)]
    return [graph for graph in [*graphs, graph_of_both(cores, 0, 1)] if graph is not None]


def value_plainly(graph: FusionGraph, weights: Weights, kept: tuple[bool, ...]) -> float:
    """The objective of a choice, word by word; minus infinity where it breaks a rule."""
    for node, yes in zip(graph.nodes, kept, strict=True):
        if (node.parent < 0 and not yes) or (yes and node.parent >= 0 and not kept[node.parent]):
            return -np.inf
    words = {(n.segment, k): n.sentence for n, yes in zip(graph.nodes, kept, strict=True) if yes for k in n.tokens}
    single = sum(weights.p_word[n][k] - weights.word for (_, k), n in words.items())
    double = sum(weights.p_pair[n][k] for (s, k), n in words.items() if (s, k + 1) in words)
    return float(single + weights.pair * double)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("most", [None, 7.0])
def test_the_program_finds_the_best_of_all_choices(pair, most):
    rng = np.random.default_rng(0)
    for graph in build_graphs(pair):
        sizes = [len(text.tokens) for text in parse_texts(pair)]
        weights = Weights([rng.random(n) for n in sizes], [rng.random(n) for n in sizes], 0.6)
        costs = [float(len(node.tokens)) for node in graph.nodes]
        choices = [
            kept
            for kept in product((False, True), repeat=len(graph.nodes))
            if most is None or np.dot(costs, kept) <= most
        ]
        best = max((value_plainly(graph, weights, kept) for kept in choices), default=-np.inf)
        nodes = best_nodes(graph, weights, costs, most)
        if nodes is None:
            assert best == -np.inf
            continue
        kept = tuple(m in nodes for m in range(len(graph.nodes)))
        assert value_plainly(graph, weights, kept) == pytest.approx(best)


def test_gains_are_those_of_the_words():
    [graph, *_] = build_graphs(PAIRS[0])
    size = len(parse_texts(PAIRS[0])[0].tokens)
    weights = Weights([np.ones(size)], [np.ones(size)], 0.25, 0.5)
    gains, both = node_gains(graph, weights)
    words = sum(len(node.tokens) for node in graph.nodes)
    everything = value_plainly(graph, weights, (True,) * len(graph.nodes))
    assert gains.sum() + sum(both.values()) == pytest.approx(everything)
    assert everything > 0.75 * words


def test_required_nodes_stay():
    [graph, *_] = build_graphs(PAIRS[0])
    size = len(parse_texts(PAIRS[0])[0].tokens)
    weights = Weights([np.zeros(size)], [np.zeros(size)], 1.0)
    costs = [1.0] * len(graph.nodes)
    assert best_nodes(graph, weights, costs) == [m for m, node in enumerate(graph.nodes) if node.parent < 0]
    assert set(best_nodes(graph, weights, costs, required=range(len(graph.nodes)))) == set(range(len(graph.nodes)))
