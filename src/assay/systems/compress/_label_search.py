"""Search for the best labels (keep or delete) of a sentence whose model is told the label before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
DELETE, KEEP, NONE = 0, 1, 3
FREE, NEEDS, SAME = range(3)  # how a word's label depends on the one before: not, kept only if it is, the same
_BONUSES = np.array([0, 1, 2, 3.5, 6, -1.5])  # what a kept word may earn, in logits


class Reader(Protocol):
    """A model that reads words one after another: `advance` returns log p of delete and keep for each labelling."""

    def begin(self, count: int) -> None:
        """Start again with so many labellings."""

    def advance(self, t: int, parents: Integers, labels: Integers) -> Floats:
        """Read word `t` after labellings `parents` whose last labels are given."""


class LabelSearch:
    """Beam search for the labels of one sentence; `ties` tell how a word's label depends on the one before."""

    def __init__(self, reader: Reader, costs: Sequence[int], ties: Sequence[int] | None = None) -> None:
        self.reader = reader
        self.costs = np.asarray(costs, np.int64)
        self.ties = np.asarray(ties if ties is not None else [FREE] * len(self.costs), np.int64)

    def best(self, low: int, high: int, beam: int) -> list[int]:
        """Find the most likely labels whose kept words cost from `low` to `high`.

        If the model by itself keeps more or less, its scores are shifted first, by what a kept word must earn so that
        the best labels are about as long: else the beam fills with labellings that are too short, and must keep all
        that is left. Labellings of the same cost are ranked by their probability alone. Where the ties leave nothing
        of that cost, the most likely below `high` is taken.
        """
        bonus = self._find_bonus(low, high)
        rest = np.concatenate([np.cumsum(self.costs[::-1])[::-1], [0]])  # of this word and all after it
        self.reader.begin(1)
        parents, last, spent = np.zeros(1, np.int64), np.full(1, NONE), np.zeros(1, np.int64)
        scores, paths = np.zeros(1), np.zeros((1, 0), np.int8)
        for t, cost in enumerate(self.costs):
            gains = self.reader.advance(t, parents, last) + np.array([0.0, bonus * cost])
            gains[~self._allowed(t, last)] = -np.inf
            options = scores[:, None] + gains
            total = spent[:, None] + np.array([0, cost])
            options[total > high] = -np.inf
            short = total + rest[t + 1] < low
            if np.isfinite(options[~short]).any():
                options[short] = -np.inf
            order = np.argsort(-options, axis=None, kind="stable")[:beam]
            order = order[np.isfinite(options.flat[order])]
            parents, last = np.divmod(order, 2)
            scores, spent = options.flat[order], total.flat[order]
            paths = np.hstack([paths[parents], last[:, None].astype(np.int8)])
        return [int(label) for label in paths[0]]

    def _allowed(self, t: int, last: Integers) -> NDArray[np.bool_]:
        """Tell which labels (columns delete, keep) word `t` may have after the labels before."""
        allowed = np.ones((len(last), 2), np.bool_)
        if self.ties[t] != FREE:
            allowed[:, KEEP] = last != DELETE
        if self.ties[t] == SAME:
            allowed[:, DELETE] = last != KEEP
        return allowed

    def _find_bonus(self, low: int, high: int) -> float:
        """Find what a kept word must earn so that greedy labels cost from `low` to `high`; the smallest that will do."""
        distance = np.maximum(low - self._greedy_costs, 0) + np.maximum(self._greedy_costs - high, 0)
        return float(_BONUSES[np.lexsort((np.abs(_BONUSES), distance))[0]])

    @cached_property
    def _greedy_costs(self) -> Integers:
        """What greedy labels cost with each bonus."""
        count = len(_BONUSES)
        self.reader.begin(count)
        parents, last, spent = np.arange(count), np.full(count, NONE), np.zeros(count, np.int64)
        for t, cost in enumerate(self.costs):
            gains = self.reader.advance(t, parents, last)
            gains[:, KEEP] += _BONUSES * cost
            gains[~self._allowed(t, last)] = -np.inf
            last = np.argmax(gains, 1)
            spent += np.where(last == KEEP, cost, 0)
        return spent
