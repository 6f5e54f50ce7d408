"""Compare systems by ratings of which cells are missing: who judged what decides how far a difference can be trusted.

The difference of two means is a weighted sum of ratings. A component of their variance counts in it by the sum of
squares, over the levels of its term, of the summed weights of their ratings: in a complete table 2 / n for system x
item, 2 / K for system x rater and 0 for raters, who count where they saw one system more often than the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from .checks import Array, Ints
from .variance_components import VarianceComponents, without_nan


@dataclass(frozen=True)
class _Degrees:
    """Degrees of freedom of the mean squares; those of a complete table if it is."""

    items: float
    raters: float
    rest: float
    raters_alone: float


def test_incomplete(
    values: Array, codes: Sequence[Ints], parts: VarianceComponents, *, new_raters: bool
) -> tuple[Array, Array, Array]:
    """Return differences, standard errors and degrees of freedom of all pairs, each on the items that both have.

    `codes` number the system, item and rater of each rating from 0; `parts` are their components, not set to 0 where
    negative.
    """
    system, item, rater = codes
    degrees = _count_degrees(parts, system, item, rater)
    has = np.zeros((parts.systems, parts.items), dtype=bool)
    has[system, item] = True
    rows = [np.flatnonzero(system == s) for s in range(parts.systems)]
    difference, error, df = np.full((3, parts.systems, parts.systems), np.nan)
    np.fill_diagonal(difference, 0.0)
    for i in range(parts.systems):
        for k in range(i + 1, parts.systems):
            common = has[i] & has[k]
            if common.any():
                sides = [own[common[item[own]]] for own in (rows[i], rows[k])]
                weights = [_mean_weights(item[own]) for own in sides]
                lead = sum(sign * float(w @ values[own]) for sign, w, own in zip((1, -1), weights, sides, strict=True))
                loads = _Loads.of(weights, [item[own] for own in sides], [rater[own] for own in sides], new_raters)
                difference[i, k], difference[k, i] = lead, -lead
                error[i, k], df[i, k] = error[k, i], df[k, i] = _combine(loads, parts, degrees, new_raters)
    return difference, error, df


test_incomplete.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name says to pytest


def _mean_weights(item: Ints) -> Array:
    """Return the weight of each rating in a mean over items of means over ratings."""
    counts = np.bincount(item)
    return np.asarray(1 / (counts[item] * np.count_nonzero(counts)))


def _count_degrees(parts: VarianceComponents, system: Ints, item: Ints, rater: Ints) -> _Degrees:
    """Count cells and levels; raters who cannot be told from system x rater (each judged one system) are within it."""
    si, sr, ir = (_count_cells(*pair) for pair in ((system, item), (system, rater), (item, rater)))
    s, n, raters = parts.systems, parts.items, parts.raters
    rest = parts.ratings - si - sr - ir + s + n + raters - 1
    of_raters = 0 if np.isnan(parts.rater) else raters - 1
    return _Degrees(max(si - s - n + 1, 0), max(sr - s - of_raters, 0), max(rest, 1), max(raters - 1, 1))


def _count_cells(first: Ints, second: Ints) -> int:
    return len(np.unique(first * (int(second.max()) + 1) + second))


@dataclass(frozen=True)
class _Loads:
    """By how much of its variance each term enters the difference of two means."""

    system_item: float
    system_rater: float
    item_rater: float
    rater: float
    rest: float

    @classmethod
    def of(cls, weights: Sequence[Array], items: Sequence[Ints], raters: Sequence[Ints], new_raters: bool) -> _Loads:
        """Sum the weights of both sides; for the raters at hand, system x rater counts as far as they are unequal."""
        signed, rater = np.concatenate([weights[0], -weights[1]]), np.concatenate(raters)
        cells = np.concatenate(items) * (int(rater.max()) + 1) + rater
        by_rater: list[Array] = [
            np.asarray(np.bincount(r, w)[np.unique(r)], dtype=np.float64) for r, w in zip(raters, weights, strict=True)
        ]
        if not new_raters:
            by_rater = [np.asarray(shares - 1 / len(shares)) for shares in by_rater]
        return cls(
            system_item=2 / len(np.unique(items[0])),
            system_rater=sum(float((shares**2).sum()) for shares in by_rater),
            item_rater=float((np.bincount(np.unique(cells, return_inverse=True)[1], signed) ** 2).sum()),
            rater=float((np.bincount(rater, signed) ** 2).sum()),
            rest=float((signed**2).sum()),
        )


def _combine(loads: _Loads, parts: VarianceComponents, degrees: _Degrees, new_raters: bool) -> tuple[float, float]:
    """Return the standard error and Satterthwaite's degrees of freedom.

    A term that the design cannot tell from the rest is in the rest, which is then not taken off again.
    """
    known = without_nan(parts)
    rest = known.rest * loads.rest
    items = rest + known.system_item * loads.system_item + known.item_rater * loads.item_rater
    raters = rest + known.system_rater * loads.system_rater
    lean = max(known.rater * loads.rater, 0.0)
    total = max(items + raters - rest, items, raters) + lean
    if not new_raters:
        return sqrt(max(total, 0.0)), degrees.items
    if parts.raters < 2 or (degrees.raters <= 0 and not np.isnan(parts.system_rater)):
        return float("nan"), 0.0
    squares = lean**2 / degrees.raters_alone
    if not np.isnan(parts.system_rater):
        squares += raters**2 / degrees.raters
    if not np.isnan(parts.system_item) or np.isnan(parts.system_rater):
        squares += items**2 / max(degrees.items, 1)
    if not np.isnan(parts.system_item) and not np.isnan(parts.system_rater):
        squares += rest**2 / degrees.rest
    return sqrt(max(total, 0.0)), total**2 / squares if squares > 0 else 0.0
