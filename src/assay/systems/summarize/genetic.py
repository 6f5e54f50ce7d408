"""Extractive summaries from random to near the best under any fitness, by a genetic search (Peyrard et al. 2017, 4.4).

The operators are those of Peyrard and Eckle-Kohler (2016). Their released code draws children from the first sentences
of the corpus, not from the parents, and lets a mutation add a sentence twice; here neither happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

Summary = tuple[int, ...]  # places of sentences, in the order of the source
Fitness = Callable[[Sequence[Summary]], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Population:
    """The last generation, fittest first; `best` is the fittest of each generation, the first one random."""

    summaries: tuple[Summary, ...]
    fitness: NDArray[np.float64]
    best: tuple[float, ...]
    scored: int
    seed: int

    @property
    def generations(self) -> int:
        """How many there were."""
        return len(self.best)

    def spread(self, count: int) -> tuple[int, ...]:
        """Return places of `count` members evenly spaced from the fittest to the least fit.

        >>> Population(((0,), (1,), (2,), (3,), (4,)), np.arange(5.0)[::-1], (4.0,), 5, 0).spread(3)
        (0, 2, 4)
        """
        return tuple(np.unique(np.linspace(0, len(self.summaries) - 1, count).round().astype(int)).tolist())


@dataclass(frozen=True)
class GenerationShares:
    """Shares of a generation: survivors of the population (half of them the fittest, half drawn from the others),
    mutants of the survivors, children of survivors and mutants; the rest is made at random."""

    survival: float = 0.4
    mutation: float = 0.2
    reproduction: float = 0.4

    def __post_init__(self) -> None:
        for name in ("survival", "mutation", "reproduction"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} must be a share between 0 and 1; got {getattr(self, name)}")


def evolve(
    lengths: Sequence[int],
    fitness: Fitness,
    *,
    limit: int,
    size: int = 100,
    generations: int = 50,
    patience: int = 10,
    shares: GenerationShares | None = None,
    seed: int = 0,
) -> Population:
    """Search for the summary of at most `limit` words with the highest fitness, among sentences of these lengths.

    Stops after `generations`, or when the best has not grown for `patience` of them. A third of each generation is
    random, so the last one ranges from random to near the best. No summary is in it twice, unless there are too few.
    A fitness of NaN is the lowest.

    >>> new = evolve([3, 4, 5], lambda many: np.array([1.0 + sum(s) for s in many]), limit=9, size=4)
    >>> new.summaries[0], float(new.fitness[0])
    ((1, 2), 4.0)
    """
    fitting = [i for i, n in enumerate(lengths) if 0 < n <= limit]
    if not fitting:
        shortest = min((n for n in lengths if n > 0), default=0)
        raise InputError(f"no sentence fits into {limit} words: the shortest has {shortest}")
    if size < 4:
        raise InputError(f"a population needs at least 4 summaries; got {size}")
    search = _Search(np.asarray(lengths), fitting, limit, np.random.default_rng(seed))
    shares = shares or GenerationShares()
    known: dict[Summary, float] = {}
    people = search.random(size, set())
    best: list[float] = []
    while True:
        new = [s for s in dict.fromkeys(people) if s not in known]
        if new:
            known.update(zip(new, _replace_nan(fitness(new)), strict=True))
        people.sort(key=lambda s: (-known[s], s))
        best.append(known[people[0]])
        since = len(best) - 1 - best.index(max(best))
        if len(best) >= generations or since >= patience:
            break
        people = search.next(people, size, shares)
    values = np.array([known[s] for s in people])
    return Population(tuple(people), np.where(np.isneginf(values), np.nan, values), tuple(best), len(known), seed)


def _replace_nan(values: NDArray[np.float64]) -> list[float]:
    return [float(v) if v == v else -np.inf for v in values]


class _Search:
    """The operators, on one set of sentences."""

    def __init__(
        self, lengths: NDArray[np.int64], fitting: Sequence[int], limit: int, rng: np.random.Generator
    ) -> None:
        self.lengths, self.fitting, self.limit, self.rng = lengths, np.array(fitting), limit, rng

    def draw(self, pool: Sequence[int] | NDArray[np.int64]) -> Summary:
        """Draw a random summary from a pool: its sentences in random order, each taken if it still fits."""
        left, mutants = self.limit, []
        for i in self.rng.permutation(pool).tolist():
            if self.lengths[i] <= left:
                mutants.append(i)
                left -= int(self.lengths[i])
        return tuple(sorted(mutants))

    def random(self, count: int, known: set[Summary]) -> list[Summary]:
        """Draw n random summaries, new ones if possible."""
        return self._new(count, lambda: self.draw(self.fitting), known)

    def mutate(self, summary: Summary) -> Summary:
        """Replace one sentence with another that fits; return the summary itself if none does."""
        removed = int(self.rng.choice(summary))
        rest = [i for i in summary if i != removed]
        room = self.limit - int(self.lengths[rest].sum()) if rest else self.limit
        others = [int(i) for i in self.fitting if i not in summary and self.lengths[i] <= room]
        return tuple(sorted([*rest, int(self.rng.choice(others))])) if others else summary

    def child(self, parents: Sequence[Summary]) -> Summary:
        """Draw a random summary from the sentences of two parents."""
        one, other = self.rng.choice(len(parents), 2, replace=len(parents) < 2)
        return self.draw(sorted({*parents[one], *parents[other]}))

    def next(self, people: Sequence[Summary], size: int, shares: GenerationShares) -> list[Summary]:
        """Make the next generation of a population that is sorted by fitness."""
        people = list(dict.fromkeys(people))
        keep = min(len(people), max(2, int(shares.survival * size)))
        winners, losers = people[: (keep + 1) // 2], people[(keep + 1) // 2 :]
        lucky = self.rng.permutation(len(losers))[: keep - len(winners)]
        generation = [*winners, *(losers[i] for i in lucky)]
        known = set(generation)
        mutants = self.rng.permutation(len(generation))[: int(shares.mutation * len(generation))].tolist()
        survivors = list(generation)
        for i in mutants:
            generation += self._new(1, lambda i=i: self.mutate(survivors[i]), known, force=False)  # type: ignore[misc]
        children = int(shares.reproduction * len(generation))
        generation += self._new(children, lambda: self.child(winners), known, force=False)
        return [*generation[:size], *self.random(size - len(generation), known)]

    def _new(
        self, count: int, make: Callable[[], Summary], known: set[Summary], *, force: bool = True
    ) -> list[Summary]:
        """Make summaries that are not known; after five tries, repeat one (or leave it out, without `force`)."""
        new = []
        for _ in range(count):
            one = make()
            for _ in range(4):
                if one not in known:
                    break
                one = make()
            if one not in known or force:
                new.append(one)
                known.add(one)
        return new
