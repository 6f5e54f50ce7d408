"""How many models does a Pyramid need? Scores against some of the references: Owczarzak and Dang (2009), section 3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.scores import Floats, Scores
from ..errors import InputError
from .content_units import UnitTable
from .score import pyramid_values

Subsets = list[list[tuple[str, ...]]]


def score_by_models(table: UnitTable, references: Sequence[str], models: int, *, size: str = "truncate") -> Floats:
    """Score against every choice of so many of an item's references: choice x text x item, modified Pyramid scores.

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


def mean_over_models(table: UnitTable, references: Sequence[str], models: int, *, size: str = "truncate") -> Scores:
    """Return the mean of the modified score over all choices of so many references, each choice counted once."""
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
    size: str = "truncate",
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
    """Return every choice of so many references for each item; too few references are an error."""
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
