"""The k lightest paths through a word graph, none twice through a node."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ._graph import END, START, WordGraph

Trail = tuple[Any, int] | None  # the path before, and a node


class Path(NamedTuple):
    """Nodes between start and end, and the sum of the weights."""

    weight: float
    nodes: tuple[int, ...]


def lightest_paths(
    graph: WordGraph,
    *,
    most: int,
    least_words: int,
    sizes: Sequence[int],
    limit: int | None = None,
    accept: Callable[[tuple[int, ...]], bool] = lambda nodes: True,
) -> Iterator[Path]:
    """Yield up to `most` paths, the lightest first, with at least `least_words` words and a size of at most `limit`.

    `sizes` says what a node counts towards the limit (words, or characters with a space); punctuation is not a word. A
    node is left at most `most` times for each number of words up to `least_words`, so that the search ends; within
    that bound the paths are the lightest ones.
    """
    is_word = [i > END and not word.punctuation for i, word in enumerate(graph.words)]
    left: dict[tuple[int, int], int] = {}
    # A path is its last node and the path before it; the nodes it has been through are bits of a number.
    heap: list[tuple[float, int, int, int, int, int, Trail]] = [(0.0, 0, 0, 0, START, 0, None)]
    pushed = yielded = 0
    while heap and yielded < most:
        weight, _, size, words, node, through, trail = heapq.heappop(heap)
        if node == END:
            nodes = _nodes(trail)
            if words >= least_words and accept(nodes):
                yielded += 1
                yield Path(weight, nodes)
            continue
        state = (node, min(words, least_words))
        left[state] = left.get(state, 0) + 1
        if left[state] > most:
            continue
        for following, cost in graph.edges[node].items():
            if through >> following & 1 or (following == END and words < least_words):
                continue
            larger = size + sizes[following]
            if limit is None or larger <= limit:
                pushed += 1
                counted, beyond = words + is_word[following], trail if following == END else (trail, following)
                heapq.heappush(
                    heap, (weight + cost, pushed, larger, counted, following, through | 1 << following, beyond)
                )


def _nodes(trail: Trail) -> tuple[int, ...]:
    """List the nodes of a path in order."""
    nodes: list[int] = []
    while trail is not None:
        trail, node = trail
        nodes.append(node)
    return tuple(reversed(nodes))
