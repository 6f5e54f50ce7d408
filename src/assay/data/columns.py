"""Columns: the texts of items side by side, from which the items themselves are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from .item import Item, Reference

if TYPE_CHECKING:
    from .._core import TextColumn

TextList: TypeAlias = "list[str] | TextColumn"


class UniqueNames(tuple[str, ...]):
    """Names of which it is known that no two are equal, so that it need not be checked again."""

    __slots__ = ()


@dataclass(frozen=True)
class ItemColumns(Sequence[Item]):
    """Items whose texts lie in columns: all have an output of each system, no judgments, and references without ids.

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


def list_columns(systems: dict[str, list[Any]], references: list[Any], sources: list[Any]) -> ItemColumns | None:
    """Return texts by position as columns; None where something is missing, no plain text, or has an id.

    >>> columns = list_columns({"A": ["a", "b"]}, [["x", "y"], ["z"]], [])
    >>> columns.references, columns.reference_ends, columns[1].references
    (['x', 'y', 'z'], [0, 2, 3], (Reference(text='z', id=None),))
    """
    kinds = set(map(type, references))
    if kinds <= {list, tuple}:
        texts = list(chain.from_iterable(references))
        ends = list(accumulate(map(len, references), initial=0)) if references else [0] * (_count(systems) + 1)
    elif kinds == {str}:
        texts, ends = list(references), list(range(len(references) + 1))
    else:
        return None
    outputs = list(chain.from_iterable(zip(*systems.values(), strict=True)))
    if not outputs or not all(set(map(type, each)) <= {str} for each in (texts, outputs, sources)):
        return None
    names, width = tuple(systems), len(systems)

    def build(places: Iterable[int]) -> Iterator[Item]:
        for i in places:
            yield Item(
                str(i + 1),
                tuple(map(Reference, texts[ends[i] : ends[i + 1]])),
                dict(zip(names, outputs[i * width : (i + 1) * width], strict=True)),
                (sources[i],) if sources else (),
            )

    sources = list(sources)
    return ItemColumns(list(map(str, range(1, _count(systems) + 1))), names, outputs, texts, ends, build)


def _count(systems: dict[str, list[Any]]) -> int:
    return len(next(iter(systems.values()), ()))
