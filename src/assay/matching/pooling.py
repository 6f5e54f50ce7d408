"""From counts to scores: a measure for each pair of output and reference, and one value from several references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .bags import Counts, Layout

if TYPE_CHECKING:
    from .batch import Batch

Floats = NDArray[np.float64]

# The order is that of the core's enumerations.
MEASURES = ("precision", "recall", "f", "precision-brevity")
POOLINGS = ("single", "max", "all", "prob", "sum", "mean", "best", "best-recall", "jackknife", "jackknife-max")


def pool_counts(
    counts: Counts, layout: Layout, *, measure: str, refs: str, beta: float = 1.0, digits: int = -1, power: float = 1.0
) -> Floats:
    """Return one score per output; NaN where it meets no reference.

    digits: round precision and recall to this number of decimals before F is taken (-1: do not). power: the exponent
    that ratios are taken back by, as in ROUGE-W.
    """
    return _core.pool(counts, layout, MEASURES.index(measure), POOLINGS.index(refs), beta, digits, power)


def pool_table(table: Floats, refs: str) -> Floats:
    """Pool output x reference, NaN where the two do not meet: the first value, the highest (max) or the mean.

    >>> pool_table(np.array([[0.5, 1.0], [np.nan, 0.25], [np.nan, np.nan]]), "mean").tolist()
    [0.75, 0.25, nan]
    """
    if not table.shape[1]:
        return np.full(len(table), np.nan)
    met = ~np.isnan(table)
    if refs == "single":
        values = table[np.arange(len(table)), met.argmax(axis=1)]
    elif refs == "max":
        values = np.where(met, table, -np.inf).max(axis=1)
    else:
        total = np.zeros(len(table))
        for column in np.where(met, table, 0.0).T:
            total += column
        values = total / np.maximum(met.sum(axis=1), 1)
    return np.where(met.any(axis=1), values, np.nan)


def without_own(table: Floats, batch: Batch) -> Floats:
    """Return output x reference of its item with NaN where the reference is the output's own text."""
    return np.where(np.arange(table.shape[1]) == batch.own[:, None], np.nan, table)


def closest_lengths(counts: Counts, layout: Layout, *, first: bool = False) -> Floats:
    """Return the length of the reference nearest in length to each output, or of the first; NaN without references."""
    return _core.closest_length(counts, layout, first)


def first_matches(counts: Counts, layout: Layout) -> Floats:
    """Return the matches of each output with its first reference."""
    return _core.first_match(counts, layout)
