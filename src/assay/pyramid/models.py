"""How many models does a Pyramid need? Scores against some of the references: Owczarzak and Dang (2009), section 3.

`count_models` answers it for a set; the other functions are what it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, ignore_undefined
from ..matching.content_scores import ROUNDING
from .content_units import UnitTable
from .score import pyramid_values

Subsets = list[list[tuple[str, ...]]]
_INTERVAL = (0.025, 0.975)


@dataclass(frozen=True)
class ModelCount:
    """Scores by n models a topic.

    `score` is the mean of all systems over all choices of models. `correlation` is that of system means with those by
    all models, `judged` with the mean of a judged dimension: means over random draws, one choice for each topic; `low`
    and `high` hold 95% of the draws. `disjoint` is the correlation with the scores by as many other models.
    """

    kind: ClassVar[str] = "model_count"
    models: int
    score: float
    correlation: float
    low: float
    high: float
    judged: float
    disjoint: float


@dataclass(frozen=True)
class ModelCounts(Result, question="model_counts", kind="model_counts"):
    """How scores and rankings depend on the number of models."""

    topics: int
    systems: int
    dimension: str | None
    size: str
    draws: int
    seed: int
    counts: tuple[ModelCount, ...]


def count_models(
    table: UnitTable,
    references: Sequence[str],
    *,
    human: Scores | None = None,
    size: str = ROUNDING,
    draws: int = 1000,
    seed: int = 0,
) -> ModelCounts:
    """Score systems by 1, 2, ... of the references of each topic, as many as every topic has.

    `human` are judgments of the same systems, to correlate with.
    """
    names = table.check(references)
    units = [table.units_in(name) for name in names]
    most = min(sum(own[column] is not None for own in units) for column in range(len(table.items)))
    if most < 2:
        raise InputError("the number of models can be varied where every topic has at least two")
    systems = [row for row, name in enumerate(table.columns) if name not in set(names)]
    if len(systems) < 3:
        raise InputError(f"scores by fewer models are compared over systems: 3 are needed, there are {len(systems)}")
    full = _average_items(pyramid_values(table, [names] * len(table.items), size)[1])[systems]
    judged = None if human is None else np.array([_human_mean(human, table.columns[row]) for row in systems])
    rows = []
    for models in range(1, most + 1):
        options = {"size": size, "draws": draws, "seed": seed}
        means = draw_models(table, names, models, **options)[:, systems]  # type: ignore[arg-type]
        score = mean_over_models(table, names, models, size=size).means()[systems]
        halves = split_models(table, names, models, **options) if 2 * models <= most else np.array([np.nan])  # type: ignore[arg-type]
        with ignore_undefined():
            correlations = _correlate(means, full)
            with_people = np.nan if judged is None else _mean(_correlate(means, judged))
        low, high = np.nanquantile(correlations, _INTERVAL) if not np.isnan(correlations).all() else (np.nan, np.nan)
        parts = (_mean(score), _mean(correlations), float(low), float(high), float(with_people), _mean(halves))
        rows.append(ModelCount(models, *parts))
    topics = len({item.item for item in table.items})
    dimension = None if human is None else human.name
    return ModelCounts(topics, len(systems), dimension, size, draws, seed, tuple(rows))


def draw_models(
    table: UnitTable,
    references: Sequence[str],
    models: int,
    *,
    size: str = ROUNDING,
    draws: int = 1000,
    seed: int = 0,
) -> Floats:
    """Return mean scores by random choices of n references, one for each item: draw x column."""
    choices = _choose(table, references, models)
    values = _score_choices(table, choices, size)
    rng, columns = stats.generator(seed), np.arange(len(choices))
    counts = np.array([len(own) for own in choices])
    picks = rng.integers(0, counts, size=(draws, len(choices)))
    return np.array([_average_items(values[pick, :, columns].T) for pick in picks])


def _average_items(values: Floats) -> Floats:
    """Return the mean of each row over the items that have a score."""
    there = ~np.isnan(values)
    sums, counts = np.where(there, values, 0.0).sum(axis=1), there.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
    return means


def _correlate(draws: Floats, scores: Floats) -> Floats:
    return stats.coefficients(draws, np.broadcast_to(scores, draws.shape), method="pearson")


def _human_mean(human: Scores, system: str) -> float:
    return _mean(human.row(system)) if system in human.systems else float("nan")


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def score_by_models(table: UnitTable, references: Sequence[str], models: int, *, size: str = ROUNDING) -> Floats:
    """Score against every choice of n of an item's references: choice x text x item, modified Pyramid scores.

    `assay.meta.reference_stability` draws from it, one choice for each item. An item with fewer choices than others
    repeats its own. A reference that is drawn is scored against the others of the choice, and NaN if it is alone.
    `size` is that of `score_pyramid`.

    >>> from assay.formats import ItemUnits
    >>> present = {"A": [1, 1, 0], "B": [0, 1, 1], "sys": [1, 0, 0]}
    >>> table = UnitTable((ItemUnits("1", tuple("xyz"), present),))
    >>> score_by_models(table, ["A", "B"], 1)[:, 2].tolist(), score_by_models(table, ["A", "B"], 2)[:, 2].tolist()
    ([[0.5], [0.0]], [[0.3333333333333333]])
    """
    return _score_choices(table, _choose(table, references, models), size)


def mean_over_models(table: UnitTable, references: Sequence[str], models: int, *, size: str = ROUNDING) -> Scores:
    """Return the mean of the modified score over all choices of n references, each choice counted once."""
    choices = _choose(table, references, models)
    values = _score_choices(table, choices, size)
    once = np.arange(len(values))[:, None] < np.array([len(own) for own in choices])
    there = once[:, None, :] & ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = np.where(there, values, 0.0).sum(axis=0) / there.sum(axis=0)
    names = tuple(table.check(references))
    signature = f"pyramid(modified, size={size}, references={'+'.join(names)}, models={models})"
    return Scores(means, table.columns, table.names, "modified pyramid", signature, people=names)


def split_models(
    table: UnitTable,
    references: Sequence[str],
    models: int,
    *,
    size: str = ROUNDING,
    draws: int = 1000,
    method: str = "pearson",
    seed: int = 0,
) -> Floats:
    """Correlate system scores by some models of each item with those by as many others, at random: an r for each draw.

    The references themselves are left out of the correlation.
    """
    choices = _choose(table, references, models)
    for item, own in zip(table.items, choices, strict=True):
        if 2 * models > len({name for choice in own for name in choice}):
            raise InputError(f"two sets of {models} models need {2 * models} references; item {item.item!r} has fewer")
    systems = [row for row, name in enumerate(table.columns) if name not in set(references)]
    values = _score_choices(table, choices, size)[:, systems]
    rng, columns = stats.generator(seed), np.arange(len(choices))
    pairs = [_draw_disjoint(choices, rng) for _ in range(draws)]
    first, second = (
        np.array([np.nanmean(values[pair[side], :, columns], axis=0) for pair in pairs]) for side in (0, 1)
    )
    return stats.coefficients(first, second, method=method)


def _choose(table: UnitTable, references: Sequence[str], models: int) -> Subsets:
    """Return every choice of n references for each item; too few references are an error."""
    names = table.check(references)
    units = {name: table.units_in(name) for name in names}
    choices: Subsets = []
    for column, item in enumerate(table.items):
        present = [name for name in names if units[name][column] is not None]
        if not 1 <= models <= len(present):
            raise InputError(
                f"the number of models must be between 1 and {len(present)}, the references of item {item.item!r}; "
                f"got {models}"
            )
        choices.append(list(combinations(present, models)))
    return choices


def _score_choices(table: UnitTable, choices: Subsets, size: str) -> Floats:
    most = max(map(len, choices))
    return np.stack([pyramid_values(table, [own[c % len(own)] for own in choices], size)[1] for c in range(most)])


def _draw_disjoint(choices: Subsets, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw for each item the places of two choices that share no reference."""
    pairs = []
    for own in choices:
        first = int(rng.integers(len(own)))
        others = [k for k, choice in enumerate(own) if not set(choice) & set(own[first])]
        pairs.append((first, others[int(rng.integers(len(others)))]))
    return np.array(pairs).T
