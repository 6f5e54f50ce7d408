"""Sums of floats without rounding: the same bits whatever the order of the values and the parts they come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _core

if TYPE_CHECKING:
    from ..data.scores import Floats

_LOWEST = 1074  # the smallest float is 2**-1074: every float is a whole number of these


class ExactSums:
    """A sum in each of some cells, kept as a whole number of 2**-1074, so that adding never rounds.

    >>> sums = ExactSums(1)
    >>> sums.add(np.array([0, 0, 0]), np.array([1e16, 1.0, -1e16]))
    >>> sums.totals().tolist()
    [1.0]
    """

    def __init__(self, cells: int = 0) -> None:
        self._core = _core.ExactSums()
        self._core.grow(cells)

    def __len__(self) -> int:
        return len(self._core)

    def grow(self, cells: int) -> None:
        """Make room for this many cells; new ones are 0."""
        self._core.grow(cells)

    def add(self, cells: NDArray[np.int64], values: Floats) -> None:
        """Add each value to its cell."""
        self._core.add(cells, np.ascontiguousarray(values))

    def merge(self, other: ExactSums, cells: Sequence[int]) -> None:
        """Add the sums of another; its cell i is cells[i] here."""
        for cell, total, infinite in zip(cells, other._wholes(), other._infinite(), strict=True):
            self._core.add_infinite(cell, infinite)
            self._add_whole(cell, total)

    def totals(self) -> Floats:
        """Return the sums as floats, each rounded once."""
        return self.means(np.ones(len(self), dtype=np.int64))

    def means(self, counts: NDArray[np.int64]) -> Floats:
        """Return each sum divided by its count, rounded once; NaN where the count is 0."""
        cells = zip(self._wholes(), self._infinite(), counts.tolist(), strict=True)
        means = [infinite if infinite else _divide(total, n) for total, infinite, n in cells]
        return np.array(means, dtype=np.float64)

    def to_text(self) -> list[str]:
        """Write the sums as text that loses nothing."""
        cells = zip(self._wholes(), self._infinite(), strict=True)
        return [repr(infinite) if infinite else f"{total:x}" for total, infinite in cells]

    @classmethod
    def from_text(cls, texts: Sequence[str]) -> ExactSums:
        """Read what `to_text` wrote."""
        sums = cls(len(texts))
        for cell, text in enumerate(texts):
            if text in ("inf", "-inf", "nan"):
                sums._core.add_infinite(cell, float(text))
            else:
                sums._add_whole(cell, int(text, 16))
        return sums

    def _wholes(self) -> list[int]:
        return [int.from_bytes(self._core.whole(cell), "little", signed=True) for cell in range(len(self))]

    def _infinite(self) -> list[float]:
        return [self._core.infinite(cell) for cell in range(len(self))]

    def _add_whole(self, cell: int, total: int) -> None:
        digits = abs(total).to_bytes((total.bit_length() + 7) // 8, "little")
        self._core.add_whole(cell, digits, total < 0)


def _divide(total: int, n: int) -> float:
    if n == 0:
        return float("nan")
    try:
        return total / (n << _LOWEST)  # of whole numbers: rounded once
    except OverflowError:
        return float("inf") if total > 0 else float("-inf")
