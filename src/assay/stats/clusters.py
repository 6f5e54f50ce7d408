"""Rank metrics (or systems) in clusters that significance tests cannot tell apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Ints, floats, fraction, warn_undefined


def rank_clusters(values: ArrayLike, pvalues: ArrayLike, *, alpha: float = 0.05) -> Ints:
    """Return ranks from 1: walk down the values; a value worse than one of the current rank starts a new rank.

    pvalues[a, b] is the one-sided p-value that a is better than b, and "worse" is p <= alpha against some member of the
    current cluster. A NaN p-value is not significant. A NaN value has rank -1, with an UndefinedWarning.

    >>> p = np.ones((3, 3))
    >>> p[0, 2] = p[1, 2] = .01
    >>> rank_clusters([.9, .8, .5], p)
    array([1, 1, 2])
    """
    v, p = floats(values, "values", ndim=1), floats(pvalues, "pvalues", ndim=2)
    if p.shape != (len(v), len(v)):
        raise InputError(f"pvalues must be {len(v)} x {len(v)}, one row and column per value, got {p.shape}")
    fraction(alpha, "alpha")
    ranks = np.full(len(v), -1, dtype=np.int64)
    if np.isnan(v).any():
        warn_undefined(f"rank of {int(np.isnan(v).sum())} of {len(v)} values, which are NaN")
    cluster: list[int] = []
    rank = 1
    for i in np.argsort(-v, kind="stable")[: int((~np.isnan(v)).sum())]:
        if any(p[member, i] <= alpha for member in cluster):
            rank, cluster = rank + 1, []
        cluster.append(int(i))
        ranks[i] = rank
    return ranks
