"""Wilcoxon's signed-rank test for many rows of differences at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .checks import Array
from .vectorized_correlation import midranks

EXACT, EXACT_TIED = 50, 13  # items up to which the distribution is exact without, and with, ties or zeros


def signed_ranks(d: Array, alternative: str = "two-sided") -> tuple[Array, Array]:
    """Return W+ and p for each row of differences; NaN is missing, zeros are dropped, a row of zeros has p = 1.

    The distribution is chosen row by row as scipy.stats.wilcoxon (1.17) does: exact, exact given the ties, or normal
    with tie correction and without continuity correction. A row without any item is NaN.

    >>> w, p = signed_ranks(np.array([[1.0, 2, 3, 4, 5, 6], [1, -2, 3, -4, 5, -6]]))
    >>> w, p
    (array([21.,  9.]), array([0.03125, 0.84375]))
    """
    present = ~np.isnan(d)
    used = present & (d != 0)
    n = used.sum(axis=1).astype(np.float64)
    size = np.where(used, np.abs(d), np.inf)
    ranks = np.where(used, midranks(size, used.astype(np.float64)), 0.0)
    plus = np.where(d > 0, ranks, 0.0).sum(axis=1)
    sixth = n * (n + 1) * (2 * n + 1) / 6
    ties = 12 * (sixth - (ranks * ranks).sum(axis=1))  # sum of t^3 - t
    untied = (np.abs(ties) < 0.5) & (present.sum(axis=1) == n)
    p = _normal(plus, n, ties, alternative)
    for row in np.nonzero((present.sum(axis=1) <= np.where(untied, EXACT, EXACT_TIED)) & (n > 0))[0]:
        doubled = (
            tuple(sorted(int(2 * r) for r in ranks[row][used[row]])) if not untied[row] else _doubled_ranks(int(n[row]))
        )
        p[row] = _exact(round(2 * float(plus[row])), doubled, alternative)
    p = np.where(n > 0, p, 1.0)
    some = present.any(axis=1)
    return np.where(some, plus, np.nan), np.where(some, p, np.nan)


def _normal(plus: Array, n: Array, ties: Array, alternative: str) -> Array:
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
        z = (plus - n * (n + 1) / 4) / se
    if alternative == "two-sided":
        return np.asarray(2 * ndtr(-np.abs(z)))
    return np.asarray(ndtr(-z if alternative == "greater" else z))


def _exact(doubled_plus: int, doubled: tuple[int, ...], alternative: str) -> float:
    """Return the exact p-value of W+ given the (doubled) ranks."""
    below, above = _tails(doubled)
    less, greater = float(below[doubled_plus]), float(above[doubled_plus])
    if alternative == "two-sided":
        return min(1.0, 2 * min(less, greater))
    return greater if alternative == "greater" else less


@lru_cache(maxsize=128)
def _doubled_ranks(n: int) -> tuple[int, ...]:
    return tuple(range(2, 2 * n + 1, 2))


@lru_cache(maxsize=256)
def _tails(doubled: tuple[int, ...]) -> tuple[Array, Array]:
    """Return P(W <= w) and P(W >= w) for each doubled w: each rank is in W with probability one half."""
    counts = np.ones(1)
    for rank in doubled:
        longer = np.zeros(len(counts) + rank)
        longer[: len(counts)] += counts
        longer[rank:] += counts
        counts = longer
    counts /= 2.0 ** len(doubled)
    return np.cumsum(counts), np.cumsum(counts[::-1])[::-1]
