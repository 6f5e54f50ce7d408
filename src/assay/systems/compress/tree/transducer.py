"""Tree deletion transducer: the essential part of Cohn and Lapata's T3 (2008, 2009).

Every constituent is kept whole, deleted, or entered, and then the same is asked of its children. A derivation's score
is a sum over the constituents it meets, (1) w[action] . f(constituent) + t[action before, action, label], so the best
derivation of each length is found exactly, from the leaves up.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError
from ....files import whole_file, write_whole
from ._decision_features import Case
from .constituents import ConstituentTree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
DELETE, KEEP, ENTER = range(3)
_FIRST = 3  # the action before that of a first child
_ROUND = 1e-9


@dataclass(frozen=True)
class TransducerWeights:
    """w: action x feature; t: action before (or none) x action x label. Feature and label 0 are those not known."""

    features: dict[str, int]
    labels: dict[str, int]
    w: Floats
    t: Floats
    about: dict[str, Any]

    def save(self, path: Path) -> None:
        """Write path.npz and path.json."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path.with_suffix(".npz")) as file:
            np.savez_compressed(file, w=self.w.astype(np.float32), t=self.t.astype(np.float32))
        names = {"about": self.about, "labels": list(self.labels), "features": list(self.features)}
        write_whole(path.with_suffix(".json"), json.dumps(names, indent=0, ensure_ascii=False) + "\n")


@lru_cache(maxsize=4)
def load_weights(path: Path) -> TransducerWeights:
    """Read what `save` wrote."""
    file, listed = path.with_suffix(".npz"), path.with_suffix(".json")
    for part in (file, listed):
        if not part.is_file():
            raise InputError(f"there are no weights {path} (.npz and .json): {part} is missing")
    arrays = read_arrays(file, path=file, needed=("w", "t"))
    with explain_errors("the names of the weights cannot be read", listed):
        names = json.loads(listed.read_text("utf-8"))
        features, labels = ({str(name): k for k, name in enumerate(names[what])} for what in ("features", "labels"))
        if arrays["w"].shape != (3, len(features)) or arrays["t"].shape != (_FIRST + 1, 3, len(labels)):
            raise FormatError(f"its weights are not those of {len(features)} features, {len(labels)} labels", path=file)
        w, t = arrays["w"].astype(np.float64), arrays["t"].astype(np.float64)
        return TransducerWeights(features, labels, w, t, dict(names["about"]))


def node_features(case: Case, n: int) -> list[str]:
    """List the features of a constituent, alone and together with its parent."""
    tree = case.tree
    node, names = tree.nodes[n], list(case.node_features[n])
    kind = f"{node.label},{node.relation}"
    names += [f"{kind}|{f}" for f in names if f.startswith(("size", "word", "headword", "after", "place"))]
    if node.parent >= 0:
        parent = tree.nodes[node.parent]
        names.append(f"{kind}|{parent.label},{parent.relation}")
        side = "left" if node.end <= parent.head else "right" if node.start > parent.head else "head"
        names.append(f"{kind}|side={side}")
        if parent.parent >= 0:
            above = tree.nodes[parent.parent]
            names.append(f"{kind}|{parent.label},{parent.relation}|{above.label}")
    if len(node.children) > 1:
        names.append(f"{kind}|of={','.join(tree.nodes[c].label for c in node.children[:4])}")
    names += ["bias", f"depth={min(6, len(tree.ancestors(n)))}", f"{kind}|length={min(6, tree.nodes[0].end // 8)}"]
    return names


class NodeRows(NamedTuple):
    """A text for the transducer: numbers of features (padded with 0) and of the label, for each node."""

    tree: ConstituentTree
    features: Ints
    labels: Ints


def rows(case: Case, features: dict[str, int], labels: dict[str, int]) -> NodeRows:
    """Number the features of each node; unknown features are 0."""
    values = [[features[f] for f in node_features(case, n) if f in features] for n in range(len(case.tree.nodes))]
    wide = max(1, *map(len, values))
    table = np.zeros((len(values), wide), dtype=np.int64)
    for k, ids in enumerate(values):
        table[k, : len(ids)] = ids
    names = np.array([labels.get(node.label, 0) for node in case.tree.nodes], dtype=np.int64)
    return NodeRows(case.tree, table, names)


def scores(weights: TransducerWeights, text: NodeRows) -> Floats:
    """Compute w . f of Eq. 1, action x node. Feature 0 weighs nothing."""
    return np.asarray(weights.w[:, text.features].sum(axis=2))


