"""Agreement on categories beyond chance: Cohen's kappa of two raters, Fleiss' of many, and plain percent agreement.

Ratings are items x raters, NaN = not rated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, choice, floats, fraction, same_shape, warn_undefined
from .intervals import percentiles
from .resampling import Seed, generator, seed_number

WEIGHTS = ("none", "linear", "quadratic")


@dataclass(frozen=True)
class Kappa:
    """Kappa, the observed and expected (weighted) agreement behind it, and a bootstrap interval if asked for."""

    value: float
    observed: float
    expected: float
    n: int
    weights: str
    low: float = float("nan")
    high: float = float("nan")
    confidence: float = 0.95
    resamples: int = 0
    seed: int | None = None


def cohen_kappa(
    a: ArrayLike,
    b: ArrayLike,
    *,
    weights: str = "none",
    categories: Sequence[float] | None = None,
    resamples: int = 0,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> Kappa:
    """Return Cohen's kappa of two raters: 1 - (observed disagreement) / (disagreement expected from the margins).

    Disagreement of the i-th and k-th category is 1, |i - k| ("linear") or (i - k)^2 ("quadratic", Cohen 1968, as
    Toutanova et al. 2016, 3.2). Categories are those that occur, in order, unless the whole scale is given: a scale
    point that no one used between two others counts only then. An item that either rater skipped is left out. With
    resamples the items are drawn with replacement for a percentile interval. Both raters always in one category
    (0/0), or no items: NaN with an UndefinedWarning.

    >>> result = cohen_kappa([1, 1, 2, 3, 3], [1, 2, 2, 3, 1], weights="quadratic")
    >>> round(result.value, 3), result.n
    (0.286, 5)
    """
    choice(weights, "weights", WEIGHTS)
    x, y = floats(a, "a", ndim=1), floats(b, "b", ndim=1)
    same_shape("a", x, "b", y)
    present = ~(np.isnan(x) | np.isnan(y))
    scale = _scale(np.concatenate([x[present], y[present]]), categories)
    table = _tables(_codes(x[present], scale)[None], _codes(y[present], scale)[None], len(scale))
    value, observed, expected = (float(v[0]) for v in kappas(table, weights))
    n, low, high = int(present.sum()), float("nan"), float("nan")
    if np.isnan(value):
        warn_undefined(f"kappa of {n} item(s) that both raters rated" + (", all in one category" if n else ""))
    elif resamples:
        draws = generator(seed).multinomial(n, table[0].ravel() / n, size=resamples).reshape(resamples, *table[0].shape)
        samples = kappas(draws, weights)[0][:, None]
        low, high = (float(v[0]) for v in percentiles(samples, fraction(confidence, "confidence"), drawn=n))
    seed_used = seed_number(seed) if resamples else None
    return Kappa(value, observed, expected, n, weights, low, high, confidence, resamples, seed_used)


def kappas(tables: ArrayLike, weights: str) -> tuple[Array, Array, Array]:
    """Return kappa, observed and expected agreement of a stack of contingency tables; NaN where 0/0.

    >>> kappas([[[20, 5], [10, 15]]], "none")[0].round(3)
    array([0.4])
    """
    table = floats(tables, "tables", ndim=3)
    n = table.sum(axis=(1, 2))
    lost = disagreement(table.shape[1], weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (table * lost).sum(axis=(1, 2)) / n
        margins = table.sum(axis=2)[:, :, None] * table.sum(axis=1)[:, None, :]
        expected = (margins * lost).sum(axis=(1, 2)) / (n * n)
        kappa = np.where(expected > 0, 1 - observed / expected, np.nan)
    return kappa, 1 - observed, 1 - expected


def disagreement(count: int, weights: str) -> Array:
    """Return the table of disagreement between categories, at most 1.

    >>> disagreement(3, "linear")
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 0.5],
           [1. , 0.5, 0. ]])
    """
    gap = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
    if weights == "none":
        return (gap > 0).astype(np.float64)
    table: Array = (gap / max(count - 1, 1)) ** (1 if weights == "linear" else 2)
    return table


def fleiss_kappa(ratings: ArrayLike) -> Kappa:
    """Return Fleiss' kappa of items x raters; every item needs the same number of ratings (any raters).

    kappa = (P - Pe) / (1 - Pe), P the mean share of agreeing pairs per item, Pe the sum of squared category shares
    (Fleiss 1971). Unequal numbers are an error: use Krippendorff's alpha. One category only (0/0): NaN with an
    UndefinedWarning.

    >>> round(fleiss_kappa([[1, 1, 1], [2, 2, 1], [2, 2, 2], [1, 2, 1]]).value, 3)
    0.333
    """
    values = floats(ratings, "ratings", ndim=2)
    scale = _scale(values[~np.isnan(values)], None)
    return fleiss_from_counts((values[:, :, None] == scale).sum(axis=1))


def fleiss_from_counts(counts: ArrayLike) -> Kappa:
    """Return Fleiss' kappa from items x categories: how many raters chose each.

    >>> round(fleiss_from_counts([[3, 0], [1, 2], [0, 3], [2, 1]]).value, 3)
    0.333
    """
    table = floats(counts, "counts", ndim=2)
    sizes = np.unique(table.sum(axis=1))
    if len(sizes) != 1 or sizes[0] < 2:
        raise InputError(
            f"Fleiss' kappa needs equally many ratings (>= 2) for each item, got {sizes.tolist()[:8]}; "
            "use Krippendorff's alpha for unequal numbers"
        )
    k = sizes[0]
    observed = float(((table * table).sum(axis=1) - k).mean() / (k * (k - 1)))
    expected = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    if expected >= 1:
        warn_undefined(f"Fleiss' kappa of {len(table)} items, all ratings in one category")
    value = (observed - expected) / (1 - expected) if expected < 1 else float("nan")
    return Kappa(value, observed, expected, len(table), "none")


def percent_agreement(ratings: ArrayLike) -> float:
    """Return the share of pairs of ratings of the same item that are equal; no item rated twice: NaN with a warning.

    >>> percent_agreement([[1, 1, float("nan")], [2, 2, 1]])
    0.5
    """
    values = floats(ratings, "ratings", ndim=2)
    present = ~np.isnan(values)
    n = present.sum(axis=1)
    pairs = int((n * (n - 1)).sum())
    if not pairs:
        warn_undefined(f"percent agreement: none of {len(values)} items was rated twice")
        return float("nan")
    same = (values[:, :, None] == values[:, None, :]).sum() - present.sum()
    return float(same / pairs)


def _scale(ratings: Array, categories: Sequence[float] | None) -> Array:
    values = np.unique(ratings)
    if categories is None:
        return values
    scale = np.asarray(categories, dtype=np.float64)
    strange = np.setdiff1d(values, scale)
    if len(strange):
        raise InputError(f"ratings {strange.tolist()[:5]} are not among the categories {scale.tolist()}")
    return scale


def _codes(values: Array, scale: Array) -> Ints:
    order = np.argsort(scale)
    return order[np.searchsorted(scale, values, sorter=order)].astype(np.int64)


def _tables(a: Ints, b: Ints, count: int) -> Array:
    """Return contingency tables of rows of codes."""
    cells = (np.arange(len(a))[:, None] * count + a) * count + b
    return np.bincount(cells.ravel(), minlength=len(a) * count * count).reshape(len(a), count, count).astype(np.float64)
