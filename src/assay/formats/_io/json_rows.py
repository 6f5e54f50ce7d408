"""Records of a JSON file as rows: a line each, or all of one document; and what is wrong with a line of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from ...errors import FormatError
from .json_records import is_own_item, list_records
from .pipes import SpooledFile, is_pipe
from .text_file import ReadProgress, StrPath, read_lines, refuse_too_large, utf8_error

if TYPE_CHECKING:
    from .record_rows import RecordReader, Records

Lines = Iterator[tuple[int, bytes]]
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_head(source: Lines) -> list[tuple[int, bytes]]:
    """Take the lines up to the first that is not blank."""
    head: list[tuple[int, bytes]] = []
    for number, line in source:
        head.append((number, line))
        if line.strip():
            break
    return head


def find_records(
    path: StrPath, head: list[tuple[int, bytes]], source: Lines, *, every: bool = False, judgments: bool = False
) -> RecordReader | None:
    """Return the records of a JSON file as rows; None where it holds items as we write them, or no JSON at all.

    `head` was read from `source` already; where None comes back, nothing more was, or `head` has it. With `every`,
    items as we write them are records too; with `judgments`, records need not be more than ratings.
    """
    if not head or not head[-1][1].strip():
        return None
    number, line = head[-1]
    try:
        value = decode_json(line)
    except (ValueError, RecursionError):
        return _find_in_document(path, head, source, every) if line.lstrip().startswith((b"{", b"[")) else None
    if isinstance(value, list):
        return _find_in_document(path, head, source, every)
    if not isinstance(value, Mapping) or (is_own_item(value) and not every and not _is_rating(value, judgments)):
        return None
    following = read_head(source)
    head += following
    if not following or not following[-1][1].strip():
        return _whole_reader(path, list_records(value, path), number)
    lines = SpooledFile(path, (text for _, text in (*head, *source))) if is_pipe(path) else path
    from .record_rows import RecordReader  # loads the reader of tables, which items as we write them do not need

    return RecordReader(lines, line_records(lines), place="{path}:{row}")


def _is_rating(value: Mapping[str, Any], judgments: bool) -> bool:
    return judgments and "judgments" not in value and "scales" not in value


def _find_in_document(path: StrPath, head: list[tuple[int, bytes]], source: Lines, every: bool) -> RecordReader | None:
    """Read on to the end, and return the records in the one document that this is."""
    number, line = head.pop()
    data = rest_of(line, source, path)
    head.append((number, data))
    try:
        value = decode_json(data)
    except (ValueError, RecursionError) as error:
        if data.lstrip().startswith(b"["):
            return None  # the reader of arrays says what is wrong with it
        raise explain_json(error, line, path, number, ReadProgress()) from error
    is_array = isinstance(value, list)
    first = value[0] if is_array and value else None
    if (
        not every
        and is_array
        and not isinstance(first, list)
        and (not isinstance(first, Mapping) or is_own_item(first))
    ):
        return None
    if not every and not is_array and is_own_item(value):
        head[-1] = (number, msgspec.json.encode(value))  # one item, on several lines
        return None
    return _whole_reader(path, list_records(value, path), number)


def _whole_reader(path: StrPath, records: list[Mapping[str, Any]], line: int) -> RecordReader:
    from .record_rows import RecordReader

    return RecordReader(path, lambda progress: iter(enumerate(records, 1)), place="{path}: record {row}")


def line_records(path: StrPath) -> Records:
    """Return the function that yields the objects of a file of JSON Lines with the numbers of their lines."""

    def records(progress: ReadProgress) -> Iterator[tuple[int, Mapping[str, Any]]]:
        for number, line in read_lines(path, progress):
            if not line.strip():
                continue
            try:
                record = decode_json(line)
            except (ValueError, RecursionError) as error:
                raise explain_json(error, line, path, number, progress) from error
            if not isinstance(record, dict):
                raise FormatError("not a JSON object; write one record a line", path=path, line=number)
            yield number, record

    return records


_decode = msgspec.json.Decoder().decode


def decode_json(data: bytes) -> Any:
    """Return a JSON value; NaN and Infinity, as Python and pandas write them, are numbers."""
    try:
        return _decode(data)
    except msgspec.DecodeError:
        if b"NaN" not in data and b"Infinity" not in data:
            raise
    try:
        return json.loads(data)
    except ValueError:
        return _decode(data)  # raises what is wrong


def rest_of(line: bytes, source: Lines, path: StrPath) -> bytes:
    """Return the line and all that follow, up to the limit of memory."""
    parts, size = [line], len(line)
    for _, more in source:
        size += len(more)
        refuse_too_large(size, path)
        parts.append(more)
    return b"".join(parts)


def explain_json(error: Exception, line: bytes, path: StrPath, number: int, progress: ReadProgress) -> Exception:
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
        words = "a lone surrogate (half of a \\ud83d\\ude00 pair): that is not a character; remove or complete it"
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
