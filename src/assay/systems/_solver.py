"""Solver: integer programs over numpy arrays, solved by HiGHS, which SciPy carries.

HiGHS's own package took the same time on 60 sentences of the ILP compressor, so that it is not worth a dependency.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
INFINITY = float("inf")


@contextmanager
def _without_prints() -> Iterator[None]:
    """Discard what HiGHS prints: some builds leave a line of debugging on standard output, which is for texts."""
    try:
        flush = ctypes.CDLL(None).fflush  # C's own buffer, written long after the solver is done
        saved, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    except (OSError, AttributeError, TypeError):  # no standard output, or no such library
        yield
        return
    flush(None)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        flush(None)
        os.dup2(saved, 1)
        os.close(saved)
        os.close(nowhere)


@dataclass
class Program:
    """Maximize gain @ x with low <= x <= high, the first `whole` columns whole numbers, under rows added one by one."""

    gain: Floats
    whole: int
    low: Floats
    high: Floats
    _starts: list[int] = field(default_factory=lambda: [0])
    _columns: list[NDArray[np.int32]] = field(default_factory=list)
    _values: list[Floats] = field(default_factory=list)
    _low: list[float] = field(default_factory=list)
    _high: list[float] = field(default_factory=list)

    def add(
        self, columns: Sequence[int] | NDArray[np.integer], values: Sequence[float] | Floats, low: float, high: float
    ) -> None:
        """Add a row: low <= sum of values * columns <= high."""
        self._columns.append(np.asarray(columns, dtype=np.int32))
        self._values.append(np.asarray(values, dtype=np.float64))
        self._starts.append(self._starts[-1] + len(self._columns[-1]))
        self._low.append(low)
        self._high.append(high)

    def solve(self, seconds: float) -> Solution:
        """Find the optimum, or the best solution within the time."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        shape = len(self._low), len(self.gain)
        parts = np.concatenate(self._values), np.concatenate(self._columns), np.array(self._starts, dtype=np.int32)
        with _without_prints():
            result = milp(
                -self.gain,  # it minimizes
                integrality=np.arange(len(self.gain)) < self.whole,
                bounds=Bounds(self.low, self.high),
                constraints=LinearConstraint(csr_array(parts, shape=shape), self._low, self._high),
                options={"time_limit": float(seconds), "mip_rel_gap": 1e-7},
            )
        if result.x is None:
            return Solution(None, float("nan"), False)
        return Solution(result.x, -float(result.fun), bool(result.status == 0))


@dataclass(frozen=True)
class Solution:
    """The columns' values, None if nothing obeys all rows (or was found in time); the sum; whether it is the best."""

    values: Floats | None
    value: float
    optimal: bool
