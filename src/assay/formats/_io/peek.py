"""Look at the beginning of a file, to tell its format."""

from __future__ import annotations

import os
import re
import zlib
from functools import lru_cache
from pathlib import Path

from ...errors import FormatError
from .text_file import BOM, ReadProgress, open_bytes

PEEK = 1 << 17


def peek(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked and without a byte order mark; nothing where it cannot be read."""
    try:
        if not path.is_file():
            return b""
        state = path.stat()
        return _first_bytes(os.fspath(path), state.st_mtime_ns, state.st_size)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return b""


@lru_cache(maxsize=4)
def _first_bytes(path: str, changed: int, size: int) -> bytes:
    try:
        with open_bytes(path, ReadProgress()) as file:
            return file.read(PEEK).removeprefix(BOM)
    except (OSError, EOFError, zlib.error, FormatError):
        return b""  # whoever reads it will say what is wrong


def peek_columns(path: Path, mark: bytes) -> list[str]:
    """Return the cells of the first line of a table, split at the mark, without quotes around them."""
    first = peek(path).split(b"\n", 1)[0].rstrip(b"\r")
    return [cell.strip().strip('"') for cell in first.decode("utf-8", "replace").split(mark.decode())]


def matches(path: Path, *patterns: bytes) -> bool:
    """Check if the beginning of a file holds each of the patterns."""
    start = peek(path)
    return bool(start) and all(re.search(pattern, start) for pattern in patterns)
