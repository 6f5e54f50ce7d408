"""Which formats there are, and which of them a file is in."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..component import Folder
from ..errors import FormatError, UnknownName
from ._io.format import Format
from ._io.json_records import is_own_item
from ._io.peek import peek
from ._io.text_file import StrPath, read_errors

FORMATS = Folder(__package__, Format, kind="format", example="jsonl", group="assay.formats")


def format_of(path: StrPath, *, look: bool = True) -> str | None:
    """Return the name of the format that a file's name or (with `look`) its beginning tells; None if neither does.

    >>> format_of("set.csv.gz"), format_of("notes.md")
    ('csv', None)
    """
    if look and (own := own_format(Path(path))):
        return own
    formats = (cls() for cls in FORMATS.classes) if look else ()
    file_format = next((each for each in formats if each.recognizes(Path(path))), None) or format_by_ending(path)
    name = None if file_format is None else file_format.name
    if look and name in (None, "lines") and os.path.isfile(path):
        from ._io.structure import find_structure

        return find_structure(Path(path)) or name
    return name


def own_format(path: Path) -> str | None:
    """Return jsonl or csv where the first line is as we write it; None where other formats must be asked."""
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith((".jsonl", ".csv", ".tsv")):
        return None
    first = peek(path).split(b"\n", 1)[0]
    if name.endswith(".jsonl"):
        return "jsonl" if _is_own_line(first) else None
    from ._io.columns import has_own_headers

    headers = first.decode("utf-8", "replace").strip().split("\t" if name.endswith(".tsv") else ",")
    return "csv" if "text" in headers and has_own_headers(headers) else None


def _is_own_line(line: bytes) -> bool:
    try:
        record = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and isinstance(record.get("outputs"), dict) and is_own_item(record)


def names() -> list[str]:
    """List the names of the formats."""
    return sorted(name for name, _ in FORMATS.examples())


PLAIN = ("csv", "parquet", "jsonl")  # formats of files with any columns, which may be those of a tool that is not read


def input_format(path: StrPath, format: str | None, *, stated: bool = False) -> Format:
    """Return the format of a file that is there to be read; a name that is given counts.

    A file with the mark of a tool that is not read is refused, unless its columns are `stated`.
    """
    if os.fspath(path) == "-":
        return FORMATS.build(format or "jsonl")
    with read_errors(path):
        os.stat(path)  # raises what is wrong with it
        if format is not None:
            return FORMATS.build(format)
        name = format_of(path)
    if not stated and (name in PLAIN or os.path.isdir(path)) and not own_format(Path(path)):
        from ._marks import refuse_marked

        refuse_marked(path)
    if name is None:
        raise unknown_format(path)
    return FORMATS.build(name)


def format_by_ending(path: StrPath) -> Format | None:
    """Return the format that the ending of a name tells; None if it tells none."""
    ending = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    return next((cls() for cls in FORMATS.classes if ending and ending in cls.endings), None)


def unknown_format(path: StrPath) -> FormatError:
    """Return the error for a file of unknown format."""
    if Path(path).is_dir():
        return FormatError("is a folder that holds no tables (outputs.csv, outputs.parquet) and no out/", path=path)
    known = ", ".join(ending for cls in FORMATS.classes for ending in cls.endings)
    message = f"the name does not tell the format; use one of {known} or give format= ({', '.join(names())})"
    return FormatError(message, path=path)


def refuse_unknown(options: Mapping[str, Any], file_format: Format, function: Callable[..., Any]) -> None:
    """Raise where the format's function does not take an option; the error lists those it takes."""
    parameters = inspect.signature(function).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "progress"]
    for option in options:
        if option not in known:
            hint = f"(this format takes {', '.join(known) or 'none'})"
            raise UnknownName(f"option of format {file_format.name}", option, known, hint=hint)
