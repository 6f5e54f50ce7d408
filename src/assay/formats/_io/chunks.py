"""Stream: an evaluation set in pieces, for files that do not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

from ..._core import Seen
from ...data.columns import ItemColumns
from ...data.evalset import EvalSet, Item, pause_garbage_collection
from ...data.reading import Reading
from ...errors import AlignmentError, FormatError, InputError
from .markup import MarkupCount, strip_item
from .text_file import ReadProgress

if TYPE_CHECKING:
    from ...data.scale import Scale

Chunk = ItemColumns | list[Item]
BATCH = 4096  # items of a chunk, where no one asks for another number

TEXT_LIMIT = 64 << 20  # bytes of text after which a chunk is closed, however few items it has


class Stream:
    """An iterable of EvalSets of at most `batch` items, in order; each pass reads the input anew (a pipe: one pass).

    What an EvalSet holds true of its items, a Stream holds true across its chunks: ids are unique and every system
    (people aside) has an output for every item, unless `allow_missing`. `strict` refuses files that would have to be
    mended. `markup` in texts is counted, with a warning
    at the end of the first pass, taken out, or kept without a word.
    """

    def __init__(
        self,
        items: Callable[[ReadProgress], Iterator[Item]],
        *,
        path: object,
        batch: int = BATCH,
        allow_missing: bool = False,
        once: bool = False,
        markup: Literal["warn", "strip", "keep"] = "warn",
        chunks: Callable[[ReadProgress], Iterator[Chunk]] | None = None,
        format: str = "",
        strict: bool = False,
    ) -> None:
        if batch < 1:
            raise InputError(f"batch must be at least 1; got {batch}")
        self._read_items, self._read_chunks, self.path, self.format = items, chunks, path, format
        self.batch, self.allow_missing = batch, allow_missing
        self.strict = strict
        self._progress = ReadProgress(strict=strict)
        self._once, self._begun = once, False
        self.markup = markup

    def fraction(self) -> float | None:
        """Return the share of the input consumed by the current pass, or None where that cannot be known."""
        return self._progress.fraction()

    @property
    def recognized(self) -> str:
        """Which columns were taken for what, once read: "output = prediction, ..."; "" where they have our names."""
        return "" if self.reading is None else self.reading.line()

    @property
    def reading(self) -> Reading | None:
        """How the columns of the input were understood, once read; None where they have our names."""
        return self._progress.reading

    def through(self, change: Callable[[Iterator[Item], ReadProgress], Iterator[Item]]) -> Stream:
        """Return the stream of the items as `change` returns them."""
        return Stream(
            lambda progress: change(self._read_items(progress), progress),
            path=self.path,
            batch=self.batch,
            allow_missing=self.allow_missing,
            once=self._once,
            markup=self.markup,
            format=self.format,
            strict=self.strict,
        )

    def read(self) -> EvalSet:
        """Read everything as one EvalSet."""
        progress = self._begin()
        with pause_garbage_collection():
            items = tuple(self._items(progress))
        if not items:
            raise FormatError("there are no items in it", path=self.path)
        reading = replace(progress.reading or Reading((str(self.path),), ""), format=self.format)
        data = EvalSet(items, allow_missing=self.allow_missing, reading=reading)
        return data.with_scales(scales) if (scales := _stated_by_some(data)) else data

    def entries(self) -> Iterator[Item]:
        """Yield the items one by one, with the same checks."""
        for chunk in self:
            yield from chunk

    def __iter__(self) -> Iterator[EvalSet]:
        progress = self._begin()
        ids, systems = Seen(), _Systems()
        number = 0
        for items in self._chunks(progress):
            chunk = EvalSet(items, allow_missing=self.allow_missing)
            if repeated := _add_ids(chunk, ids):
                self._refuse_repeated(repeated, number)
            number += len(chunk)
            if not self.allow_missing:
                systems.check(chunk)
            yield chunk
        if not number:
            raise FormatError("there are no items in it", path=self.path)

    def _items(self, progress: ReadProgress) -> Iterator[Item]:
        items = self._read_items(progress)
        if self.markup == "strip":
            return map(strip_item, items)
        if self.markup == "keep":
            return items
        self.markup = "keep"  # one warning, however often the input is read
        return MarkupCount(self.path).watch(items)

    def _begin(self) -> ReadProgress:
        if self._once and self._begun:
            raise InputError(f"{self.path}: a pipe can be read only once; give a file, or stream(..., passes=2)")
        self._begun = True
        self._progress = ReadProgress(strict=self.strict)
        return self._progress

    def _chunks(self, progress: ReadProgress) -> Iterator[Chunk]:
        if self._read_chunks is None or self.markup == "strip":
            yield from cut_chunks(self._items(progress), self.batch, progress)
            return
        markup = MarkupCount(self.path) if self.markup == "warn" else None
        self.markup = "keep"
        for chunk in self._read_chunks(progress):
            if markup is not None:
                markup.add(chunk)
            yield chunk
        if markup is not None:
            markup.warn()

    def _refuse_repeated(self, items: list[Item], before: int) -> None:
        """Read again to say where an id was first used; if it was not, two hashes were equal by chance."""
        again = {item.id: item for item in reversed(items)}
        if self._once:
            raise AlignmentError(f"{items[0].place} was already used: ids must be unique")
        for other in islice(self._items(ReadProgress()), before):
            if other.id in again:
                raise AlignmentError(f"{again[other.id].place} was already used ({other.where}): ids must be unique")


def cut_chunks(items: Iterator[Item], batch: int, progress: ReadProgress) -> Iterator[list[Item]]:
    """Yield the items in lists of `batch`, or fewer where their texts are long."""
    while chunk := _take_chunk(items, batch, progress):
        yield chunk


def _take_chunk(items: Iterator[Item], batch: int, progress: ReadProgress) -> list[Item]:
    chunk: list[Item] = []
    limit = progress.total() + TEXT_LIMIT
    with pause_garbage_collection():
        for item in items:
            chunk.append(item)
            if len(chunk) >= batch or progress.total() > limit:
                break
    return chunk


def _add_ids(chunk: EvalSet, ids: Seen) -> list[Item]:
    """Note the ids of a chunk, and return the items with ids that are not new."""
    if chunk.columns is None or isinstance(chunk.columns.ids, list):
        return [item for item in chunk if not ids.add(item.id)]
    if chunk.columns.unique:
        return []
    places = chunk.columns.ids.add_to(ids)
    if not places:
        return []
    EvalSet(tuple(chunk), allow_missing=True)  # raises for an id that is repeated within the chunk
    return list(chunk.columns.build(places))


def _stated_by_some(data: EvalSet) -> dict[str, Scale]:
    """Return the scales that only some judged items state: they hold for the whole set."""
    stated = [item.extra.get("scales") or {} for item in data if item.judgments]
    if all(scales == stated[0] for scales in stated):
        return {}
    return {name: scale for name, scale in data.scales.items() if name in data.judged_dimensions}


class _Systems:
    """The systems that every item must have, known from the first chunk."""

    def __init__(self) -> None:
        self.expected: frozenset[str] | None = None
        self.people: set[str] = set()

    def check(self, chunk: EvalSet) -> None:
        self.people |= set(chunk.people)
        systems = frozenset(chunk.systems) - self.people
        if self.expected is None:
            self.expected = systems
        elif self.expected - self.people != systems:
            self._refuse(chunk, systems)

    def _refuse(self, chunk: EvalSet, systems: frozenset[str]) -> None:
        hint = "use allow_missing=True or --allow-missing to leave such scores empty"
        missing = sorted((self.expected or frozenset()) - self.people - systems)
        item = next(iter(chunk))
        if missing:
            raise AlignmentError(
                f"{item.place} has no output of system {missing[0]!r}, unlike the items before; {hint}"
            )
        added = next(s for s in chunk.systems if s in systems and s not in (self.expected or ()))
        item = next(i for i in chunk if added in i.outputs)
        raise AlignmentError(f"{item.place} has an output of system {added!r}, which the items before lack; {hint}")
