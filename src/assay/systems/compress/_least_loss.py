"""Least loss: the best text of word groups in which some words need others that do not stand on their way to the root.

A tree of groups gives a dynamic program; what a parent needs of its child is part of it, but a word that needs another
elsewhere in the tree does not fit in. The search solves the program without such needs, which is a bound, and branches
where one is not met: without the word, with both, or with the word alone, at its price. The first solution with nothing
left to branch on is the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _core

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FORBIDDEN = float("inf")  # the price of what must not be
_STEPS = 4000  # programs solved before the best bound so far is taken as it is


class Need(NamedTuple):
    """A group that needs another; a choice with the first and without the second costs `price`."""

    group: int
    needed: int
    price: float


class Branch(NamedTuple):
    """A part of the search: groups in (1) and out (-1), needs paid for, the best choice without others."""

    states: Integers
    paid: frozenset[int]
    members: NDArray[np.bool_]


def best_choice(
    parents: Integers,
    values: Floats,
    costs: Integers,
    states: Integers,
    needs: Sequence[Need],
    least: int,
    most: int,
) -> NDArray[np.bool_] | None:
    """Find the groups of the highest value minus prices whose costs add up to least..most; None if there are none.

    A group is in only if its parent is; `states` are 1 for groups that must be in, -1 for those that must not.

    >>> parents, ones = np.array([-1, 0, 0]), np.ones(3, dtype=np.int64)
    >>> states = np.array([1, 0, 0])
    >>> best_choice(parents, np.array([0.0, 2.0, 1.0]), ones, states, [Need(1, 2, 5.0)], 1, 2)
    array([ True, False,  True])
    """
    heap: list[tuple[float, int, Branch]] = []
    solved = 0
    values, needs, forbidden = _price_edges(parents, values, needs)

    def push(states: Integers, paid: frozenset[int]) -> None:
        nonlocal solved
        flags, value, _ = _core.best_subtree(parents, values, costs, states, least, most)
        members = np.asarray(flags, dtype=bool)
        solved += 1
        # A solution outside the range, or against the states (a group to drop above one to keep), is none.
        fits = least <= int(costs[members].sum()) <= most and not (members & (states < 0)).any()
        if fits and not any(members[n.group] and not members[n.needed] for n in forbidden):
            heappush(heap, (sum(needs[k].price for k in paid) - value, solved, Branch(states, paid, members)))

    push(states, frozenset())
    while heap:
        _, _, (states, paid, members) = heappop(heap)
        broken = [k for k, n in enumerate(needs) if members[n.group] and not members[n.needed] and k not in paid]
        if not broken or solved > _STEPS:
            return members
        worst = max(broken, key=lambda k: needs[k].price)
        group, needed, price = needs[worst]
        for inside, outside, spent in (
            ((), (group,), paid),
            ((group, needed), (), paid),
            ((group,), (needed,), paid | {worst}),
        ):
            if (spent is paid or price < FORBIDDEN) and (fixed := _fix(states, inside, outside)) is not None:
                push(fixed, spent)
    return None


def _price_edges(parents: Integers, values: Floats, needs: Sequence[Need]) -> tuple[Floats, list[Need], list[Need]]:
    """Move the prices of needs between a parent and its child into the values; also return the other needs.

    A price is taken from the parent and given back by the child: a choice with neither or both pays nothing. What must
    not be has a price above all others, and comes last.
    """
    values = values.copy()
    finite = sum(n.price for n in needs if n.price < FORBIDDEN)
    ban = 4 * (float(np.abs(values).sum()) + finite + 1)
    others, forbidden = [], []
    for need in needs:
        if parents[need.needed] != need.group:
            others.append(need)
            continue
        price = min(need.price, ban)
        values[need.group] -= price
        values[need.needed] += price
        if need.price == FORBIDDEN:
            forbidden.append(need)
    return values, others, forbidden


def _fix(states: Integers, inside: Sequence[int], outside: Sequence[int]) -> Integers | None:
    """Return the states with these groups in and those out; None if that cannot be."""
    if any(states[g] < 0 for g in inside) or any(states[g] > 0 for g in outside):
        return None
    fixed = states.copy()
    fixed[list(inside)] = 1
    fixed[list(outside)] = -1
    return fixed
