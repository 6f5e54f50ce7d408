"""Intervals by leaving out one drawn unit (an item, or a cluster of items) after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .checks import Array

MAX_GROUPS = 400  # more units are left out several at a time, so that the work stays bounded


def group_units(units: Sequence[object] | None, rows: int) -> NDArray[np.int64]:
    """Return the number of the unit of each row; without units each row is its own.

    >>> group_units(["a", "b", "a"], 3), group_units(None, 3)
    (array([0, 1, 0]), array([0, 1, 2]))
    """
    if units is not None and len(units) != rows:
        raise InputError(f"units must be one per row of ratings, {rows}; got {len(units)}")
    places: dict[object, int] = {}
    codes = [places.setdefault(unit, len(places)) for unit in (range(rows) if units is None else units)]
    return np.asarray(codes, dtype=np.int64) % MAX_GROUPS


def jackknife_limits(value: float, without: Array, confidence: float) -> tuple[float, float]:
    """Return value +- t se from the values without each unit, t of one degree of freedom less than units; at most 1.

    NaN with fewer than two units, a value without one of them that is undefined, or no spread among them.

    >>> [round(limit, 3) for limit in jackknife_limits(0.5, np.array([0.4, 0.5, 0.6]), 0.95)]
    [0.003, 0.997]
    """
    from scipy.special import stdtrit

    n = len(without)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()) if n > 1 else np.nan
    if not error > 0:
        return float("nan"), float("nan")
    half = float(stdtrit(n - 1, (1 + confidence) / 2) * error)
    return value - half, min(value + half, 1.0)
