"""Wilcoxon's signed-rank test for many rows of differences at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .checks import Array
from .vectorized_correlation import midranks

_LAST = np.uint64(2**64 - 1)  # the key of values that are missing or 0: no difference has it
EXACT, EXACT_TIED = 50, 13  # items up to which the distribution is exact without, and with, ties or zeros


def signed_ranks(d: Array, alternative: str = "two-sided") -> tuple[Array, Array]:
    """Return W+ and p for each row of differences; NaN is missing, zeros are dropped, a row of zeros has p = 1.

    The distribution is chosen row by row as scipy.stats.wilcoxon (1.17) does: exact, exact given the ties, or normal
    with tie correction and without continuity correction. A row without any item is NaN.

    >>> w, p = signed_ranks(np.array([[1.0, 2, 3, 4, 5, 6], [1, -2, 3, -4, 5, -6]]))
    >>> w, p
    (array([21.,  9.]), array([0.03125, 0.84375]))
    """
    plus, _, p, _ = signed_ranks_both_ways(d, alternative)
    return plus, p


def signed_ranks_both_ways(d: Array, alternative: str = "two-sided") -> tuple[Array, Array, Array, Array]:
    """Return W+ of each row of differences and of its negative, then their p-values; ranks are taken once."""
    present = (~np.isnan(d)).sum(axis=1)
    n, plus, ties = _sum_ranks(d)
    minus = n * (n + 1) / 2 - plus
    untied = (ties == 0) & (present == n)
    p, back = _normal(plus, n, ties, alternative), _normal(minus, n, ties, alternative)
    few = (present <= np.where(untied, EXACT, EXACT_TIED)) & (n > 0)
    ranks = dict(zip(np.flatnonzero(few & ~untied).tolist(), _doubled_midranks(d[few & ~untied]), strict=True))
    for row in np.flatnonzero(few).tolist():
        doubled = ranks[row] if row in ranks else _doubled_ranks(int(n[row]))
        p[row] = _exact(round(2 * float(plus[row])), doubled, alternative)
        back[row] = _exact(round(2 * float(minus[row])), doubled, alternative)
    some = present > 0
    undefined = np.where(n > 0, np.nan, 1.0)  # only zeros: p = 1
    p, back = (np.where(n > 0, value, undefined) for value in (p, back))
    plus, minus, p, back = (np.where(some, value, np.nan) for value in (plus, minus, p, back))
    return plus, minus, p, back


def _sum_ranks(d: Array) -> tuple[Array, Array, Array]:
    """Return, for each row, how many differences are not 0, the ranks of the positive ones summed, and sum t^3 - t.

    Sizes are sorted as integers with the sign in the last bit: sorting numbers alone is several times faster than
    finding their order. The bits of positive floats are ordered as the floats are.
    """
    rows, columns = d.shape
    used = ~np.isnan(d) & (d != 0)
    keys = (np.abs(d).view(np.uint64) << np.uint64(1)) | (d > 0)
    keys[~used] = _LAST
    keys.sort(axis=1)
    sizes = keys >> np.uint64(1)
    first = np.ones((rows, columns), dtype=bool)
    np.not_equal(sizes[:, 1:], sizes[:, :-1], out=first[:, 1:])
    start = np.flatnonzero(first)  # of each group of ties
    if not len(start):
        return np.zeros(rows), np.zeros(rows), np.zeros(rows)
    tied = np.diff(start, append=rows * columns).astype(np.float64)
    positive = np.add.reduceat((keys & np.uint64(1)).ravel().astype(np.float64), start)
    row, place = np.divmod(start, columns)
    there = keys.ravel()[start] != _LAST
    rank = place + (tied + 1) / 2
    sums = (tied, positive * rank, tied**3 - tied)
    n, plus, ties = (np.bincount(row, np.where(there, value, 0.0), rows).astype(np.float64) for value in sums)
    return n, plus, ties


def _doubled_midranks(d: Array) -> list[tuple[int, ...]]:
    """Return, for each row, the doubled midranks of the differences that are not 0, in order."""
    used = ~np.isnan(d) & (d != 0)
    doubled = np.where(used, 2 * midranks(np.where(used, np.abs(d), np.inf)), np.inf)
    doubled.sort(axis=1)
    rows = zip(doubled.tolist(), used.sum(axis=1).tolist(), strict=True)
    return [tuple(map(int, row[:n])) for row, n in rows]


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
