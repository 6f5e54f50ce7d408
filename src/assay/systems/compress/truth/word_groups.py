"""Word groups: tokens that are kept or deleted together, each group below the one that it depends on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .... import _core
from ....errors import InputError
from ....text.logic.bonds import Bonds
from ....text.parse.flat import ParsedText
from .dependency_tree import DependencyTree, LooseWord, find_unspaced, without_circles

_STATES = 4096  # of the search; more than any sentence of the data has
_TREE_CELLS, _CLOSURE_CELLS = 2**27, 2**24  # of the table of the search, costs by groups: the core refuses more
FORBIDDEN = math.inf  # the price of a forbidden group
CONSTRAINTS = ("tree", "function", "negation", "arguments", "unspaced")


class Need(NamedTuple):
    """A group that needs another; a choice with the first and without the second costs `price`."""

    group: int
    needed: int
    price: float


@dataclass(frozen=True)
class WordGroups:
    """Groups of tokens: `group[i]` is the group of token i (-1: punctuation, which follows); `parents` are groups."""

    group: NDArray[np.int64]
    parents: NDArray[np.int64]
    loose: tuple[LooseWord, ...] = ()
    needs: tuple[tuple[int, int], ...] = ()  # (group, another that it is kept only with), in addition to its parent

    @cached_property
    def tops(self) -> list[int]:
        """Of each token the group that its own hangs on in the end: one for each clause that can stand alone."""
        tops = []
        for g in self.group.tolist():
            while g >= 0 and self.parents[g] >= 0:
                g = int(self.parents[g])
            tops.append(g)
        return tops

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the tokens' values in each group."""
        inside = self.group >= 0
        return np.bincount(self.group[inside], values[inside], minlength=len(self.parents)).astype(np.float64)

    def group_states(self, keep: Collection[int], drop: Collection[int]) -> NDArray[np.int64]:
        """Return 1 for groups with a token to keep, -1 for those with one to drop and none to keep, else 0."""
        states = np.zeros(len(self.parents), dtype=np.int64)
        for tokens, state in ((drop, -1), (keep, 1)):
            places = [self.group[i] for i in tokens if self.group[i] >= 0]
            states[places] = state
        return states

    def best(
        self,
        values: NDArray[np.float64],
        costs: NDArray[np.int64],
        states: NDArray[np.int64],
        least: int,
        most: int,
        adjacency: float = 0.0,
    ) -> tuple[list[int], bool]:
        """Find the tokens of the best allowed choice that costs least..most, and check if there is one.

        `adjacency` is what two neighbouring words add that are both kept. `most < 0`: whatever it costs. Where no
        choice fits, it is the cheapest.
        """
        bits, met = self.best_groups(values, costs, states, least, most, adjacency)
        return self.tokens_of(bits, states), met

    def best_groups(
        self,
        values: NDArray[np.float64],
        costs: NDArray[np.int64],
        states: NDArray[np.int64],
        least: int,
        most: int,
        adjacency: float = 0.0,
    ) -> tuple[NDArray[np.uint8], bool]:
        """Find the same as bits, one for each group."""
        plain = not (adjacency or self.needs)
        self._check_size(costs, most, _TREE_CELLS if plain else _CLOSURE_CELLS)
        if plain:
            bits, _, met = _core.best_subtree(self.parents, values, costs, states, least, most)
            return bits, met
        inner, (sources, targets, gains) = self._edges(adjacency)
        values = values + inner
        bits, _, met, _ = _core.best_closure(values, costs, states, sources, targets, gains, least, most, _STATES)
        return bits, met

    def best_priced(
        self,
        values: NDArray[np.float64],
        costs: NDArray[np.int64],
        states: NDArray[np.int64],
        prices: Sequence[Need],
        least: int,
        most: int,
        adjacency: float = 0.0,
    ) -> NDArray[np.uint8] | None:
        """Find the groups of the highest value minus prices that cost least..most in all; None if there are none.

        A price is taken from the group that needs another and given back where both are kept.
        """
        self._check_size(costs, most, _CLOSURE_CELLS)
        inner, (sources, targets, gains) = self._edges(adjacency)
        values = values + inner
        for need in prices:
            values[need.group] -= need.price if need.price < FORBIDDEN else 0.0
        sources = np.concatenate([sources, [n.group for n in prices]]).astype(np.int64)
        targets = np.concatenate([targets, [n.needed for n in prices]]).astype(np.int64)
        own = [math.nan if n.price == FORBIDDEN else n.price for n in prices]
        gains = np.concatenate([gains, own]).astype(np.float64)
        bits, _, _, _ = _core.best_closure(values, costs, states, sources, targets, gains, least, most, _STATES)
        fits = least <= int(costs @ bits) <= most and not (bits.astype(bool) & (states < 0)).any()
        return bits if fits and bits.any() else None

    def _check_size(self, costs: NDArray[np.int64], most: int, cells: int) -> None:
        if most >= 0 and (int(costs.sum()) + 1) * (len(costs) + 1) > cells:
            raise InputError(
                f"a text of {len(self.group):,} tokens is too long to shorten to a limit: give it as several texts, "
                "one sentence or paragraph each"
            )

    def tokens_of(self, bits: NDArray[np.uint8], states: NDArray[np.int64]) -> list[int]:
        """Return the tokens of some groups, without the words that connect them to what was deleted."""
        tokens = {i for i, g in enumerate(self.group.tolist()) if g >= 0 and bits[g]}
        tokens -= {i for i, other in self.loose if other not in tokens and states[self.group[i]] <= 0}
        return sorted(tokens)

    def count_neighbours(self, bits: NDArray[np.uint8]) -> int:
        """Count the neighbouring words that are both in groups of a choice."""
        words = bits[self.group[self.group >= 0]]
        return int((words[1:] & words[:-1]).sum())

    def _edges(self, adjacency: float) -> tuple[NDArray[np.float64], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """Return what neighbours inside a group add to it, and the edges between groups: needs (NaN) and neighbours."""
        inner = np.zeros(len(self.parents))
        needs = {*self.needs, *((g, p) for g, p in enumerate(self.parents.tolist()) if p >= 0)}
        edges = [(g, other, math.nan) for g, other in sorted(needs)]
        words = self.group[self.group >= 0].tolist() if adjacency else []
        for left, right in pairwise(words):
            if left == right:
                inner[left] += adjacency
            else:
                edges.append((left, right, adjacency))
        sources, targets, gains = zip(*edges, strict=True) if edges else ((), (), ())
        return inner, (np.array(sources, np.int64), np.array(targets, np.int64), np.array(gains, np.float64))


def join_groups(several: Sequence[WordGroups]) -> WordGroups:
    """Join the groups of several parses of a text: a choice that is allowed by the result is allowed by each.

    Words that one parse puts together stay together, and a group needs what it depends on in any parse.
    """
    first = several[0]
    if len(several) == 1:
        return first
    n = len(first.group)
    joined = UnionFind(n)
    for groups in several:
        heads: dict[int, int] = {}
        for i, g in enumerate(groups.group.tolist()):
            if g >= 0:
                joined.join(i, heads.setdefault(g, i))
    roots = sorted({joined.find(i) for i, g in enumerate(first.group.tolist()) if g >= 0})
    number = {root: k for k, root in enumerate(roots)}
    group = np.array([-1 if g < 0 else number[joined.find(i)] for i, g in enumerate(first.group.tolist())], np.int64)
    needs = {(number[joined.find(i)], number[joined.find(k)]) for i, k in _needs_of_words(several)}
    needs = {(g, other) for g, other in needs if g != other}
    parents = np.full(len(roots), -1, np.int64)
    for groups in reversed(several):  # the best parse last: its parents stay
        member = {g: int(group[i]) for i, g in enumerate(groups.group.tolist()) if g >= 0}
        for g, p in enumerate(groups.parents.tolist()):
            if p >= 0 and member[g] != member[p]:
                needs.add((member[g], member[p]))
                parents[member[g]] = member[p]
    return WordGroups(group, without_circles(parents), first.loose, tuple(sorted(needs)))


def _needs_of_words(several: Sequence[WordGroups]) -> Iterator[tuple[int, int]]:
    """Yield the needs between groups as pairs of words, one of each group."""
    for groups in several:
        member = {g: i for i, g in enumerate(groups.group.tolist()) if g >= 0}
        yield from ((member[g], member[other]) for g, other in groups.needs)


class UnionFind:
    """Sets of numbers that are joined two at a time."""

    def __init__(self, n: int) -> None:
        self.top = list(range(n))

    def find(self, i: int) -> int:
        """Return the representative of the set (union-find)."""
        while self.top[i] != i:
            self.top[i] = self.top[self.top[i]]
            i = self.top[i]
        return i

    def join(self, i: int, other: int) -> None:
        """Make one set of two."""
        self.top[self.find(i)] = self.find(other)


def group_words(
    a: ParsedText,
    constraints: Collection[str] = CONSTRAINTS,
    bonds: Bonds | None = None,
    ties: Iterable[tuple[int, int]] = (),
    lose_source: bool = False,
    whole: bool = True,
) -> WordGroups:
    """Group the words of a text under these constraints.

    With `bonds`, a clause may lose its head only if it follows without it, or, with `lose_source`, if the head says who
    said it; `ties` are further words to keep together. Without them, and unless `whole` is false, a verb stays only
    with the clause that completes it, which may stand without the verb.

    tree: a word stays only with its head, but for clauses that can stand alone. function: prepositions, conjunctions,
    articles, possessors, auxiliaries, copulas and particles stay exactly with their word. negation: so does a negation.
    arguments: a verb's subject and object stay with it. joined: so does what has no space between (York-based, $5m). A
    contraction is never halved.
    """
    tree = DependencyTree(a, bonds, lose_source, whole)
    n = len(a.tokens)
    together = UnionFind(n)
    find, join = together.find, together.join
    for i in range(n):
        if not a.punctuation[i] and (other := tree.find_partner(i, constraints)) is not None:
            join(i, other)
    if "unspaced" in constraints:
        for i, other in find_unspaced(a):
            join(i, other)
    tied = False
    for i, other in ties:
        if not a.punctuation[i] and not a.punctuation[other] and find(i) != find(other):
            join(i, other)
            tied = True
    while tied and "tree" in constraints and (joints := tree.find_joints([find(i) for i in range(n)])):
        for i, other in joints:
            join(i, other)
    roots = sorted({find(i) for i in range(n) if not a.punctuation[i]})
    number = {root: k for k, root in enumerate(roots)}
    group = np.array([-1 if a.punctuation[i] else number[find(i)] for i in range(n)], dtype=np.int64)
    parents = tree.parents(group, len(roots)) if "tree" in constraints else np.full(len(roots), -1, dtype=np.int64)
    if "tree" not in constraints:
        return WordGroups(group, parents)
    pairs = tree.find_needs() if "arguments" in constraints else []
    needs = sorted({(int(group[i]), int(group[k])) for i, k in pairs if min(group[i], group[k]) >= 0})
    return WordGroups(group, parents, tuple(tree.loose), tuple(pair for pair in needs if pair[0] != pair[1]))
