"""The best tree for scores of arcs: Chu and Liu (1965), Edmonds (1967), with one root."""

from __future__ import annotations

import numpy as np

NEVER = -1e9
ROOT_COST = 1e5  # more than trees can differ by


def best_tree(scores: np.ndarray) -> np.ndarray:
    """Return the head of each word, -1 for the root; `scores[i, 0]` is that of word i as root, `[i, j + 1]` of head j.

    Exactly one word is the root: each costs so much that the best tree has no second one.
    """
    words = len(scores)
    padded = np.full((words + 1, words + 1), NEVER)
    padded[1:] = scores
    padded[1:, 0] -= ROOT_COST
    np.fill_diagonal(padded, NEVER)
    return _arborescence(padded)[1:] - 1


def _cycle(heads: np.ndarray) -> list[int]:
    """The nodes of some cycle, none if the heads are a tree; node 0 is the root."""
    state = np.zeros(len(heads), int)
    for start in range(1, len(heads)):
        path = []
        node = start
        while node and not state[node]:
            state[node] = start
            path.append(node)
            node = int(heads[node])
        if node and state[node] == start:
            return path[path.index(node) :]
    return []


def _arborescence(scores: np.ndarray) -> np.ndarray:
    """The best heads under node 0: the best head of each, and every cycle contracted to one node."""
    heads = scores.argmax(1)
    heads[0] = 0
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(len(scores), bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    members = np.array(cycle)
    inner = scores[members, heads[members]]
    size = len(outside)
    small = np.full((size + 1, size + 1), NEVER)
    small[:size, :size] = scores[np.ix_(outside, outside)]
    leaving = scores[np.ix_(outside, members)]  # the cycle as head
    small[:size, size] = leaving.max(1)
    entering = scores[np.ix_(members, outside)] - inner[:, None]  # a word of the cycle gets its head outside
    small[size, :size] = entering.max(0)
    small[0] = NEVER
    np.fill_diagonal(small, NEVER)
    reduced = _arborescence(small)
    heads = heads.copy()
    for place, node in enumerate(outside):
        if place:
            heads[node] = members[leaving[place].argmax()] if reduced[place] == size else outside[reduced[place]]
    source = reduced[size]
    heads[members[entering[:, source].argmax()]] = outside[source]
    return heads
