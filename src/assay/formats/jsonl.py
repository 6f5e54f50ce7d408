"""JSON Lines: one item a line, as in docs/formats.md; a file that is one JSON array of items is read too.

A first line `{"scales": {"rank": {"best": 1}}}` states the scales of what was judged; it holds for every item. Objects
that are not items as we write them are records, whose keys are recognized as the columns of a table are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import ClassVar

import msgspec

from ..data.evalset import Item
from ..errors import FormatError
from ..files import whole_file
from ._io.format import Format
from ._io.json_errors import explain_json
from ._io.json_items import Header, item_reader, item_to_json, read_header
from ._io.json_rows import find_records, read_head, rest_of
from ._io.judgment_rows import JudgmentRow, item_judgments, table_judgments
from ._io.layout import ColumnMap
from ._io.table_read import read_rows
from ._io.text_file import ReadProgress, StrPath, read_lines


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
        records = find_records(path, head, source, every=bool(columns))
        if records is not None:
            yield from read_rows(records, progress=progress, columns=columns)
        else:
            yield from _own_items(path, chain(head, source), progress)

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of items as we write them, else of records with an id and ratings."""
        progress = progress or ReadProgress()
        source = read_lines(path, progress)
        head = read_head(source)
        records = find_records(path, head, source, judgments=True)
        if records is not None:
            return table_judgments(records, progress=progress, columns=columns)
        return item_judgments(_own_items(path, chain(head, source), progress))

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one line per item; other keys of the file it came from are written back as they were."""
        encode = msgspec.json.Encoder().encode
        with whole_file(path) as file:
            for item in items:
                try:
                    file.write(encode(item_to_json(item)) + b"\n")
                except (TypeError, UnicodeError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
                    raise FormatError(f"item {item.id!r} cannot be written as JSON: {error}", path=path) from error


def _own_items(path: StrPath, source: Iterator[tuple[int, bytes]], progress: ReadProgress) -> Iterator[Item]:
    """Read items as we write them: a line each, or one JSON array."""
    read = item_reader(path)
    header: Header | None = None
    first = True
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
                yield from _array(rest_of(line, source, path), number, path, progress)
                return
            raise explain_json(error, line, path, number, progress) from error
        first = False
        yield item if header is None else header.state(item)


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
