"""Build an item from rows with recognized columns: outputs, references, sources and ratings in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ...data.item import Judgment, Reference
from ...errors import AlignmentError
from .evidence import find_system_text, is_about, names_rating
from .layout import POSITIONAL, WEAK_RATERS, Slot
from .roles import LLM_NAME, NAMES, fold, is_metadata, role_of_header

if TYPE_CHECKING:
    from .table_read import RolePart, Row

UNNAMED = "rater"  # who judged, where nothing tells
SHARED = ("group", "cluster", "run", "source", "reference")  # what the rows of an item must agree on


class Rating(NamedTuple):
    """One score in a row; `system` is None where the row does not say which output it is of."""

    system: str | None
    rater: str
    dimension: str
    score: float
    occasion: int = 1
    kind: str | None = None


def build_fields(part: RolePart, item: str, rows: list[Row]) -> dict[str, Any]:
    """Return the fields of an item from its rows; outputs and what is shared must be the same wherever they recur."""
    assert part.layout is not None
    slots = part.layout.slots[len(part.layout.of("id")) :]
    fields = _shared_fields(part, item, rows, slots)
    outputs: dict[str, str] = {}
    first_rows: dict[str, int] = {}
    judgments: list[Judgment] = []
    for row in rows:
        system = _system(part, row, slots)
        judged = list(ratings(part, row, slots))
        for name, text in _outputs(part, row, slots, system):
            if name in outputs and (text != outputs[name] or not judged):
                here, there = part.table.place(row[0]), part.table.place(first_rows[name])
                raise AlignmentError(f"{here}: item {item!r} has an output of system {name!r} already in {there}")
            first_rows.setdefault(name, row[0])
            if text is not None:  # else there is no output; the EvalSet decides whether that may be
                outputs.setdefault(name, text)
        missing = first_rows.keys() - outputs.keys()  # nothing there to be judged
        judgments += [Judgment(name, *r[1:]) for r in judged if (name := r.system or system) not in missing]
    if len(rows) > 1 and any(slot.judge for slot in slots):  # a metric's score stands in the row of every rater
        judgments = [j for n, j in enumerate(judgments) if j.kind is None or j not in judgments[:n]]
    return {**fields, "outputs": outputs, "judgments": tuple(judgments)}


def ratings(part: RolePart, row: Row, slots: tuple[Slot, ...]) -> Iterator[Rating]:
    """Yield the scores in a row; a cell without a number is none."""
    cells = {slot.role: row[at] for at, slot in enumerate(slots, 2) if slot.role != "score"}
    system, rater, dimension = cells.get("system"), cells.get("rater") or UNNAMED, cells.get("dimension")
    occasion, kind = int(cells.get("occasion") or 1), cells.get("kind")
    if kind is None and "rater" in cells and LLM_NAME.fullmatch(fold(rater)):
        kind = "llm"
    for at, slot in enumerate(slots, 2):
        if slot.role != "score" or row[at] is None:
            continue
        if slot.kind == "records":
            yield from _entry_ratings(part, row, slot, row[at], system)
        elif slot.kind == "numbers":
            for n, score in enumerate(row[at], 1):
                if score is not None:
                    yield Rating(slot.system or system, f"rater{n}", dimension or slot.name, score, occasion, kind)
        elif isfinite(row[at]):
            name = dimension or slot.name or "score"
            yield Rating(slot.system or system, slot.rater or rater, name, row[at], occasion, slot.judge or kind)


def _entry_ratings(
    part: RolePart, row: Row, slot: Slot, entries: list[dict[str, Any]], system: str | None
) -> Iterator[Rating]:
    """Yield the ratings in a list of objects: an object is a rater's, known by name, else by its place in the list."""
    prefix = slot.name.lower()
    for ending in POSITIONAL:
        prefix = prefix.removesuffix(ending)
    prefix = prefix.strip("_- ") or UNNAMED
    for n, entry in enumerate(entries, 1):
        named = {known[0]: value for key, value in entry.items() if (known := role_of_header(key))}
        weak = next((value for key, value in entry.items() if fold(key) in WEAK_RATERS), None)
        rater = str(named.get("rater") or weak or f"{prefix}{n}")
        whose = str(named["system"]) if named.get("system") else system
        occasion, kind = int(named.get("occasion") or 1), named.get("kind")
        if "dimension" in named and "score" in named:
            yield Rating(
                whose, rater, str(named["dimension"]), _finite(part, row, slot, named["score"]), occasion, kind
            )
            continue
        for owner, key, value in _numbers_of(entry):
            yield Rating(owner or whose, rater, key, _finite(part, row, slot, value), occasion, kind)


