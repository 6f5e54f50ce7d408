"""JSON Lines: one item a line, as in docs/formats.md; a file that is one JSON array of items is read too.

A first line `{"scales": {"rank": {"best": 1}}}` states the scales of the judged dimensions; it holds for every item.
Objects that are not items as we write them are records, with keys recognized as the columns of a table are.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from .._core import JsonItems, read_json_items
from ..data.columns import ItemColumns
from ..data.facets import name_repeats, state_facets, states_facets_only
from ..data.item import Item
from ..errors import FormatError
from ._io import chunks
from ._io.chunks import cut_chunks
from ._io.format import Format
from ._io.json_items import Header, item_reader, item_to_json, read_header
from ._io.json_records import text_role
from ._io.json_rows import explain_json, find_records, read_head, rest_of
from ._io.text_file import LineSource, ReadProgress, StrPath, read_lines

if TYPE_CHECKING:
    from ._io.judgment_rows import JudgmentRow
    from ._io.layout import ColumnMap
    from ._io.record_rows import RecordReader


class JsonLines(Format):
    """JSON Lines, one item a line."""

    name: ClassVar[str] = "jsonl"
    examples = ("jsonl", "json")
    endings = (".jsonl", ".json", ".ndjson")
    one_pass = True

    def read_items(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[Item]:
        """Read items in order. Integer ids become strings; keys that are not ours stay in `extra`.

        `columns` says what the keys of records are: {"output": "prediction", "reference": "meta.gold"}.
        """
        progress = progress or ReadProgress()
        source = read_lines(path, progress)
        head = read_head(source)
        records = find_records(path, head, source, every=bool(columns) and not states_facets_only(columns))
        if records is not None:
            yield from _read_records(records, progress, columns)
        else:
            items = _own_items(path, chain(head, source), progress)
            yield from name_repeats(state_facets(items, columns, path) if columns else items, {})

    def read_chunks(self, path: StrPath, *, batch: int, progress: ReadProgress) -> Iterator[ItemColumns | list[Item]]:
        """Read items many at a time; lines that are plain items come as columns, which is several times as fast."""
        source = LineSource(path, progress)
        head = read_head(source)
        records = find_records(path, head, source)
        if records is not None:
            yield from cut_chunks(_read_records(records, progress), batch, progress)
        elif not head or not _is_one_line(head[-1][1]) or read_header(head[-1][1]) is not None:
            yield from cut_chunks(name_repeats(_own_items(path, chain(head, source), progress), {}), batch, progress)
        else:
            source.put_back(head)
            yield from _own_chunks(path, source, batch, progress)

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of items as we write them, else of records with an id and ratings."""
        from ._io.judgment_rows import item_judgments, table_judgments

        progress = progress or ReadProgress()
        source = read_lines(path, progress)
        head = read_head(source)
        records = find_records(path, head, source, judgments=True)
        if records is not None:
            return table_judgments(records, progress=progress, columns=columns)
        return item_judgments(_own_items(path, chain(head, source), progress))

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name nothing: every part of an item has its key."""
        return ()

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one line per item; other keys of the file it came from are written back as they were."""
        from ..files import whole_file

        encode = msgspec.json.Encoder().encode
        with whole_file(path) as file:
            for item in items:
                try:
                    file.write(encode(item_to_json(item)) + b"\n")
                except (TypeError, UnicodeError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
                    raise FormatError(f"item {item.id!r} cannot be written as JSON: {error}", path=path) from error


def _read_records(records: RecordReader, progress: ReadProgress, columns: ColumnMap | None = None) -> Iterator[Item]:
    """Read records by the names of their keys, as a table is read."""
    from ._io.table_read import read_rows

    return read_rows(records, progress=progress, columns=columns)


def _is_one_line(line: bytes) -> bool:
    return line.lstrip().startswith(b"{") and b"\n" not in line.rstrip(b"\n")


def _own_chunks(
    path: StrPath, source: LineSource, batch: int, progress: ReadProgress
) -> Iterator[ItemColumns | list[Item]]:
    """Read lines that are items, many at a time; where one is not plain, those around it are read one by one."""
    first = True
    runs: dict[str, str] = {}
    while True:
        number, block = source.take_block(batch, chunks.TEXT_LIMIT)
        if not block:
            return
        plain = read_json_items(block)
        if plain is None:
            lines = _lines_of(block, number, progress)
            items = _own_items(path, lines, progress, first=first, beyond=source)
            yield from cut_chunks(name_repeats(items, runs), batch, progress)
        elif len(plain):
            yield _as_columns(plain, block, number, path)
        first = False


def _as_columns(plain: JsonItems, block: bytes, number: int, path: StrPath) -> ItemColumns:
    read = item_reader(path)

    def build(places: Iterable[int]) -> Iterator[Item]:
        for place in places:
            line, start, end = plain.line(place)
            yield read(block[start:end], number + line)

    return ItemColumns(
        *(plain.ids, tuple(plain.systems), plain.outputs, plain.references, plain.reference_ends, build),
        clusters=plain.clusters if len(plain.clusters) else None,
    )


def _lines_of(block: bytes, number: int, progress: ReadProgress) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a block that was taken already, with the progress where each of them ends."""
    progress.size -= len(block)
    for number, line in enumerate(io.BytesIO(block), number):  # noqa: B020
        progress.size += len(line)
        yield number, line


def _own_items(
    path: StrPath,
    source: Iterator[tuple[int, bytes]],
    progress: ReadProgress,
    *,
    first: bool = True,
    beyond: Iterable[tuple[int, bytes]] = (),
) -> Iterator[Item]:
    """Read items as we write them: a line each, or one JSON array, which may go on in the lines `beyond`."""
    read = item_reader(path)
    header: Header | None = None
    for number, line in source:
        try:
            item = read(line, number)
        except (ValueError, RecursionError) as error:
            if not line.strip():
                continue
            if first and (header := read_header(line)) is not None:
                first = False
                continue
            if line.lstrip().startswith(b"["):
                yield from _array(rest_of(line, chain(source, beyond), path), number, path, progress)
                return
            raise explain_json(error, line, path, number, progress) from error
        first = False
        if item.extra:
            _refuse_change(item, path, number)
        yield item if header is None else header.state(item)


def _refuse_change(item: Item, path: StrPath, number: int) -> None:
    """Raise where an item has its texts under other keys than the items before: they would be left out in silence."""
    texts: dict[str, Any] = {"reference": item.references, "output": item.outputs, "source": item.sources}
    for key, value in item.extra.items():
        role = text_role(key, value)
        if role is not None and not texts.get(role, True):
            message = f"{key!r} names the {role}, which the items before have under another key; give all the same"
            raise FormatError(message, path=path, line=number)


def _array(data: bytes, number: int, path: StrPath, progress: ReadProgress) -> Iterator[Item]:
    """Read the items of one JSON array, which is held in memory whole: use JSON Lines for large sets."""
    read = item_reader(path)
    try:
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        raise explain_json(error, data, path, number, progress) from error
    place = 0
    for part in parts:
        raw = bytes(part)
        start = data.index(raw, place)
        number += data.count(b"\n", place, start)
        try:
            item = read(raw, number)
        except (ValueError, RecursionError) as error:
            raise explain_json(error, raw, path, number, progress) from error
        yield item
        number += raw.count(b"\n")
        place = start + len(raw)
