"""Judgments that lie in a file of their own: read from a table, and added to the items they are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ...data.item import Item, Judgment
from ...data.scale import state_scales
from ...errors import AlignmentError
from .columns import refuse_repeated_headers
from .layout import ColumnMap, recognize
from .layout_items import ratings
from .table_read import RolePart, RowReader, sample_rows, sample_values
from .text_file import ReadProgress

EXAMPLES = 3
_ONLY = "system"  # where a file of judgments names none


class JudgmentRow(NamedTuple):
    """One score by one rater, with the id of its item; the fields are those of a Judgment.

    `system` None means: of the one system that the item has.

    `scale` is what is known of the dimension's scale, as `Scale.keys()` writes it ({"best": "low"}); `place` says where
    the row stands, for errors.
    """

    item: str
    system: str | None
    rater: str
    dimension: str
    score: float
    occasion: int = 1
    kind: str | None = None
    place: str = ""
    scale: Mapping[str, Any] | None = None


def table_judgments(
    table: RowReader, *, progress: ReadProgress | None = None, columns: ColumnMap | None = None
) -> Iterator[JudgmentRow]:
    """Yield the judgments of a table with an id, and perhaps system, rater and dimension, in each row.

    `columns` may name columns of another file too: what is not in this one is not meant for it.
    """
    progress = progress or ReadProgress()
    refuse_repeated_headers(table.headers, table.path)
    own_columns = {role: names for role, names in (columns or {}).items() if _has_all(table.headers, names)}
    layout = recognize(
        table.headers,
        table.holds(),
        path=table.path,
        system="",
        columns=own_columns,
        judgments_only=True,
        sample=lambda header, kind: sample_values(table, header, kind),
        rows=lambda headers: sample_rows(table, headers),
    )
    progress.reading = layout.reading(table.path)
    part = RolePart("judgments", table, layout.to_read(), layout)
    slots = layout.slots[len(layout.of("id")) :]
    best = next((at for at, slot in enumerate(slots, 2) if slot.role == "best"), None)
    for row in part.rows(progress):
        scale = None if best is None or row[best] is None else {"best": _end(row[best])}
        for rating in ratings(part, row, slots):
            yield JudgmentRow(row[1], *rating, place=table.place(row[0]), scale=scale)


def item_judgments(items: Iterable[Item]) -> Iterator[JudgmentRow]:
    """Yield the judgments of items, as rows next to another file of outputs."""
    for item in items:
        scales = item.extra.get("scales") or {}
        for j in item.judgments:
            yield JudgmentRow(item.id, *j, place=item.where, scale=scales.get(j.dimension))


def judged_items(rows: Iterable[JudgmentRow], path: object) -> list[Item]:
    """Return items with these judgments and no texts: each output is the name of its system.

    So the outputs of two systems are never the same text, and one output that was judged twice always is.
    """
    by_item: dict[str, list[JudgmentRow]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    items = []
    for name, own in by_item.items():
        outputs = {system: system for system in (row.system or _ONLY for row in own)}
        item = Item(name, outputs=outputs, where=own[0].place or str(path))
        items.append(add_judgments(item, [row._replace(system=row.system or _ONLY) for row in own]))
    return items


def merge_judgments(items: Iterable[Item], rows: Iterable[JudgmentRow], judged: object, path: object) -> Iterator[Item]:
    """Yield the items with the judgments added that have their id; ids that do not meet are an error with examples.

    `judged` and `path` are the files of the judgments and of the items, for that error.
    """
    waiting: dict[str, list[JudgmentRow]] = {}
    for row in rows:
        waiting.setdefault(row.item, []).append(row)
    total = len(waiting)
    ids: list[str] = []
    for item in items:
        if len(ids) < EXAMPLES:
            ids.append(item.id)
        yield add_judgments(item, waiting.pop(item.id)) if item.id in waiting else item
    if waiting:
        first = next(iter(waiting.values()))[0]
        raise AlignmentError(
            f"{first.place or judged}: {len(waiting)} of the {total} items that are judged are not in {path}: "
            f"{_examples(waiting)}; the ids there are {_examples(ids)}"
        )


def add_judgments(item: Item, rows: Iterable[JudgmentRow]) -> Item:
    """Return the item with further judgments."""
    judgments = [*item.judgments]
    scales: dict[str, Any] = {}
    for row in rows:
        judgments.append(Judgment(_system(item, row), row.rater, row.dimension, row.score, row.occasion, row.kind))
        if row.scale:
            scales[row.dimension] = dict(row.scale)
    item = replace(item, judgments=tuple(judgments))
    return state_scales(item, scales) if scales else item


def _system(item: Item, row: JudgmentRow) -> str:
    place = row.place or item.place
    if row.system is None:
        if len(item.outputs) != 1:
            raise AlignmentError(
                f"{place}: a judgment of item {row.item!r} names no system, and the item has outputs of "
                f"{len(item.outputs)} ({_examples(item.outputs)}); name the column of systems with --columns system=..."
            )
        return next(iter(item.outputs))
    if not all(name in item.outputs for name in item.judged_systems(Judgment(row.system, "", "", 0.0))):
        raise AlignmentError(
            f"{place}: a judgment of item {row.item!r} names system {row.system!r}, which has no output there; "
            f"those with one are {_examples(item.outputs)}"
        )
    return row.system


def _examples(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(map(repr, listed[:EXAMPLES])) + (", ..." if len(listed) > EXAMPLES else "")


def _has_all(headers: list[str], names: str | Iterable[str]) -> bool:
    return all(name in headers for name in ([names] if isinstance(names, str) else names))


def _end(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