def _numbers_of(entry: Mapping[str, Any], owner: str | None = None) -> Iterator[tuple[str | None, str, float]]:
    """Yield system, name and value of the ratings of one rater; they may stand in objects, one for each system."""
    for key, value in entry.items():
        known = role_of_header(key)
        if is_metadata(key) or is_about(key):
            continue
        if isinstance(value, Mapping) and fold(key) in (*POSITIONAL, "values"):
            yield from _numbers_of(value, owner)
        elif isinstance(value, Mapping) and value and all(map(names_rating, value)):
            yield from _numbers_of(value, key)
        elif isinstance(value, int | float) and value == value and (known is None or known[0] == "score"):
            yield owner, key, value


def _finite(part: RolePart, row: Row, slot: Slot, value: Any) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        raise part.table.error_at(row[0], f"a score in {slot.header!r} should be a number; it is {value!r}")
    return float(value)


def _system(part: RolePart, row: Row, slots: tuple[Slot, ...]) -> str:
    assert part.layout is not None
    for at, slot in enumerate(slots, 2):
        if slot.role == "system":
            if row[at] is None:
                raise part.table.error_at(row[0], f"nothing in column {slot.header!r}")
            return str(row[at])
    own = [slot.system for slot in slots if slot.role == "output" and slot.system]
    return own[0] if len(own) == 1 else part.layout.system


def _outputs(part: RolePart, row: Row, slots: tuple[Slot, ...], system: str) -> Iterator[tuple[str, str | None]]:
    """Yield the outputs of a row, each with its system."""
    for at, slot in enumerate(slots, 2):
        if slot.role != "output":
            continue
        if slot.kind == "systems":
            yield from (row[at] or {}).items()
        elif slot.kind == "records":
            for entry in row[at] or ():
                yield _entry_output(part, row, slot, entry)
        else:
            yield slot.system or system, row[at]


def _entry_output(part: RolePart, row: Row, slot: Slot, entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return system and text of an object in a list of outputs."""
    if (pair := find_system_text(entry)) is None:
        raise part.table.error_at(
            row[0], f"an output in {slot.header!r} needs a system and a text; it is {entry!r:.60}"
        )
    return pair


def _shared_fields(part: RolePart, item: str, rows: list[Row], slots: tuple[Slot, ...]) -> dict[str, Any]:
    """Return group, cluster, run, sources and references; all rows of the item must have the same, or none."""
    places = [at for at, slot in enumerate(slots, 2) if slot.role in SHARED]
    telling = [row for row in rows if any(row[at] is not None for at in places)] or rows[:1]
    for row in telling[1:]:
        for at in places:
            if row[at] != telling[0][at]:
                here, there = part.table.place(row[0]), part.table.place(telling[0][0])
                raise AlignmentError(f"{here}: item {item!r} has another {slots[at - 2].header!r} here than in {there}")
    fields: dict[str, Any] = {"group": None, "sources": (), "references": ()}
    for at in places:
        slot, value = slots[at - 2], telling[0][at]
        if value is None:
            continue
        if slot.role in ("group", "cluster", "run"):
            fields[slot.role] = value
        elif slot.role == "source":
            fields["sources"] += tuple(r.text for r in _texts(part, telling[0], slot, value))
        else:
            fields["references"] += _texts(part, telling[0], slot, value)
    return fields


def _texts(part: RolePart, row: Row, slot: Slot, value: Any) -> tuple[Reference, ...]:
    if isinstance(value, str):
        return (Reference(value),)
    if None in value:
        raise part.table.error_at(row[0], "a list of texts holds a null")
    return tuple(Reference(text) if isinstance(text, str) else _entry_text(part, row, slot, text) for text in value)


def _entry_text(part: RolePart, row: Row, slot: Slot, entry: Mapping[str, Any]) -> Reference:
    """Return the text of an object in a list of references; its id is who wrote it, where that is told."""
    text = next((v for k, v in entry.items() if fold(k) in {"text", "summary"} | NAMES[slot.role]), None)
    if isinstance(text, list):
        text = "\n".join(map(str, text))
    if not isinstance(text, str):
        raise part.table.error_at(row[0], f"an entry of {slot.header!r} needs a text; it is {entry!r:.60}")
    who = next((v for k, v in entry.items() if fold(k) in {"id", "author"} | NAMES["system"]), None)
    return Reference(text, None if who is None else str(who))
