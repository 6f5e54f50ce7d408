"""Pyramid scores as functions of counts: the weight that a text found, by the best weight that it could have found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

# How a mean number of units becomes a whole one. DUCView rounds, as its makers and NIST counted: half goes up.
ROUNDINGS = {"round": lambda mean: math.floor(mean + 0.5), "truncate": math.floor, "ceil": math.ceil}
ROUNDING = "round"
WEIGHT = "contributors"  # what a unit weighs, of WEIGHTS in `data.content_units`: DUCView counts contributors


class PyramidCounts(NamedTuple):
    """What the scores of one text are made of.

    `weight` is the weight of the units it states; `units` how many it states, those outside the pyramid too; `weights`
    are those of all units, highest first; `average` is the mean number of units (or contributors) of a model.
    """

    weight: float
    units: int
    weights: tuple[int, ...]
    average: float


def weigh_units(models: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the weights of units by the models that state them (given as units of each model), highest first.

    >>> weigh_units([(0, 1), (1, 2), (1,)])
    (3, 1, 1)
    """
    counts = Counter(unit for units in models for unit in units)
    return tuple(sorted(counts.values(), reverse=True))


def original_score(counts: PyramidCounts) -> float:
    """Divide by the best weight of as many units as the text has (Nenkova and Passonneau 2004).

    0 for a text without units, NaN where no model states a unit.

    >>> original_score(PyramidCounts(5, 2, (4, 3, 2, 1), 2.5))  # 4 + 1 of 4 + 3
    0.7142857142857143
    """
    return _share(counts, counts.units)


def modified_score(counts: PyramidCounts, size: str = ROUNDING) -> float:
    """Divide by the best weight of as many units as a model has on average (Passonneau 2005); it may exceed 1.

    `size` makes this average a whole number. NaN where no model states a unit.

    >>> modified_score(PyramidCounts(5, 2, (4, 3, 2, 1), 2.5), "ceil")  # 4 + 1 of 4 + 3 + 2
    0.5555555555555556
    """
    return _share(counts, max(ROUNDINGS[size](counts.average), 1)) if counts.weights else math.nan


def _share(counts: PyramidCounts, units: int) -> float:
    if not counts.weights:
        return math.nan
    return counts.weight / sum(counts.weights[:units]) if units else 0.0
