"""Search for the best labels (keep or delete) of a sentence by a model that is told the label before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
DELETE, KEEP, NONE = 0, 1, 3
FREE, NEEDS, SAME = range(3)  # how a word's label depends on the one before: not, kept only if it is, the same
_SHARES = 4  # of a beam
_STEP, _TRIES, _NEAR = 2.0, 3, 1.0  # of the search for a bonus: in logits, and in words


class Reader(Protocol):
    """A model that reads words one after another: `advance` returns log p of delete and keep for each labelling."""

    def begin(self, count: int) -> None:
        """Start again with n labellings."""

    def advance(self, t: int, parents: Integers, labels: Integers) -> Floats:
        """Read word `t` after labellings `parents` with these last labels."""


class LabelSearch:
    """Beam search for the labels of one sentence; `ties` tell how a word's label depends on the one before."""

    def __init__(self, reader: Reader, costs: Sequence[int], ties: Sequence[int] | None = None) -> None:
        self.reader = reader
        self.costs = np.asarray(costs, np.int64)
        self.ties = np.asarray(ties if ties is not None else [FREE] * len(self.costs), np.int64)
        self._scale = float(self.costs[self.costs > 0].mean()) if self.costs.any() else 1.0  # what a word costs
        self._greedy: dict[float, int] = {}

    def best(self, low: int, high: int, beam: int) -> list[int]:
        """Find the most likely labels with kept words that cost from `low` to `high`.

        If the model by itself keeps more or less, its scores are shifted first, by what a kept word must earn so that
        the best labels are about as long: else the beam fills with labellings that are too short, and must keep all
        that is left. For the same reason at most a quarter of the beam has spent the same so far. Labellings of the
        same cost are ranked by their probability alone. Where the ties leave nothing of that cost, the most likely
        below `high` is taken.
        """
        bonus = self._find_bonus(low, high)
        rest = np.concatenate([np.cumsum(self.costs[::-1])[::-1], [0]])  # of this word and all after it
        self.reader.begin(1)
        parents, last, spent = np.zeros(1, np.int64), np.full(1, NONE), np.zeros(1, np.int64)
        scores, paths = np.zeros(1), np.zeros((1, 0), np.int8)
        for t, cost in enumerate(self.costs):
            gains = self.reader.advance(t, parents, last) + np.array([0.0, bonus * cost / self._scale])
            gains[~self._label_mask(t, last)] = -np.inf
            options = scores[:, None] + gains
            total = spent[:, None] + np.array([0, cost])
            options[total > high] = -np.inf
            short = total + rest[t + 1] < low
            if np.isfinite(options[~short]).any():
                options[short] = -np.inf
            order = _best(options, total, beam)
            parents, last = np.divmod(order, 2)
            scores, spent = options.flat[order], total.flat[order]
            paths = np.hstack([paths[parents], last[:, None].astype(np.int8)])
        return [int(label) for label in paths[0]]

    def _label_mask(self, t: int, last: Integers) -> NDArray[np.bool_]:
        """Tell which labels (columns delete, keep) word `t` may have after the labels before."""
        allowed = np.ones((len(last), 2), np.bool_)
        if self.ties[t] != FREE:
            allowed[:, KEEP] = last != DELETE
        if self.ties[t] == SAME:
            allowed[:, DELETE] = last != KEEP
        return allowed

    def _find_bonus(self, low: int, high: int) -> float:
        """Find what a kept word must earn so that greedy labels cost from `low` to `high`, or nearly so."""
        tries: list[tuple[float, float, float]] = []
        below, above = -np.inf, np.inf
        bonus = 0.0
        for _ in range(_TRIES):
            spent = self._greedy_cost(bonus)
            missing = max(low - spent, 0) / self._scale
            excess = max(spent - high, 0) / self._scale
            tries.append((missing + excess, abs(bonus), bonus))
            if missing + excess <= _NEAR:
                break
            below, above = (bonus, above) if missing else (below, bonus)
            bonus = (below + above) / 2 if np.isfinite(below + above) else bonus + (_STEP if missing else -_STEP)
        return min(tries)[2]

    def _greedy_cost(self, bonus: float) -> int:
        """Return what greedy labels cost with a bonus; one labelling at a time is what NumPy multiplies fastest."""
        if bonus not in self._greedy:
            self.reader.begin(1)
            parents, last, spent = np.zeros(1, np.int64), np.full(1, NONE), 0
            for t, cost in enumerate(self.costs):
                gains = self.reader.advance(t, parents, last) + np.array([0.0, bonus * cost / self._scale])
                gains[~self._label_mask(t, last)] = -np.inf
                last = np.argmax(gains, 1)
                spent += int(cost) * int(last[0])
            self._greedy[bonus] = spent
        return self._greedy[bonus]


def _best(scores: Floats, costs: Integers, beam: int) -> Integers:
    """Return the places of the best options, best first; at most a quarter of the beam has the same cost."""
    most = -(-beam // _SHARES)
    counts: Counter[int] = Counter()
    places: list[int] = []
    for place in np.argsort(-scores, axis=None, kind="stable"):
        if len(places) == beam or not np.isfinite(scores.flat[place]):
            break
        cost = int(costs.flat[place])
        if counts[cost] < most:
            counts[cost] += 1
            places.append(int(place))
    return np.array(places, np.int64)
