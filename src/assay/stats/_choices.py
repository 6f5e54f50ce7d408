"""Rankings as sequences of choices: the best from all ranked systems, then the best from the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._connectivity import connected_groups
from .checks import Array, Bools, Ints


@dataclass(frozen=True)
class Choices:
    """Choice c takes the systems `winners[c]` from `sets[of_set[c]]`, `weight[c]` times, for item `of_item[c]`."""

    sets: Bools
    of_set: Ints
    winners: Bools
    weight: Array
    of_item: Ints
    items: int
    n: int

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.sets.shape[1])

    @cached_property
    def orders(self) -> list[int]:
        """The sizes of chosen sets that occur; 1 is always among them, for its parameter is fixed."""
        return sorted({1, *self.winners.sum(axis=1).tolist()})

    def groups(self, weight: Array, *, strict: bool) -> list[list[int]]:
        """Split systems into groups never ranked together; strict: into groups without chains of wins both ways."""
        some = weight[self.of_item] > 0
        winners = self.winners[some].astype(np.float64)
        alternatives = self.sets[self.of_set[some]]
        others = alternatives & ~self.winners[some] if strict else alternatives
        return connected_groups(winners.T @ others, strong=strict)


def ranking_choices(ranks: Array, of_item: Ints) -> Choices:
    """Split rankings (rows, 1 best, NaN not ranked) into choices: those at a rank, from those at it or below it."""
    ranked = (~np.isnan(ranks)).sum(axis=1) > 1
    ranks, of_item = ranks[ranked], of_item[ranked]
    alternatives, winners, owner = [], [], []
    for row, item in zip(ranks, of_item, strict=True):
        for rank in np.unique(row[~np.isnan(row)]):
            if (row >= rank).sum() > 1:
                alternatives.append(row >= rank)
                winners.append(row == rank)
                owner.append(item)
    return _collect(np.array(alternatives), np.array(winners), np.ones(len(owner)), np.array(owner), ranks.shape)


def table_choices(wins: Array, ties: Array) -> Choices:
    """Turn tables of pairs (items x systems x systems) into choices from sets of two."""
    count = wins.shape[1]
    won, tied = np.nonzero(wins * ~np.eye(count, dtype=bool)), np.nonzero(np.triu(ties, 1))
    item, first, second = (np.concatenate(pair) for pair in zip(won, tied, strict=True))
    unit = np.eye(count, dtype=bool)
    winners = unit[first]
    winners[len(won[0]) :] |= unit[tied[2]]
    weight = np.concatenate([wins[won], ties[tied]])
    return _collect(unit[first] | unit[second], winners, weight, item, (int(weight.sum()), count))


def _collect(alternatives: Bools, winners: Bools, weight: Array, owner: Ints, shape: tuple[int, ...]) -> Choices:
    """Number the different sets of alternatives; their normalizing sums are computed once."""
    empty = np.zeros((0, shape[1]), dtype=bool)
    if not len(owner):
        return Choices(empty, np.zeros(0, np.int64), empty, weight, np.zeros(0, np.int64), 0, 0)
    sets, of_set = np.unique(alternatives, axis=0, return_inverse=True)
    items, of_item = np.unique(owner, return_inverse=True)
    return Choices(sets, of_set.ravel(), winners, weight, of_item, len(items), shape[0])
