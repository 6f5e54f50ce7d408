"""JSON documents of other tools: read whole, with NaN where Python wrote it, and looked at without trust."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from ...errors import FormatError
from .text_file import ReadProgress, StrPath, decode_line, read_lines, read_whole

Json = dict[str, Any]


def read_json(path: StrPath) -> Any:
    """Return the JSON document in a file, which is held in memory whole."""
    return parse_json(read_whole(path), path)


def parse_json(data: bytes, path: object, line: int | None = None) -> Any:
    """Return the value of a JSON document; NaN and Infinity are numbers, as Python writes them."""
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise FormatError("nested too deeply", path=path, line=line) from error
    except UnicodeDecodeError as error:
        message = f"invalid UTF-8 at byte {error.start}; save the file as UTF-8"
        raise FormatError(message, path=path, line=line) from error
    except ValueError as error:
        raise FormatError(f"not a whole JSON document ({error})", path=path, line=line) from error


def read_json_lines(path: StrPath, progress: ReadProgress) -> Iterator[tuple[int, Json]]:
    """Yield line number and object of every line that is not empty."""
    for number, raw in read_lines(path, progress):
        if decode_line(raw, path, number, progress).strip():
            yield number, as_object(parse_json(raw, path, number), "a line", path, number)


def as_object(value: Any, what: str, path: object, line: int | None = None) -> Json:
    """Return a JSON object, or raise."""
    if not isinstance(value, dict):
        raise FormatError(f"{what} must be a JSON object; got {_kind(value)}", path=path, line=line)
    return cast(Json, value)


def as_list(value: Any, what: str, path: object, line: int | None = None) -> list[Any]:
    """Return a JSON array, or raise."""
    if not isinstance(value, list):
        raise FormatError(f"{what} must be a JSON array; got {_kind(value)}", path=path, line=line)
    return value


def as_text(value: Any, what: str, path: object, line: int | None = None) -> str:
    """Return a text, or raise."""
    if not isinstance(value, str):
        raise FormatError(f"{what} must be a text; got {_kind(value)}", path=path, line=line)
    return value


def as_name(value: Any, what: str, path: object, line: int | None = None) -> str:
    """Return a name: a text that is not empty, or a whole number as a text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise FormatError(f"{what} must be a name; got {_kind(value)}", path=path, line=line)
    return value


def dump_json(value: Any, path: object) -> bytes:
    """Return a JSON document as bytes, indented, or raise where a text cannot be written."""
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
    except (TypeError, UnicodeError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        raise FormatError(f"cannot be written as JSON: {error}", path=path) from error


def _kind(value: Any) -> str:
    names = {type(None): "null", bool: "true or false", int: "a number", float: "a number", str: "a text"}
    names |= {list: "an array", dict: "an object"}
    return names.get(type(value), type(value).__name__)
