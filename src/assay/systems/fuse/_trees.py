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
    left: Integers  # where rows go whose feature is at most the threshold
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
        numbers = {name: np.array(record[name], dtype=np.int64) for name in ("first", "feature", "left", "right")}
        reals = {name: np.array(record[name], dtype=np.float64) for name in ("threshold", "value")}
        return cls(start=float(record["start"]), depth=int(record["depth"]), **numbers, **reals)


def join_trees(start: float, trees: Sequence[Sequence[tuple[int, float, int, int, float]]]) -> Trees:
    """Make one list of trees, each a list of nodes (feature, threshold, left, right, value); a leaf has feature -1."""
    first, nodes = [], []
    for tree in trees:
        offset = len(nodes)
        first.append(offset)
        for place, (feature, threshold, left, right, value) in enumerate(tree, offset):
            if feature < 0:
                nodes.append((0, 0.0, place, place, value))
            else:
                nodes.append((feature, threshold, offset + left, offset + right, 0.0))
    columns = list(zip(*nodes, strict=True))
    feature, left, right = (np.array(columns[c], dtype=np.int64) for c in (0, 2, 3))
    depth = max((_depth(tree, 0) for tree in trees), default=0)
    return Trees(start, np.array(first), feature, np.array(columns[1]), left, right, np.array(columns[4]), depth)


def _depth(tree: Sequence[tuple[int, float, int, int, float]], place: int) -> int:
    feature, _, left, right, _ = tree[place]
    return 0 if feature < 0 else 1 + max(_depth(tree, left), _depth(tree, right))
