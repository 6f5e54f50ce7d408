"""Boosted regression trees: the sum of the leaves that a row of features falls into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Trees:
    """Nodes of all trees in one list: a leaf leads to itself; `first` is the root of each tree."""

    start: float  # what all rows begin with
    first: Integers
    feature: Integers
    threshold: Floats
    left: Integers  # where rows with a feature up to the threshold go
    right: Integers
    value: Floats
    depth: int

    def sum_leaves(self, rows: Floats) -> Floats:
        """Compute the sum of each row."""
        at = np.tile(self.first, (len(rows), 1))
        rank = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            low = rows[rank, self.feature[at]] <= self.threshold[at]
            at = np.where(low, self.left[at], self.right[at])
        return np.asarray(self.start + self.value[at].sum(axis=1))

    def record(self) -> dict[str, Any]:
        """Return what a model file holds."""
        return {
            "start": round(self.start, 6),
            "first": self.first.tolist(),
            "feature": self.feature.tolist(),
            "threshold": [float(f"{t:.6g}") for t in self.threshold],
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "value": [float(f"{v:.5g}") for v in self.value],
            "depth": self.depth,
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Trees:
        """Read what `record` returned."""
        first, feature, left, right = (
            np.array(record[n], dtype=np.int64) for n in ("first", "feature", "left", "right")
        )
        threshold, value = (np.array(record[n], dtype=np.float64) for n in ("threshold", "value"))
        return cls(float(record["start"]), first, feature, threshold, left, right, value, int(record["depth"]))


def join_trees(start: float, trees: Sequence[Sequence[tuple[int, float, int, int, float]]]) -> Trees:
    """Make one list of trees, each a list of nodes (feature, threshold, left, right, value); a leaf has feature -1."""
    first: list[int] = []
    nodes: list[tuple[int, float, int, int, float]] = []
    for tree in trees:
        offset = len(nodes)
        first.append(offset)
        for place, (feature, threshold, left, right, value) in enumerate(tree, offset):
            if feature < 0:
                nodes.append((0, 0.0, place, place, value))
            else:
                nodes.append((feature, threshold, offset + left, offset + right, 0.0))
    features, lefts, rights = (np.array([node[c] for node in nodes], dtype=np.int64) for c in (0, 2, 3))
    thresholds, values = (np.array([node[c] for node in nodes], dtype=np.float64) for c in (1, 4))
    depth = max((_depth(tree, 0) for tree in trees), default=0)
    return Trees(start, np.array(first, dtype=np.int64), features, thresholds, lefts, rights, values, depth)


def _depth(tree: Sequence[tuple[int, float, int, int, float]], place: int) -> int:
    feature, _, left, right, _ = tree[place]
    return 0 if feature < 0 else 1 + max(_depth(tree, left), _depth(tree, right))
