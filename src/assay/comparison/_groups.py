"""Group systems that tests do not tell apart, from the p-values of all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from .. import stats
from ..data.scores import Floats


def square_matrix(upper: Floats, count: int) -> Floats:
    """Return a symmetric matrix from the entries above its diagonal, row by row; NaN on the diagonal.

    >>> square_matrix(np.array([1.0, 2.0, 3.0]), 3)[2].tolist()
    [2.0, 3.0, nan]
    """
    square = np.full((count, count), nan)
    first, second = np.triu_indices(count, 1)
    square[first, second] = square[second, first] = upper
    return square


def adjust_row(pvalues: Floats, others: Sequence[int], alpha: float) -> Floats:
    """Adjust the p-values of one system against these others by Holm's method; NaN elsewhere."""
    adjusted = np.full(len(pvalues), nan)
    adjusted[others] = stats.holm(pvalues[others], alpha=alpha).pvalues
    return adjusted


def group_systems(
    names: Sequence[str], order: Sequence[int], adjusted: Floats, alpha: float
) -> tuple[tuple[str, ...], ...]:
    """Group systems from the top; adjusted[a, b] is the p-value where the test favours a, NaN where it favours b.

    `order` holds the systems to group from best to worst.

    >>> p = np.array([[np.nan, 0.2, 0.01], [np.nan, np.nan, 0.03], [np.nan] * 3])
    >>> group_systems("ABC", [0, 1, 2], p, 0.05)
    (('A', 'B'), ('C',))
    """
    falling = np.arange(len(order), 0, -1.0)  # the order is settled: ties by name
    p = adjusted[np.ix_(order, order)] if len(order) else np.empty((0, 0))
    ranks = stats.rank_clusters(falling, p, alpha=alpha)
    return tuple(
        tuple(names[i] for i, rank in zip(order, ranks, strict=True) if rank == r)
        for r in range(1, max(ranks, default=0) + 1)
    )
