"""Scores made at random, with names that are no numbers."""

from __future__ import annotations

import numpy as np

from assay.data.scores import Scores


def scores(values, name: str = "m", **options) -> Scores:
    values = np.asarray(values, dtype=float)
    systems = options.pop("systems", tuple(f"s{i}" for i in range(values.shape[0])))
    items = options.pop("items", tuple(f"i{k}" for k in range(values.shape[1])))
    return Scores(values, tuple(systems), tuple(items), name, **options)


def people(systems: int = 12, items: int = 30, *, seed: int = 0, spread: float = 1.0) -> Scores:
    rng = np.random.default_rng(seed)
    return scores(spread * rng.normal(size=(systems, 1)) + rng.normal(size=(systems, items)), "human")


def noisy(human: Scores, noise: float, *, seed: int = 1, name: str = "m", **options) -> Scores:
    rng = np.random.default_rng(seed)
    values = human.values + noise * rng.normal(size=human.values.shape)
    return scores(values, name, systems=human.systems, items=human.items, **options)


def shuffled(given: Scores, *, seed: int = 5) -> Scores:
    """The same scores in another order of systems and items."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(given.systems)), rng.permutation(len(given.items))
    return scores(
        given.values[np.ix_(rows, columns)],
        given.name,
        systems=[given.systems[r] for r in rows],
        items=[given.items[c] for c in columns],
        higher_is_better=given.higher_is_better,
        corpus=None if given.corpus is None else given.corpus[rows],
    )
