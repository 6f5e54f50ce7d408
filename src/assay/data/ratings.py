"""Ratings: the scores that each rater gave each output, for one dimension."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UnknownName

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


SMALLEST, LARGEST = 1e-75, 1e75  # with fourth powers that are still floats


def check_magnitudes(values: Floats, dimension: str) -> None:
    """Raise if a rating is so large, or so near to 0, that its variance is not a float. NaN is a missing rating."""
    sizes = np.abs(values)
    wrong = (sizes > LARGEST) | ((sizes > 0) & (sizes < SMALLEST))
    if wrong.any():
        raise InputError(
            f"ratings of {dimension!r} must be 0 or between {SMALLEST:g} and {LARGEST:g} in size; "
            f"got {float(values[wrong][0])!r}; scale them, or leave out what is not a rating"
        )


def join_kinds(kinds: Collection[str]) -> str:
    """Return the kind that all have, mixed if they have several; whoever has none stated is a person.

    >>> join_kinds(("llm", "llm")), join_kinds(("human", "llm")), join_kinds(())
    ('llm', 'mixed', 'human')
    """
    names = set(kinds) or {"human"}
    return names.pop() if len(names) == 1 else "mixed"


@dataclass(frozen=True, eq=False)
class Ratings:
    """Raters x outputs, NaN where a rater did not judge an output; `systems`, `items` and `texts` are by output.

    `kinds` are by rater: human, llm or metric; empty where all are people. `clusters` are by output: what its item was
    drawn with; empty where each item is its own cluster.

    >>> r = Ratings(np.array([[1.0, 2.0], [1.0, np.nan]]), ("ann", "bob"), ("A", "B"), ("1", "1"), "meaning")
    >>> r.row("bob").tolist(), r.counts().tolist()
    ([1.0, nan], [2, 1])
    """

    values: Floats
    raters: tuple[str, ...]
    systems: tuple[str, ...]
    items: tuple[str, ...]
    dimension: str
    texts: tuple[str, ...] = ()
    higher_is_better: bool = True
    kinds: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.raters), len(self.systems))
        if self.values.shape != shape:
            raise InputError(
                f"ratings of {self.dimension!r} must be raters x outputs, {shape}; got {self.values.shape}"
            )
        labels = (self.items, *(own for own in (self.texts, self.clusters) if own))
        if any(len(own) != shape[1] for own in labels):
            raise InputError(f"ratings of {self.dimension!r} need one item (and text, and cluster) per output")
        if self.kinds and len(self.kinds) != shape[0]:
            raise InputError(f"ratings of {self.dimension!r} need one kind per rater; got {len(self.kinds)}")
        check_magnitudes(self.values, self.dimension)

    def row(self, rater: str) -> Floats:
        """Return the ratings of one rater."""
        if rater not in self.raters:
            raise UnknownName("rater", rater, self.raters)
        row: Floats = self.values[self.raters.index(rater)]
        return row

    @property
    def people(self) -> tuple[str, ...]:
        """The raters that are people."""
        if not self.kinds:
            return self.raters
        return tuple(rater for rater, kind in zip(self.raters, self.kinds, strict=True) if kind == "human")

    @property
    def judges(self) -> str:
        """The kind of the raters: human, llm or metric, or mixed."""
        return join_kinds(self.kinds)

    @property
    def units(self) -> tuple[str, ...]:
        """What was drawn, by output: the cluster of its item, or the item itself."""
        return self.clusters or self.items

    @property
    def are_positions(self) -> bool:
        """Raters look like positions on a line (rater1, rater2, ...), as in MSR's file, and not like people.

        Then every output is rated by the first few of them, and not always by equally many.
        """
        rated = ~np.isnan(self.values)
        prefix = (rated[1:] <= rated[:-1]).all()
        numbered = all(name.endswith(str(i)) for i, name in enumerate(self.raters, 1))
        return bool(len(rated) > 1 and numbered and prefix and not rated.all())

    def flatten(self) -> tuple[Floats, Codes, Codes, Codes]:
        """Return every rating with the numbers of its system, item and rater, which are in the order of their names."""
        rater, output = np.nonzero(~np.isnan(self.values))
        system = np.unique(np.asarray(self.systems), return_inverse=True)[1][output]
        item = np.unique(np.asarray(self.items), return_inverse=True)[1][output]
        return self.values[rater, output], system, item, rater

    def select(self, systems: Collection[str], items: Collection[str]) -> Ratings:
        """Return the ratings of the outputs of these systems for these items; raters who gave none are left out."""
        wanted_systems, wanted_items = set(systems), set(items)
        everybody = bool((~np.isnan(self.values)).any(axis=1).all())
        if everybody and wanted_systems.issuperset(self.systems) and wanted_items.issuperset(self.items):
            return self
        keep = [
            place
            for place, (system, item) in enumerate(zip(self.systems, self.items, strict=True))
            if system in wanted_systems and item in wanted_items
        ]
        values = self.values[:, keep]
        rows = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
        return Ratings(
            values[rows],
            tuple(self.raters[r] for r in rows),
            tuple(self.systems[k] for k in keep),
            tuple(self.items[k] for k in keep),
            self.dimension,
            tuple(self.texts[k] for k in keep) if self.texts else (),
            self.higher_is_better,
            tuple(self.kinds[r] for r in rows) if self.kinds else (),
            tuple(self.clusters[k] for k in keep) if self.clusters else (),
        )

    def orient_values(self) -> Floats:
        """Return the ratings, negated where lower is better."""
        return self.values if self.higher_is_better else -self.values

    def counts(self) -> NDArray[np.int64]:
        """Count the outputs that each rater judged."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1), dtype=np.int64)

    def without(self, *raters: str) -> Ratings:
        """Leave out these raters; outputs that no one else judged stay, as NaN."""
        for rater in raters:
            self.row(rater)
        keep = [i for i, name in enumerate(self.raters) if name not in raters]
        return Ratings(
            self.values[keep],
            tuple(self.raters[i] for i in keep),
            self.systems,
            self.items,
            self.dimension,
            self.texts,
            self.higher_is_better,
            tuple(self.kinds[i] for i in keep) if self.kinds else (),
            self.clusters,
        )

    def __repr__(self) -> str:
        return f"Ratings({self.dimension!r}, {len(self.raters)} raters x {len(self.systems)} outputs)"
