"""A later conjunct of a main clause as a sentence of its own."""

from __future__ import annotations

import numpy as np
import pytest

from assay.systems.fuse import Cluster
from assay.systems.fuse._conjuncts import graphs_of_conjuncts
from assay.systems.fuse._fusion_graph import Cores
from assay.systems.fuse._linearize import write_fusion
from assay.systems.fuse.joint import read_clusters


def write_conjuncts(sentence: str) -> list[str]:
    [parsed] = read_clusters([Cluster((sentence,))])
    cores = Cores(parsed.texts, parsed.units, parsed.links)
    graphs = [graph for root in cores.roots(0) for graph in graphs_of_conjuncts(cores, 0, root)]
    return [write_fusion(cores, graph, range(len(graph.nodes))).text() for graph in graphs]


def test_a_predicate_takes_the_subject_of_the_first():
    assert write_conjuncts("The old mayor opened the bridge and thanked the workers on Sunday.") == [
        "The old mayor thanked the workers on Sunday."
    ]


def test_a_clause_stands_alone():
    assert write_conjuncts("Protesters gathered along the beach, and police closed the road to the harbour.") == [
        "Police closed the road to the harbour."
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The man was arrested and charged with murder.",  # the second verb needs the was
        "The mayor did not open the bridge and thank the workers.",
        "Did the mayor open the bridge and thank the workers?",
        "The mayor opened the bridge, and she thanked the workers.",  # she would have no name
        "The mayor opened the bridge.",
    ],
)
def test_what_cannot_stand_alone_is_not_taken(sentence):
    assert write_conjuncts(sentence) == []


def test_nodes_hold_each_token_once():
    [parsed] = read_clusters([Cluster(("The old mayor of Oslo opened the bridge and thanked the workers on Sunday.",))])
    cores = Cores(parsed.texts, parsed.units, parsed.links)
    [graph] = graphs_of_conjuncts(cores, 0, cores.roots(0)[0])
    tokens = [k for node in graph.nodes for k in node.tokens]
    assert len(set(tokens)) == len(tokens)
    assert [node.parent for node in graph.nodes].count(-1) == 1
    assert not np.array(parsed.texts[0].punctuation)[tokens].any()
