"""Read one of several files that are joined: a run of a system, or a file of references or sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..data.item import Item, Reference
from ..data.reading import Reading
from ..errors import FormatError, UnknownName
from ._io.chunks import Stream
from ._io.columns import MatchedColumn, has_own_headers, match_columns
from ._io.table_read import open_table
from ._io.text_file import ReadProgress, StrPath, read_texts
from ._known import format_of
from .lines import name_systems

Source = StrPath | Any  # a file, or an object that `stream` takes


@dataclass(frozen=True)
class FilePart:
    """One file: its items, and whether their ids are its own; else they are the numbers of lines or rows."""

    name: str
    items: tuple[Item, ...]
    named: bool
    reading: Reading

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order of the file."""
        return tuple(dict.fromkeys(system for item in self.items for system in item.outputs))


def read_run(run: Source, format: str | None, columns: Mapping[str, Any] | None, allow_missing: bool) -> FilePart:
    """Read a file of one system, or a whole set."""
    from ._reading import stream

    if _is_lines(run, format):
        return _read_lines(run, lambda text: {"outputs": {next(iter(name_systems([os.fspath(run)]))): text}})
    options: dict[str, Any] = {"columns": columns} if columns else {}
    data = stream(run, format=format, allow_missing=allow_missing, **options)
    return _part(run_name(run), data)


def read_role(path: StrPath, role: str, columns: Mapping[str, Any] | None) -> FilePart:
    """Read a file of references or of sources: lines, or a table or records with a column of them."""
    if _is_lines(path, None):
        return _read_lines(path, lambda text: _as_role(role, (text,)))
    from ._reading import stream

    if role == "reference" and not columns and (table := _reference_columns(path)):
        return _read_reference_table(path, table)
    own = {name: header for name, header in (columns or {}).items() if name in ("id", role)}
    attempts: list[dict[str, Any]] = [{**own, "output": ()}]
    attempts += [{**own, "output": (), role: "text"}] if role not in own else []
    for stated in attempts:
        try:
            part = _part(str(path), stream(path, columns=stated))
        except UnknownName:  # a format that says itself what its parts are
            part = _part(str(path), stream(path))
        except FormatError:
            if stated is attempts[0]:
                raise
            continue
        items = tuple(Item(item.id, where=item.where, **_as_role(role, role_texts(item, role))) for item in part.items)
        if any(role_texts(item, role) for item in items):
            return replace(part, items=items)
    raise FormatError(
        f"holds no {role}s; name their column as --columns {role}=..., or give --input-format lines if each of its "
        f"lines is a {role}",
        path=path,
    )


def _as_role(role: str, texts: Sequence[Any]) -> dict[str, Any]:
    if role == "source":
        return {"sources": tuple(texts)}
    return {"references": tuple(text if isinstance(text, Reference) else Reference(text) for text in texts)}


def role_texts(item: Item, role: str) -> tuple[Any, ...]:
    return item.sources if role == "source" else item.references


def _read_lines(path: StrPath, fields: Callable[[str], dict[str, Any]]) -> FilePart:
    texts = enumerate(read_texts(path, ReadProgress()), 1)
    items = tuple(Item(str(number), where=f"{path}:{number}", **fields(text)) for number, text in texts)
    if not items:
        raise FormatError("there are no lines in it", path=path)
    return FilePart(str(path), items, False, Reading((str(path),), "lines"))


def _part(name: str, chunks: Stream) -> FilePart:
    data = chunks.read()
    return FilePart(name, tuple(data), not data.reading.columns or bool(data.reading.of("id")), data.reading)


def holds_lines(path: StrPath) -> bool:
    """Check if a file is one of lines of text, by its name and content; "-" is."""
    return not os.path.isdir(path) and format_of(path) in (None, "lines")


def joins_on_disk(outputs: StrPath, references: StrPath) -> bool:
    """Check if these are tables of outputs and of references as we write them, which are joined without memory."""
    if format_of(outputs) not in ("csv", "parquet", "tables") or not _reference_columns(references):
        return False
    return os.path.isdir(outputs) or has_own_headers(open_table(outputs).headers)


def _reference_columns(path: StrPath) -> list[MatchedColumn]:
    """Return the columns of a table of references as we write them; none where it is another one."""
    if format_of(path) not in ("csv", "parquet"):
        return []
    try:
        return match_columns("references", open_table(path).headers, path)
    except FormatError:
        return []


def _read_reference_table(path: StrPath, columns: list[MatchedColumn]) -> FilePart:
    """Read a table with a row for each reference, several of an item too."""
    table, items = open_table(path), dict[str, Item]()
    for number, item, text, *writer in table.rows(columns, ReadProgress()):
        if item is None:
            raise table.error_at(number, f"no item id in column {columns[0].header!r}")
        draft = items.setdefault(item, Item(item, where=table.place(number)))
        reference = Reference(text or "", writer[0] if writer else None)
        items[item] = replace(draft, references=(*draft.references, reference))
    return FilePart(str(path), tuple(items.values()), True, Reading((str(path),), "table of references"))


def _is_lines(run: Source, format: str | None) -> bool:
    if not isinstance(run, str | os.PathLike) or os.path.isdir(run):
        return False
    return format == "lines" or (format is None and holds_lines(run))


def run_name(run: Source) -> str:
    return str(run) if isinstance(run, str | os.PathLike) else f"the {type(run).__name__}"
