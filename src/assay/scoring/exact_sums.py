"""Sums of floats without rounding: the same bits whatever the order of the values and the parts they come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.scores import Floats

_LOWEST = 1074  # the smallest float is 2**-1074: every float is a whole number of these
_MANTISSA = 53
_HALF = 27  # bits of the lower half of a mantissa: sums of 2**26 halves are still exact as floats
_MOST = 1 << 26
_SMALL = 1 << 26  # whole numbers below this, at most _MOST of them, add up exactly as floats
_LEVELS = 64  # exponents that are added in one pass


class ExactSums:
    """A sum in each of some cells, kept as a whole number of 2**-1074, so that adding never rounds.

    >>> sums = ExactSums(1)
    >>> sums.add(np.array([0, 0, 0]), np.array([1e16, 1.0, -1e16]))
    >>> sums.totals().tolist()
    [1.0]
    """

    def __init__(self, cells: int = 0) -> None:
        self._sums = [0] * cells
        self._infinite: dict[int, float] = {}  # sums of infinities, which no whole number holds

    def __len__(self) -> int:
        return len(self._sums)

    def grow(self, cells: int) -> None:
        """Make room for this many cells; new ones are 0."""
        self._sums += [0] * (cells - len(self._sums))

    def add(self, cells: NDArray[np.int64], values: Floats) -> None:
        """Add each value to its cell."""
        for start in range(0, len(values), _MOST):
            self._add(cells[start : start + _MOST], values[start : start + _MOST])

    def merge(self, other: ExactSums, cells: Sequence[int]) -> None:
        """Add the sums of another, whose cell i is cells[i] here."""
        for cell, total in zip(cells, other._sums, strict=True):
            self._sums[cell] += total
        for cell, value in other._infinite.items():
            self._infinite[cells[cell]] = self._infinite.get(cells[cell], 0.0) + value

    def totals(self) -> Floats:
        """Return the sums as floats, each rounded once."""
        return self.means(np.ones(len(self._sums), dtype=np.int64))

    def means(self, counts: NDArray[np.int64]) -> Floats:
        """Return each sum divided by its count, rounded once; NaN where the count is 0."""
        means = [_divide(total, int(n)) for total, n in zip(self._sums, counts, strict=True)]
        for cell, value in self._infinite.items():
            means[cell] = value
        return np.array(means, dtype=np.float64)

    def to_text(self) -> list[str]:
        """Write the sums as text that loses nothing."""
        return [
            repr(self._infinite[cell]) if cell in self._infinite else f"{total:x}"
            for cell, total in enumerate(self._sums)
        ]

    @classmethod
    def from_text(cls, texts: Sequence[str]) -> ExactSums:
        """Read what `to_text` wrote."""
        sums = cls(len(texts))
        for cell, text in enumerate(texts):
            if text in ("inf", "-inf", "nan"):
                sums._infinite[cell] = float(text)
            else:
                sums._sums[cell] = int(text, 16)
        return sums

    def _add(self, cells: NDArray[np.int64], values: Floats) -> None:
        finite = np.isfinite(values)
        if not finite.all():
            for cell, value in zip(cells[~finite].tolist(), values[~finite].tolist(), strict=True):
                self._infinite[cell] = self._infinite.get(cell, 0.0) + value
            cells, values = cells[finite], values[finite]
        if not len(values):
            return
        if np.abs(values).max() < _SMALL and np.array_equal(np.rint(values), values):
            self._shift(np.bincount(cells, values, minlength=len(self._sums)), 0)
            return
        fractions, exponents = np.frexp(values)
        mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64)
        lowest = int(exponents.min())
        for level in range(lowest, int(exponents.max()) + 1, _LEVELS):
            among = (exponents >= level) & (exponents < level + _LEVELS)
            if among.any():
                self._add_levels(cells[among], mantissas[among], exponents[among] - level, level - _MANTISSA)

    def _add_levels(
        self, cells: NDArray[np.int64], mantissas: NDArray[np.int64], levels: NDArray[np.int32], exponent: int
    ) -> None:
        """Add mantissas times 2**(exponent + level), for levels below _LEVELS."""
        place = levels * np.int64(len(self._sums)) + cells
        size = len(self._sums) * (int(levels.max()) + 1)
        upper = np.bincount(place, mantissas >> _HALF, minlength=size)
        lower = np.bincount(place, mantissas & ((1 << _HALF) - 1), minlength=size)
        for level in range(size // len(self._sums)):
            row = slice(level * len(self._sums), (level + 1) * len(self._sums))
            self._shift(upper[row], exponent + level + _HALF)
            self._shift(lower[row], exponent + level)

    def _shift(self, totals: NDArray[Any], exponent: int) -> None:
        """Add whole numbers times 2**exponent, one per cell."""
        shift = exponent + _LOWEST
        for cell in np.flatnonzero(totals).tolist():
            total = int(totals[cell])
            self._sums[cell] += total << shift if shift >= 0 else total >> -shift


def _divide(total: int, n: int) -> float:
    if n == 0:
        return float("nan")
    try:
        return total / (n << _LOWEST)  # of whole numbers: rounded once
    except OverflowError:
        return float("inf") if total > 0 else float("-inf")
