"""Know a file that was written here by its first line, before any other format is loaded."""

from __future__ import annotations

from pathlib import Path

import msgspec

from .columns import has_own_headers
from .json_records import is_own_item
from .peek import peek


def own_format(path: Path) -> str | None:
    """Return jsonl or csv where the first line is as we write it; None where other formats must be asked."""
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith((".jsonl", ".csv", ".tsv")):
        return None
    first = peek(path).split(b"\n", 1)[0]
    if name.endswith(".jsonl"):
        return "jsonl" if _is_own_line(first) else None
    headers = first.decode("utf-8", "replace").strip().split("\t" if name.endswith(".tsv") else ",")
    return "csv" if "text" in headers and has_own_headers(headers) else None


def _is_own_line(line: bytes) -> bool:
    try:
        record = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and isinstance(record.get("outputs"), dict) and is_own_item(record)
