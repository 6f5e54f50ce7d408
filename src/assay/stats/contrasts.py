"""Compare systems by their scores on items, whichever of them share items: one procedure for every design.

Complete scores are compared pair by pair within clusters (`paired_contrasts`), others by all their data
(`partial_contrasts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, Bools, Ints, floats
from .differences import system_pairs

MIN_COMMON = 15  # items that two systems share, from which on means are adjusted for the items


@dataclass(frozen=True)
class Contrasts:
    """Entry [i, k] compares system i with system k: `difference` is the mean of i less that of k.

    `mean_error` is the standard error of each mean. `pvalue` is of the pair alone, `adjusted` and `low` to `high`
    are simultaneous over the family: all pairs, or those with the baseline. `step_down` are Holm's p-values, which
    are smaller and have no intervals. `best`: systems that may be the best (Hsu 1984), where all pairs are
    compared. `method`: paired, swapped (paired, corpora of two systems), all-data or adjusted (for the items that
    systems lack). `smallest` is the smallest p-value that these clusters can give, `pooled_df` how many degrees of
    freedom variances borrow from each other.
    """

    means: Array
    mean_error: Array
    difference: Array
    error: Array
    df: Array
    pvalue: Array
    adjusted: Array
    step_down: Array
    low: Array
    high: Array
    critical: Array
    best: Bools
    method: str
    clusters: int
    smallest: float
    pooled_df: float
    confidence: float
    resamples: int
    seed: int | None


def list_pairs(systems: int, baseline: int | None) -> Ints:
    """Return the family: all pairs of systems, or those with the baseline."""
    pairs = system_pairs(systems)
    return pairs if baseline is None else pairs[(pairs == baseline).any(axis=1)]


def square(systems: int, pairs: Ints, upper: Array, lower: Array | None = None, *, diagonal: float = np.nan) -> Array:
    """Return a matrix from the values of pairs; `lower` are those the other way round, the same if left out."""
    out = np.full((systems, systems), np.nan)
    np.fill_diagonal(out, diagonal)
    i, k = pairs.T
    out[i, k], out[k, i] = upper, upper if lower is None else lower
    return out


def compare_all(values: ArrayLike, clusters: ArrayLike | None = None, **options: Any) -> Contrasts:
    """Compare systems (rows of values, systems x items, NaN where a system lacks an item) by all their data.

    >>> compare_all([[1.0, 2, 3, 4], [1.5, 2.5, 2.5, 5]]).method
    'paired'
    """
    from .partial_contrasts import partial_contrasts
    from .simultaneous import paired_contrasts

    x = floats(values, "values", ndim=2)
    own = partial_contrasts if np.isnan(x).any() else paired_contrasts
    return own(x, clusters, **options)
