"""Build an item from its rows in the tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from ...data.evalset import Item, Judgment, Reference
from ...errors import AlignmentError, FormatError
from .layout_items import build_fields

if TYPE_CHECKING:
    from .table_read import RolePart, Row


def build_item(item: str, groups: list[tuple[RolePart, list[Row]]]) -> Item:
    """Build an item from its rows; `groups` are the rows per table."""
    lead, first = groups[0]
    fields = BUILDERS[lead.role](lead, item, first)
    for part, rows in groups[1:]:
        for name, value in BUILDERS[part.role](part, item, rows).items():
            if name == "extra" and part.role == "judgments":
                value = _merge_scales(fields.get("extra") or {}, value)
            elif fields.get(name) and value and value != fields[name]:
                raise AlignmentError(f"{part.table.place(rows[0][0])}: item {item!r} gets its {name} from two tables")
            if value or name not in fields:
                fields[name] = value
    return Item(item, where=lead.table.place(first[0][0]), **fields)


def _outputs(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    outputs: dict[str, str] = {}
    for row in rows:
        system, text = row[2], row[3]
        if system is None:
            raise _empty_cell(part, row, 2)
        if system in outputs:
            first = next(r[0] for r in rows if r[2] == system)
            raise _duplicate(part, row[0], first, item, f"an output of system {system!r}")
        if text is not None:  # null: there is no output; the EvalSet decides whether that may be
            outputs[system] = text
    return {"outputs": outputs} if len(part.columns) == 3 else {"outputs": outputs, **_wide(part, item, rows)}


def _wide(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    """Return the fields of the item that further columns of the outputs hold."""
    row = rows[0] if len(rows) == 1 else _shared_values(part, item, rows)
    fields: dict[str, Any] = {}
    for matched, value in zip(part.columns[3:], row[4:], strict=True):
        if value is None:
            continue
        if matched.column.name in ("group", "cluster", "run"):
            fields[matched.column.name] = value
            continue
        texts = (value,) if isinstance(value, str) else tuple(_refuse_nulls(part, row, value))
        if matched.column.name.startswith("source"):
            fields["sources"] = fields.get("sources", ()) + texts
        else:
            fields["references"] = fields.get("references", ()) + tuple(map(Reference, texts))
    return fields


def _shared_values(part: RolePart, item: str, rows: list[Row]) -> Row:
    """Return the first row with values; all rows of the item must have the same, or none."""
    telling = [row for row in rows if any(value is not None for value in row[4:])] or rows[:1]
    for row in telling[1:]:
        if row[4:] != telling[0][4:]:
            pairs = zip(part.columns[3:], telling[0][4:], row[4:], strict=True)
            column = next(matched.header for matched, a, b in pairs if a != b)
            here, there = part.table.place(row[0]), part.table.place(telling[0][0])
            raise AlignmentError(f"{here}: item {item!r} has another {column!r} here than in {there}")
    return telling[0]


def _references(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    for row in rows:
        _require_values(part, row, 3)
    return {"references": tuple(Reference(*row[2:4]) for row in rows)}


def _judgments(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    for row in rows:
        _require_values(part, row, 6)
        if not isfinite(row[5]):
            raise part.table.error_at(row[0], f"the score is {row[5]}, not a number")
    judgments = tuple(Judgment(*row[2:6]) for row in rows)
    if len(part.columns) == 5:  # no occasions, kinds or directions
        return {"judgments": judgments}
    at = {matched.column.name: place for place, matched in enumerate(part.columns, 1)}
    fields: dict[str, Any] = {"judgments": judgments}
    if "occasion" in at:
        occasions = (_occasion(part, row, at["occasion"]) for row in rows)
        fields["judgments"] = tuple(j._replace(occasion=n) for j, n in zip(judgments, occasions, strict=True))
    if "kind" in at:
        kinds = [row[at["kind"]] for row in rows]
        fields["judgments"] = tuple(j._replace(kind=k) for j, k in zip(fields["judgments"], kinds, strict=True))
    if "best" in at:
        fields["extra"] = _stated_best(part, rows, at["best"])
    return fields


def _stated_best(part: RolePart, rows: list[Row], at: int) -> dict[str, Any]:
    """Return the scales that the column `best` states, as an item holds them; an empty cell states nothing."""
    scales: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row[at] is not None:
            best = row[at] if row[at] in ("high", "low") else _number(part, row, at)
            if scales.setdefault(row[4], {"best": best})["best"] != best:
                raise part.table.error_at(row[0], f"another end of {row[4]!r} is best here than in an earlier row")
    return {"scales": scales} if scales else {}


def _number(part: RolePart, row: Row, at: int) -> float:
    try:
        number = float(row[at])
    except ValueError:
        raise part.table.error_at(row[0], f"best must be high, low or a number; got {row[at]!r}") from None
    return int(number) if number.is_integer() else number


def _merge_scales(extra: dict[str, Any], judged: dict[str, Any]) -> dict[str, Any]:
    """Add the scales that the judgments state to the item's other keys, among which they may stand already."""
    return {**extra, "scales": {**judged["scales"], **extra.get("scales", {})}} if judged else extra


