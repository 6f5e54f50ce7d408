"""Tell a table or JSON from lines of text, where the name of a file does not."""

from __future__ import annotations

import csv
from pathlib import Path

from .json_rows import decode_json
from .peek import PEEK, peek
from .roles import role_of_header

MAX_LINES = 50  # lines that are looked at
MIN_NAMES = 2  # cells of a header that name roles


def find_structure(path: Path) -> str | None:
    """Return jsonl or csv where the first lines show one; None for anything else.

    JSON has an object on each line, or is one list or object. A table has a header with two names of roles or more, and
    rows with as many cells.
    """
    start = peek(path)
    lines = [line for line in start.split(b"\n")[: MAX_LINES + 1] if line.strip()]
    if len(start) == PEEK and len(lines) > 1:
        del lines[-1]  # it may be cut off
    if lines and lines[0].lstrip().startswith((b"{", b"[")):
        return "jsonl" if all(map(_is_object, lines)) or _is_document(start) else None
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
    return "csv" if any(_is_table(texts, separator) for separator in "\t,;|") else None


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(decode_json(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_document(start: bytes) -> bool:
    """Check if a text is one list or object of objects, or begins as one that was written on many lines."""
    return start.lstrip().startswith((b"[{", b"[\n", b"[\r\n", b'{"', b"{\n", b"{\r\n")) and b'":' in start


def _is_table(lines: list[str], separator: str) -> bool:
    if len(lines) < 2 or lines[0].count(separator) < 1:
        return False
    try:
        rows = list(csv.reader([f"{line}\n" for line in lines], delimiter=separator, strict=True))
    except csv.Error:
        if separator != "\t":
            return False
        rows = [line.split(separator) for line in lines]
    named = sum(role_of_header(cell) is not None for cell in rows[0])
    return named >= MIN_NAMES and all(len(row) == len(rows[0]) for row in rows[: len(rows) - 1 or None])