class Derivation(NamedTuple):
    """The actions at the nodes that a derivation meets, and its score."""

    actions: dict[int, int]
    score: float

    def kept_tokens(self, tree: ConstituentTree) -> list[int]:
        """List the tokens that it keeps."""
        return sorted(
            i for n, act in self.actions.items() if act == KEEP for i in range(tree.nodes[n].start, tree.nodes[n].end)
        )


class DerivationChart:
    """The best derivation of every length, from the leaves up: exact for Eq. 1.

    `sizes` is the length of each token in the unit that is limited (1 for all: tokens). For a node that is entered,
    best[k] is the score of the best choice for its children with k units in all.
    """

    def __init__(
        self, tree: ConstituentTree, local: Floats, steps: Floats, sizes: Sequence[int], longest: int | None = None
    ):
        self.tree, self.local, self.steps = tree, local, steps
        self.total = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.longest = int(self.total[-1]) if longest is None else min(longest, int(self.total[-1]))
        self.entered: dict[int, Floats] = {}
        self._back: dict[int, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {}
        for n in range(len(tree.nodes) - 1, -1, -1):  # preorder backwards: children first
            if tree.nodes[n].children:
                self.entered[n] = self._enter(n)

    def size(self, n: int) -> int:
        """Count the units of all tokens of a node."""
        node = self.tree.nodes[n]
        return int(self.total[node.end] - self.total[node.start])

    def _enter(self, n: int) -> Floats:
        """Combine the children (max-plus) by length and by the last action; back pointers are kept for `derivation`."""
        width = min(self.longest, self.size(n)) + 1
        before = np.full((_FIRST + 1, width), -np.inf)
        before[_FIRST, 0] = 0.0
        back = []
        for child in self.tree.nodes[n].children:
            after = np.full((_FIRST + 1, width), -np.inf)
            last = np.zeros((_FIRST, width), dtype=np.int64)
            sizes_taken = np.zeros((_FIRST, width), dtype=np.int64)
            for act in (DELETE, KEEP, ENTER):
                step = before + self.steps[:, act, child][:, None]  # by the action before
                came, best = step.argmax(axis=0), step.max(axis=0)
                self._extend(after[act], last[act], sizes_taken[act], best, came, self._options(child, act))
            back.append((last, sizes_taken))
            before = after
        self._back[n] = back
        values: Floats = before[:_FIRST].max(axis=0)
        self._back[n].append((before[:_FIRST].argmax(axis=0), np.empty(0, dtype=np.int64)))
        return values

    def _options(self, n: int, act: int) -> list[tuple[int, float]]:
        """List the lengths that an action can give a node, with their scores."""
        score = float(self.local[act, n])
        if act == DELETE:
            return [(0, score)]
        if act == KEEP:
            return [(self.size(n), score)]
        inside = self.entered.get(n)
        if inside is None:
            return []
        return [(k, score + float(v)) for k, v in enumerate(inside) if v > -np.inf]

    @staticmethod
    def _extend(
        after: Floats, last: Ints, sizes_taken: Ints, best: Floats, came: Ints, options: list[tuple[int, float]]
    ) -> None:
        width = len(after)
        for size, score in options:
            if size >= width:
                continue
            values = best[: width - size] + score
            better = values > after[size:]
            np.copyto(after[size:], values, where=better)
            np.copyto(last[size:], came[: width - size], where=better)
            np.copyto(sizes_taken[size:], size, where=better)

    def by_length(self) -> Floats:
        """Return the score of the best text of each length; -inf where there is none."""
        width = self.longest + 1
        values = np.full(width, -np.inf)
        for act in (KEEP, ENTER):
            for size, score in self._options(0, act):
                if size < width:
                    values[size] = max(values[size], score + self.steps[_FIRST, act, 0])
        return values

    def derivation(self, length: int) -> Derivation:
        """Return the best derivation with this number of units."""
        best, act = max(
            (score + float(self.steps[_FIRST, act, 0]), act)
            for act in (KEEP, ENTER)
            for size, score in self._options(0, act)
            if size == length
        )
        actions: dict[int, int] = {}
        todo = [(0, act, length)]
        while todo:
            n, act, size = todo.pop()
            actions[n] = act
            if act == ENTER:
                todo += self._children(n, size)
        return Derivation(actions, best)

    def _children(self, n: int, size: int) -> list[tuple[int, int, int]]:
        back = self._back[n]
        act = int(back[-1][0][size])
        values = []
        for child, (last, sizes_taken) in zip(reversed(self.tree.nodes[n].children), reversed(back[:-1]), strict=True):
            here = int(sizes_taken[act, size])
            values.append((child, act, here))
            act, size = int(last[act, size]), size - here
        return values


def steps(weights: TransducerWeights, text: NodeRows) -> Floats:
    """Return t of Eq. 1 for each node: action before x action x node."""
    return np.asarray(weights.t[:, :, text.labels])
