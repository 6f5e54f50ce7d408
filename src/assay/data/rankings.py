"""Rankings: the order in which raters put the outputs for an item, for one dimension."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .ratings import Floats


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings x systems: lower is better, equal numbers are ties, NaN is not ranked; `items` and `raters` are by row.

    >>> r = Rankings(np.array([[1, 2, np.nan], [1, 1, 3]]), ("A", "B", "C"), ("1", "1"), ("ann", "bob"), "rank")
    >>> r.complete, r.tied
    (1, 1)
    """

    values: Floats
    systems: tuple[str, ...]
    items: tuple[str, ...]
    raters: tuple[str, ...]
    dimension: str

    def __post_init__(self) -> None:
        shape = (len(self.items), len(self.systems))
        if self.values.shape != shape or len(self.raters) != len(self.items):
            raise InputError(
                f"rankings of {self.dimension!r} must be rankings x systems, {shape}; got {self.values.shape}"
            )

    @property
    def complete(self) -> int:
        """How many rankings hold every system."""
        return int((~np.isnan(self.values)).all(axis=1).sum())

    @property
    def tied(self) -> int:
        """How many rankings hold a tie."""
        ordered = np.sort(self.values, axis=1)  # NaN come last and equal nothing
        return int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())

    def of_items(self, items: Collection[str]) -> Rankings:
        """Return the rankings of these items only."""
        wanted = set(items)
        rows = [row for row, item in enumerate(self.items) if item in wanted]
        raters = tuple(self.raters[row] for row in rows)
        return Rankings(self.values[rows], self.systems, tuple(self.items[row] for row in rows), raters, self.dimension)

    def select(self, systems: Collection[str]) -> Rankings:
        """Return the rankings of these systems only; a ranking of fewer than two of them says nothing and is left out.

        A system that is in no ranking is left out as well.
        """
        columns = [i for i, name in enumerate(self.systems) if name in systems]
        values = self.values[:, columns]
        rows = np.flatnonzero((~np.isnan(values)).sum(axis=1) > 1).tolist()
        there: list[bool] = np.asarray((~np.isnan(values[rows])).any(axis=0)).tolist()
        return Rankings(
            values[rows][:, there],
            tuple(self.systems[i] for i, some in zip(columns, there, strict=True) if some),
            tuple(self.items[r] for r in rows),
            tuple(self.raters[r] for r in rows),
            self.dimension,
        )

    def __repr__(self) -> str:
        return f"Rankings({self.dimension!r}, {len(self.items)} rankings of {len(self.systems)} systems)"
