"""The lightest paths through a word graph: all of them by trying all, in order, within limits."""

from __future__ import annotations

from itertools import permutations

import pytest

from assay.systems.fuse._graph import END, START, GraphWord, WordGraph
from assay.systems.fuse._paths import lightest_paths

SENTENCES = ["A B C D .", "A C E .", "B E D C ."]


@pytest.fixture(scope="module")
def graph():
    return WordGraph(
        [[GraphWord(w.lower(), w != ".", punctuation=w == ".") for w in text.split()] for text in SENTENCES]
    )


def list_all(graph, least=0, limit=99):
    """Every path, its weight and number of words."""
    nodes = range(2, len(graph.words))
    paths = []
    for n in range(len(nodes) + 1):
        for inner in permutations(nodes, n):
            steps = list(zip((START, *inner), (*inner, END), strict=True))
            if all(b in graph.edges[a] for a, b in steps):
                count = sum(not graph.words[i].punctuation for i in inner)
                if least <= count and n <= limit:
                    paths.append((sum(graph.edges[a][b] for a, b in steps), inner))
    return sorted(paths)


def find(graph, most=1000, **options):
    sizes = [0, 0, *([1] * (len(graph.words) - 2))]
    return list(lightest_paths(graph, most=most, sizes=sizes, **options))


@pytest.mark.parametrize("least", [1, 3, 5])
def test_every_path_comes_and_the_lightest_first(graph, least):
    paths, expected = find(graph, least_words=least), list_all(graph, least)
    assert [p.weight for p in paths] == pytest.approx([weight for weight, _ in expected])
    assert {p.nodes for p in paths} == {nodes for _, nodes in expected}


def test_no_more_than_asked_for_none_too_long_and_only_what_is_accepted(graph):
    assert len(find(graph, most=2, least_words=1)) == 2
    assert {p.nodes for p in find(graph, least_words=1, limit=4)} == {n for _, n in list_all(graph, 1, 4)}
    first = find(graph, most=1, least_words=1)[0].nodes
    others = find(graph, least_words=1, accept=lambda nodes: nodes != first)
    assert first not in {p.nodes for p in others}
    assert len(others) == len(list_all(graph, 1)) - 1
