"""Content units and which text holds which: a table (a row a unit, a column a text), or JSON Lines (an item a line)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..data.item import Item
from ..errors import FormatError
from ._io.columns import MatchedColumn, TableColumn
from ._io.csv_rows import CsvReader
from ._io.text_file import ReadProgress, StrPath, decode_line, read_lines
from .lite_pyramid import LitePyramid

_UNIT = ("unit", "factoid", "scu", "content_unit", "text")
_ANNOTATOR = ("annotator", "coder", "rater", "judge")
_ITEM = ("item", "item_id", "id", "topic")
_YES = frozenset(["1", "1.0", "f", "x", "y", "yes", "true", "+"])
_NO = frozenset(["", "0", "0.0", "-", ".", "n", "no", "false"])
_UNSEEN = frozenset(["?", "na", "nan"])


class _Answers(msgspec.Struct):
    system: str
    present: dict[str, bool]
    rater: str | int


class _Line(msgspec.Struct):
    id: str | int
    units: list[str] = []
    present: dict[str, list[bool | int | None]] = {}
    annotator: str | int | None = None
    statements: list[_Answers] = []


class ItemUnits(NamedTuple):
    """An item's units, and for each text which of them it holds; None where no one looked.

    Where several annotators marked an item, there is one for each.
    """

    item: str
    units: tuple[str, ...]
    present: dict[str, tuple[bool | None, ...]]
    annotator: str | None = None


def read_units(path: StrPath) -> list[ItemUnits]:
    """Read all items of a file of content units.

    A table (.csv, .tsv) has a column `unit` (or factoid), perhaps one `item`, and a column for each text with 1 or 0
    (also F, x, yes or nothing; ? for not looked at). In JSON Lines (.jsonl) an item is {"id", "units": [...],
    "present": {"system": [1, 0, ...]}}, or {"id", "statements": [{"system", "rater", "present": {unit: true}}]}. Both
    may be gzipped. If several people marked the units, a column (or field)
    `annotator` names them: a row (or line) for each. Light pyramids are read too, as tables and as folders.
    """
    name = os.fspath(path).removesuffix(".gz").lower()
    light = LitePyramid()
    if light.recognizes(Path(path)):
        units = [each for item in light.read_items(path) for each in _units_of(item)]
    else:
        units = list(_json(path) if name.endswith((".jsonl", ".json")) else _table(path))
    if not units:
        raise FormatError("holds no content units", path=path)
    _refuse_repeats(units, path)
    return units


def _units_of(item: Item) -> Iterator[ItemUnits]:
    """Yield the units of an item with marks, or with the answers of each rater to statements."""
    if not item.extra.get("statements"):
        marks = {name: tuple(map(bool, own)) for name, own in item.extra["present"].items()}
        yield ItemUnits(item.id, tuple(item.extra["units"]), dict(marks))
        return
    answers = item.extra["statements"]
    units = tuple(dict.fromkeys(unit for row in answers for unit in row["present"]))
    for rater in dict.fromkeys(row["rater"] for row in answers):
        own = {row["system"]: row["present"] for row in answers if row["rater"] == rater}
        present = {system: tuple(map(marks.get, units)) for system, marks in own.items()}
        yield ItemUnits(item.id, units, present, str(rater))


def _refuse_repeats(items: list[ItemUnits], path: StrPath) -> None:
    """Refuse an item that comes twice from one annotator, and items with and without an annotator."""
    named = {item.annotator is not None for item in items}
    if len(named) > 1:
        raise FormatError("some items name an annotator and some do not: name all of them", path=path)
    keys: set[tuple[str, str | None]] = set()
    for item in items:
        if (item.item, item.annotator) in keys:
            by = f" by annotator {item.annotator!r}" if item.annotator is not None else ""
            hint = "" if by else "; if several people marked it, name them in a field annotator"
            raise FormatError(f"item {item.item!r}{by} comes twice{hint}", path=path)
        keys.add((item.item, item.annotator))


def _table(path: StrPath) -> Iterator[ItemUnits]:
    table = CsvReader(path)
    heads = [head.strip() for head in table.headers]
    folded = [head.lower() for head in heads]
    unit = next((folded.index(name) for name in _UNIT if name in folded), None)
    if unit is None:
        raise FormatError(
            f"no column 'unit' (or {', '.join(_UNIT[1:])}); its columns are {', '.join(heads)}", path=path
        )
    item = next((folded.index(name) for name in _ITEM if name in folded), None)
    annotator = next((folded.index(name) for name in _ANNOTATOR if name in folded), None)
    texts = [k for k in range(len(heads)) if k not in (unit, item, annotator)]
    if not texts or len(set(heads)) < len(heads):
        raise FormatError("a column for each text is needed, under different names", path=path)
    rows: dict[tuple[str, str | None], list[tuple[str, list[bool | None]]]] = {}
    columns = [MatchedColumn(TableColumn(head, "text"), head) for head in table.headers]
    for line, *cells in table.rows(columns, ReadProgress()):
        marks = [_mark(cells[k], path, line, heads[k]) for k in texts]
        key = (cells[item] if item is not None else "1", cells[annotator] if annotator is not None else None)
        rows.setdefault(key, []).append((cells[unit], marks))
    for (name, who), marked in rows.items():
        present = {heads[k]: tuple(marks[c] for _, marks in marked) for c, k in enumerate(texts)}
        yield ItemUnits(name, tuple(text for text, _ in marked), present, who)


def _mark(cell: str, path: StrPath, line: int, column: str) -> bool | None:
    mark = cell.strip().lower()
    if mark in _UNSEEN:
        return None
    if mark not in _YES and mark not in _NO:
        raise FormatError(
            f"a mark is 1 or 0 (or F, x, empty); got {cell[:30]!r} under {column!r}", path=path, line=line
        )
    return mark in _YES


def _json(path: StrPath) -> Iterator[ItemUnits]:
    progress = ReadProgress()
    for number, line in read_lines(path, progress):
        text = decode_line(line, path, number, progress)
        if not text.strip():
            continue
        try:
            parsed = msgspec.json.decode(text, type=_Line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise FormatError(f"no item with units and present ({error})", path=path, line=number) from error
        if parsed.statements:
            yield from _units_of(Item(str(parsed.id), extra=msgspec.to_builtins(parsed)))
            continue
        if not parsed.units:
            raise FormatError("no item with units and present", path=path, line=number)
        for name, values in parsed.present.items():
            wrong = [mark for mark in values if mark not in (None, 0, 1)]
            if wrong:
                message = f"a mark is 1 or 0 (or true, false, null); got {wrong[0]} of {name!r}"
                raise FormatError(message, path=path, line=number)
        present = {name: tuple(None if m is None else bool(m) for m in marks) for name, marks in parsed.present.items()}
        for name, marks in present.items():
            if len(marks) != len(parsed.units):
                message = f"{len(marks)} marks of {name!r} for {len(parsed.units)} units"
                raise FormatError(message, path=path, line=number)
        who = None if parsed.annotator is None else str(parsed.annotator)
        yield ItemUnits(str(parsed.id), tuple(parsed.units), present, who)