def _occasion(part: RolePart, row: Row, at: int) -> int:
    """Return the number of the occasion; an empty cell means the first."""
    number = 1 if row[at] is None else row[at]
    if number != int(number):
        raise part.table.error_at(row[0], f"the occasion is {number}, not a whole number")
    return int(number)


def _item(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    if len(rows) > 1:
        raise _duplicate(part, rows[1][0], rows[0][0], item, "a row of its own")
    values = {matched.column.name: value for matched, value in zip(part.columns[1:], rows[0][2:], strict=True)}
    labels = {name: values.pop(name, None) for name in ("group", "cluster", "run")}
    source, sources = values.pop("source", None), values.pop("sources", None)
    extra = _extra(part, rows[0], values.pop("extra", None))
    extra |= {name: value for name, value in values.items() if value is not None}
    sources = tuple(_refuse_nulls(part, rows[0], sources or ())) or (() if source is None else (source,))
    return {**labels, "sources": sources, "extra": extra}


def _sources(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    first, *others = (_item(part, item, [row]) for row in rows)
    for row, other in zip(rows[1:], others, strict=True):
        if {**other, "sources": ()} != {**first, "sources": ()}:
            here, there = part.table.place(row[0]), part.table.place(rows[0][0])
            raise AlignmentError(f"{here}: item {item!r} differs from {there} in more than its source")
    return {**first, "sources": tuple(chain.from_iterable(fields["sources"] for fields in (first, *others)))}


def _extra(part: RolePart, row: Row, text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise part.table.error_at(row[0], f"column 'extra' is not a JSON object ({error})") from error


def _require_values(part: RolePart, row: Row, upto: int) -> None:
    """Raise unless the needed columns, from the third place of the row on, hold something."""
    if None in row[2:upto]:
        raise _empty_cell(part, row, row.index(None, 2))


def _empty_cell(part: RolePart, row: Row, at: int) -> FormatError:
    return part.table.error_at(row[0], f"nothing in column {part.columns[at - 1].header!r}")


def _refuse_nulls(part: RolePart, row: Row, texts: Sequence[str]) -> Sequence[str]:
    if None in texts:
        raise part.table.error_at(row[0], "a list of texts holds a null")
    return texts


def _duplicate(part: RolePart, again: int, first: int, item: str, what: str) -> AlignmentError:
    return AlignmentError(f"{part.table.place(again)}: item {item!r} has {what} already in {part.table.place(first)}")


BUILDERS = {
    "outputs": _outputs,
    "references": _references,
    "judgments": _judgments,
    "items": _item,
    "sources": _sources,
    "records": build_fields,
}
