"""Correlation of score differences between systems: per pair of systems, and pooled over all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, Bools, Ints, choice, floats, scale_free_stack, warn_undefined
from .vectorized_correlation import METHODS, coefficients

BLOCK = 50_000  # differences formed at a time: all pairs of 200 systems on 5,000 items are 100 million


@dataclass(frozen=True)
class PairCorrelations:
    """One coefficient per metric and pair of systems: values and n (items) are metrics x pairs, pairs row numbers."""

    values: Array
    n: Ints
    pairs: Ints
    method: str


def system_pairs(count: int) -> Ints:
    """Return all pairs of row numbers i < k.

    >>> system_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.stack(np.triu_indices(count, k=1), axis=1).astype(np.int64)


def pair_blocks(pairs: Ints, width: int, *, block: int | None = None) -> Iterator[slice]:
    """Yield slices of the pairs for which about `block` differences (default: BLOCK) are formed, `width` per pair.

    All slices are equally long, so that the last may begin before the one before it ends: a pair must get the same
    digits whatever else is computed along with it, and NumPy sums one row in another order than several.

    >>> list(pair_blocks(system_pairs(4), 10, block=40))
    [slice(0, 4, None), slice(2, 6, None)]
    """
    size = min(len(pairs), max(2, (block or BLOCK) // max(width, 1)))
    for start in range(0, len(pairs), max(size, 1)):
        first = min(start, len(pairs) - size)
        yield slice(first, first + size)


def pair_differences(scores: ArrayLike) -> Array:
    """Return score differences of all pairs of systems: [..., pairs, items] from [..., systems, items].

    >>> pair_differences([[1, 2], [0, 5], [3, 3]]).tolist()
    [[1.0, -3.0], [-2.0, -1.0], [-3.0, 2.0]]
    """
    values = floats(scores, "scores", ndim=(2, 3))
    pairs = system_pairs(values.shape[-2])
    difference: Array = values[..., pairs[:, 0], :] - values[..., pairs[:, 1], :]
    return difference


def subtract_pairs(values: Array, pairs: Ints) -> Array:
    """Return the differences of some pairs of rows.

    >>> subtract_pairs(np.array([[1.0, 2], [0, 5]]), system_pairs(2)).tolist()
    [[1.0, -3.0]]
    """
    differences: Array = values[pairs[:, 0]]
    differences -= values[pairs[:, 1]]
    return differences


def difference_correlations(h: ArrayLike, ms: ArrayLike, *, method: str = "pearson") -> PairCorrelations:
    """Correlate, for each pair of systems A and B, m(A) - m(B) with h(A) - h(B) over items: Toutanova 2016, 4.3.2.

    An item counts for a pair if people and the metric scored both outputs. NaN, with one UndefinedWarning for all,
    where fewer than three items are left or all differences are equal.

    >>> h = [[3, 2, 1, 3], [1, 2, 2, 1], [1, 1, 1, 2]]
    >>> m = [[[.9, .6, .2, .7], [.3, .5, .6, .2], [.2, .2, .1, .3]]]
    >>> difference_correlations(h, m).values.round(3)
    array([[0.978, 1.   , 0.944]])
    """
    choice(method, "method", METHODS[:-1])
    human, metrics = scale_free_stack(h, ms)
    pairs = system_pairs(len(human))
    values, n = np.empty((len(metrics), len(pairs))), np.empty((len(metrics), len(pairs)), dtype=np.int64)
    gaps = bool((np.isnan(human) | np.isnan(metrics)).any())
    for some in pair_blocks(pairs, metrics.shape[0] * metrics.shape[2]):
        dh, dm = (v[..., pairs[some, 0], :] - v[..., pairs[some, 1], :] for v in (human, metrics))
        # With gaps anywhere every block gets weights, as sums with and without them may differ in the last digit.
        values[:, some] = coefficients(dm, dh, method=method, weights=np.ones(dm.shape) if gaps else None)
        n[:, some] = (~np.isnan(dh + dm)).sum(axis=-1) if gaps else dm.shape[-1]
    if np.isnan(values).any():
        warn_undefined(
            f"{method} of {int(np.isnan(values).sum())} of {values.size} sets of score differences: "
            "fewer than 3 items in common, or constant differences"
        )
    return PairCorrelations(values, n, pairs, method)


def pooled_difference_pearson(h: ArrayLike, m: ArrayLike) -> float:
    """Return Pearson's r over all ordered system differences within items, pooled over items (PDP).

    With both orders of a pair the means are 0, so r = sum dh dm / sqrt(sum dh^2 sum dm^2); and the sum of dh dm over
    pairs of an item with n systems is n times the sum of products of deviations, so no pair is formed. No differences
    at all (0/0): NaN with an UndefinedWarning.

    >>> round(pooled_difference_pearson([[3, 1], [1, 2], [2, 2]], [[.9, .1], [.2, .2], [.3, .1]]), 3)
    0.829
    """
    return float(pooled_difference_stack(h, floats(m, "m", ndim=2)[None])[0])


def pooled_difference_stack(h: ArrayLike, ms: ArrayLike) -> Array:
    """Return pooled difference correlations, one for each metric of a stack.

    >>> pooled_difference_stack([[3, 1], [1, 2], [2, 2]], [[[3, 1], [1, 2], [2, 2]]])
    array([1.])
    """
    human, metrics = scale_free_stack(h, ms)
    present = ~(np.isnan(human) | np.isnan(metrics))
    n = present.sum(axis=1)
    dh, dm = (item_deviations(np.broadcast_to(v, metrics.shape), present, n) for v in (human, metrics))
    products = ((n * (a * b).sum(axis=1)).sum(axis=-1) for a, b in ((dh, dm), (dh, dh), (dm, dm)))
    cov, vh, vm = products
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Array = np.where((vh > 0) & (vm > 0), np.clip(cov / np.sqrt(vh * vm), -1.0, 1.0), np.nan)
    if np.isnan(r).any():
        warn_undefined(f"pooled difference correlation of {int(np.isnan(r).sum())} metric(s): no differences")
    return r


def item_deviations(v: Array, present: Bools, n: Ints) -> Array:
    """Return deviations from the item's mean, 0 where missing and where only rounding differs."""
    filled = np.where(present, v, 0.0)
    mean = filled.sum(axis=1, keepdims=True) / np.maximum(n, 1)[:, None, :]
    d = np.where(present, v - mean, 0.0)
    return np.where(np.abs(d) > 1e-14 * np.abs(mean), d, 0.0)
