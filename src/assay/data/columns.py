"""Where the items of a set lie: one by one, or as columns of texts from which items are made when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, overload

import numpy as np

from .item import Item, Reference, pause_garbage_collection

if TYPE_CHECKING:
    from .._core import TextColumn

TextList: TypeAlias = "list[str] | TextColumn"


class UniqueNames(tuple[str, ...]):
    """Names of which it is known that no two are equal, so that it need not be checked again."""

    __slots__ = ()


@dataclass(frozen=True)
class ItemColumns(Sequence[Item]):
    """Items with their texts in columns: all have an output of each system, no judgments, and references without ids.

    `outputs` has those of the first item in the order of `systems`, then those of the second; the references of item i
    are those from `reference_ends[i]` to before `reference_ends[i + 1]`. `build` makes the items at some places.
    With `unique`, no other item of the file has one of these ids: its reader has looked.
    """

    ids: TextList
    systems: tuple[str, ...]
    outputs: TextList
    references: TextList
    reference_ends: Any  # a list or an array of whole numbers
    build: Callable[[Iterable[int]], Iterable[Item]]
    unique: bool = False
    clusters: TextList | None = None  # of each item, or None where no item has one; items here have no runs

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        if isinstance(place, slice):
            return list(self.build(range(*place.indices(len(self)))))
        return next(iter(self.build([range(len(self))[place]])))

    def __iter__(self) -> Iterator[Item]:
        return iter(self.build(range(len(self))))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items themselves, made once."""
        with pause_garbage_collection():
            return tuple(self)

    def name_clusters(self) -> tuple[str, ...] | None:
        """Return the cluster of each item, or None where each item is its own."""
        return None if self.clusters is None else tuple(self.clusters)

    def list_texts(self) -> tuple[TextList, TextList, Any, Any]:
        """Return all outputs and references in item order, and where those of each item end."""
        return self.outputs, self.references, np.arange(len(self) + 1) * len(self.systems), self.reference_ends

    # What items one by one may have and columns never do.
    runs: ClassVar[None] = None
    authors: ClassVar[frozenset[str]] = frozenset()
    has_alternatives: ClassVar[bool] = False
    has_reference_ids: ClassVar[bool] = False


@dataclass(frozen=True, eq=False)
class ItemRows:
    """Items one by one, as most files give them."""

    items: tuple[Item, ...]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def ids(self) -> list[str]:
        """The id of each item."""
        return [item.id for item in self.items]

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """System names in the order they first appear."""
        return tuple(dict.fromkeys(chain.from_iterable(item.outputs for item in self.items)))

    @cached_property
    def authors(self) -> frozenset[str]:
        """The ids of references under which an output of the same item stands: people who are scored, too."""
        return frozenset(r.id for item in self.items for r in item.references if r.id and r.id in item.outputs)

    @cached_property
    def runs(self) -> tuple[str | None, ...] | None:
        """The run of each item; None where no item has one."""
        runs = tuple(item.run for item in self.items)
        return runs if any(run is not None for run in runs) else None

    def name_clusters(self) -> tuple[str, ...] | None:
        """Return the cluster of each item, or None where each item is its own."""
        clusters = [item.cluster for item in self.items]
        if self.runs is None and not any(cluster is not None for cluster in clusters):
            return None
        from .facets import name_clusters

        return name_clusters(self.ids, clusters, self.runs)

    def list_texts(self) -> tuple[TextList, TextList, Any, Any]:
        """Return all outputs and references in item order, and where those of each item end."""
        outputs = list(chain.from_iterable([item.outputs.values() for item in self.items]))
        references = list(map(itemgetter(0), self._references()))
        output_ends = list(accumulate([len(item.outputs) for item in self.items], initial=0))
        reference_ends = list(accumulate([len(item.references) for item in self.items], initial=0))
        return outputs, references, output_ends, reference_ends

    @cached_property
    def has_alternatives(self) -> bool:
        """Whether some reference stands for several texts."""
        return any(map(itemgetter(2), self._references()))

    @cached_property
    def has_reference_ids(self) -> bool:
        """Whether some reference says who wrote it, or what it was made from."""
        return any(map(itemgetter(1), self._references()))

    def _references(self) -> Iterator[Reference]:
        return chain.from_iterable([item.references for item in self.items])
