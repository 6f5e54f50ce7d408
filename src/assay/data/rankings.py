"""Rankings: the order in which raters put the outputs for an item, for one dimension."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ..errors import InputError
from .ratings import Floats


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings x systems: lower is better, equal numbers are ties, NaN is not ranked; `items` and `raters` are by row.

    `clusters` are by row what its item was drawn with; empty where each item is its own cluster. `judges` is the kind
    of the raters, or mixed.

    >>> r = Rankings(np.array([[1, 2, np.nan], [1, 1, 3]]), ("A", "B", "C"), ("1", "1"), ("ann", "bob"), "rank")
    >>> r.complete, r.tied
    (1, 1)
    """

    values: Floats
    systems: tuple[str, ...]
    items: tuple[str, ...]
    raters: tuple[str, ...]
    dimension: str
    clusters: tuple[str, ...] = ()
    judges: str = "human"

    def __post_init__(self) -> None:
        shape = (len(self.items), len(self.systems))
        labels = (self.raters, *([self.clusters] if self.clusters else []))
        if self.values.shape != shape or any(len(own) != len(self.items) for own in labels):
            raise InputError(
                f"rankings of {self.dimension!r} must be rankings x systems, {shape}; got {self.values.shape}"
            )

    @property
    def units(self) -> tuple[str, ...]:
        """What was drawn, by row: the cluster of its item, or the item itself."""
        return self.clusters or self.items

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
        return self._take([row for row, item in enumerate(self.items) if item in wanted])

    def _take(self, rows: list[int]) -> Rankings:
        items, raters, clusters = (
            tuple(own[row] for row in rows) if own else () for own in (self.items, self.raters, self.clusters)
        )
        return Rankings(self.values[rows], self.systems, items, raters, self.dimension, clusters, self.judges)

    def select(self, systems: Collection[str]) -> Rankings:
        """Return the rankings of these systems only; a ranking of fewer than two of them says nothing and is left out.

        A system that is in no ranking is left out as well.
        """
        columns = [i for i, name in enumerate(self.systems) if name in systems]
        values = self.values[:, columns]
        rows = np.flatnonzero((~np.isnan(values)).sum(axis=1) > 1).tolist()
        there: list[bool] = np.asarray((~np.isnan(values[rows])).any(axis=0)).tolist()
        names = tuple(self.systems[i] for i, some in zip(columns, there, strict=True) if some)
        return replace(self._take(rows), values=values[rows][:, there], systems=names)

    def __repr__(self) -> str:
        return f"Rankings({self.dimension!r}, {len(self.items)} rankings of {len(self.systems)} systems)"
