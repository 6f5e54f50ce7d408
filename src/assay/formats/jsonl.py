"""JSON Lines: one item a line, as in docs/formats.md; a file that is one JSON array of items is read too.

A first line `{"scales": {"rank": {"best": 1}}, "raters": {"gpt-4o": "llm"}}` states the scales of what was judged and
the kinds of those who judged; it holds for every item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

import msgspec

from ..data.evalset import Item
from ..errors import FormatError
from ..files import whole_file
from ._io.format import Format
from ._io.json_items import Header, item_reader, item_to_json, read_header
from ._io.text_file import ReadProgress, StrPath, read_lines, refuse_too_large, utf8_error

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class JsonLines(Format):
    """JSON Lines, one item a line."""

    name: ClassVar[str] = "jsonl"
    examples = ("jsonl", "json")
    endings = (".jsonl", ".json", ".ndjson")
    one_pass = True

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read items in order. Integer ids become strings; keys that are not ours stay in `extra`."""
        progress = progress or ReadProgress()
        read = item_reader(path)
        source = read_lines(path, progress)
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
                    yield from _array(_rest(line, source, path), number, path, progress)
                    return
                raise _explain(error, line, path, number, progress) from error
            first = False
            yield item if header is None else header.state(item)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one line per item; other keys of the file it came from are written back as they were."""
        encode = msgspec.json.Encoder().encode
        with whole_file(path) as file:
            for item in items:
                try:
                    file.write(encode(item_to_json(item)) + b"\n")
                except (TypeError, UnicodeError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
                    raise FormatError(f"item {item.id!r} cannot be written as JSON: {error}", path=path) from error


def _rest(line: bytes, source: Iterator[tuple[int, bytes]], path: StrPath) -> bytes:
    """Return the line and all that follow, up to the limit of what is held in memory."""
    parts, size = [line], len(line)
    for _, more in source:
        size += len(more)
        refuse_too_large(size, path)
        parts.append(more)
    return b"".join(parts)


def _array(data: bytes, number: int, path: StrPath, progress: ReadProgress) -> Iterator[Item]:
    """Read the items of one JSON array, which is held in memory whole: use JSON Lines for large sets."""
    read = item_reader(path)
    try:
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        raise _explain(error, data, path, number, progress) from error
    place = 0
    for part in parts:
        raw = bytes(part)
        start = data.index(raw, place)
        number += data.count(b"\n", place, start)
        try:
            item = read(raw, number)
        except (ValueError, RecursionError) as error:
            raise _explain(error, raw, path, number, progress) from error
        yield item
        number += raw.count(b"\n")
        place = start + len(raw)


def _explain(error: Exception, line: bytes, path: StrPath, number: int, progress: ReadProgress) -> Exception:
    """Return the error that says what is wrong with the line."""
    if isinstance(error, msgspec.ValidationError):
        words = f'{error}; a line is one item: {{"id": ..., "references": [...], "outputs": {{...}}}}'
        return FormatError(words, path=path, line=number)
    if not isinstance(error, RecursionError | UnicodeDecodeError | msgspec.DecodeError):
        return error  # an AlignmentError: it knows its place
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return utf8_error(line, wrong, path, number, progress)
    if b"\0" in line:
        words = f"a NUL byte (at byte {line.index(0)} of the line); JSON writes it as \\u0000"
    elif _has_lone_surrogate(line):
        words = "a lone surrogate (half of a \\ud83d\\ude00 pair): that is no character; remove or complete it"
    elif isinstance(error, RecursionError):
        words = "nested too deeply"
    else:
        words = f"not one whole JSON object ({error}); write one item a line, or one JSON array"
    return FormatError(words, path=path, line=number)


def _has_lone_surrogate(line: bytes) -> bool:
    if not SURROGATE.search(line):
        return False
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False
