"""Solver: integer programs over numpy arrays, solved by HiGHS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

Floats = NDArray[np.float64]
INFINITY = float("inf")


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
        """One row: low <= sum of values * columns <= high."""
        self._columns.append(np.asarray(columns, dtype=np.int32))
        self._values.append(np.asarray(values, dtype=np.float64))
        self._starts.append(self._starts[-1] + len(self._columns[-1]))
        self._low.append(low)
        self._high.append(high)

    def solve(self, seconds: float) -> Solution:
        """The best there is, or the best found in the time."""
        try:
            import highspy
        except ImportError:
            raise InputError("integer programs need HiGHS: pip install highspy") from None
        solver = _solver()
        solver.setOptionValue("time_limit", float(seconds))
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.gain), len(self._low)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = self.gain, self.low, self.high
        lp.row_lower_, lp.row_upper_ = np.array(self._low), np.array(self._high)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(self._starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.concatenate(self._columns)
        lp.a_matrix_.value_ = np.concatenate(self._values)
        continuous = [highspy.HighsVarType.kContinuous] * (len(self.gain) - self.whole)
        lp.integrality_ = [highspy.HighsVarType.kInteger] * self.whole + continuous
        lp.sense_ = highspy.ObjSense.kMaximize
        solver.passModel(lp)
        solver.run()
        status = solver.getModelStatus()
        optimal = status == highspy.HighsModelStatus.kOptimal
        found = optimal or solver.getInfo().primal_solution_status == 2  # feasible, though not proved best
        values = np.array(solver.getSolution().col_value) if found else None
        value = float(solver.getInfo().objective_function_value) if found else float("nan")
        solver.clearModel()
        return Solution(values, value, optimal)


@dataclass(frozen=True)
class Solution:
    """The columns' values, None if nothing obeys all rows (or was found in time); the sum; whether it is the best."""

    values: Floats | None
    value: float
    optimal: bool


def _solver() -> Any:
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in {"output_flag": False, "threads": 1, "mip_rel_gap": 1e-7, "random_seed": 0}.items():
        solver.setOptionValue(option, value)
    return solver
