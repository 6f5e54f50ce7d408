"""JSON that is not written as ours: which shape it has, and the records in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from ...data.sequences import preview
from ...errors import FormatError
from .json_items import KEYS, Header
from .roles import NAMES, WEAK_TEXTS, fold, is_metadata, role_of_header

SYSTEM_NAMES = NAMES["output"] | NAMES["system"]
ID, SYSTEM = "id", "system"  # keys that records get where the shape told them


def is_own_item(record: Mapping[str, Any]) -> bool:
    """Check if a record is an item as we write it: with an id and texts by system, or with no outputs at all."""
    if record.keys() <= set(Header.__struct_fields__):
        return True
    if isinstance(record.get("id"), list | Mapping) or isinstance(record.get("outputs"), list | str):
        return False
    if "outputs" not in record and any(_holds_answers(key, value) for key, value in record.items()):
        return False
    others = [key for key in record if key not in KEYS]
    roles = {named[0] for key in others if (named := role_of_header(key))}
    if isinstance(record.get("id"), str | int) and isinstance(record.get("outputs"), Mapping):
        texts_of = {text_role(key, record[key]) for key in others}
        has_source = record.get("source") is not None or record.get("sources") is not None
        return ("reference" not in roles or "references" in record) and ("source" not in texts_of or has_source)
    if "id" not in record or "outputs" in record or roles & {"output", "system"}:
        return KEYS.issuperset(record) and "id" in record
    has_reference = "reference" in roles or bool(record.get("references"))
    texts = {fold(key) for key in others} & {"text", "summary"}
    unknown = [k for k in others if isinstance(record[k], str) and role_of_header(k) is None and not is_metadata(k)]
    has_source = record.get("source") is not None or record.get("sources") is not None
    return not (has_reference and (texts or (unknown and (not has_source or "reference" in roles))))


def text_role(key: str, value: Any) -> str | None:
    """Return the role that a key of a text names: a word alone is a label, of whatever name.

    >>> text_role("input", "a b"), text_role("document", "d12"), text_role("gold", ["a b"])
    ('source', None, 'reference')
    """
    text = value[0] if isinstance(value, list) and value else value
    named = role_of_header(key)
    return named[0] if named and isinstance(text, str) and " " in text else None


def _holds_answers(key: str, value: Any) -> bool:
    """Check if a value is a text for each system, an object with an output, a list with a text for each, or a chat."""
    if isinstance(value, Mapping):
        texts = bool(value) and all(isinstance(text, str) and " " in text for text in value.values())
        return (fold(key) in WEAK_TEXTS and texts) or any(text_role(inner, value[inner]) == "output" for inner in value)
    entries = value if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value) else []
    if not entries:
        return False
    from .evidence import find_system_text

    return all(find_system_text(e) or {"role", "content"} <= e.keys() or "message" in e for e in entries)


def list_records(value: Any, path: object) -> list[Mapping[str, Any]]:
    """Return the records of a whole JSON document, or of Python objects of such a shape.

    A list of objects; an object of columns (lists, or objects by id); one list of objects inside an object; a list of
    objects per system; objects by id; what pandas writes (`orient` records, columns, index, split).
    """
    if isinstance(value, Mapping):
        return _of_object(value, path)
    if _is_list(value):
        if len(value) > 1 and all(map(_is_list, value)) and all(isinstance(cell, str) for cell in value[0]):
            return _zip_rows(value[0], value[1:], path)
        for number, record in enumerate(value, 1):
            if not isinstance(record, Mapping):
                raise _no_records(f"entry {number} is {_kind(record)}", path)
        return list(value)
    raise _no_records(f"it is {_kind(value)}", path)


def _of_object(value: Mapping[str, Any], path: object) -> list[Mapping[str, Any]]:
    for rows in ("data", "rows"):  # pandas, orient="split"; results of queries
        if _is_list(value.get("columns")) and _is_list(value.get(rows)):
            return _zip_rows(value["columns"], value[rows], path)
    value = _gather_systems(value)
    lists = {key: entry for key, entry in value.items() if _is_list(entry)}
    objects = {key: entry for key, entry in value.items() if isinstance(entry, Mapping)}
    records = {k: v for k, v in lists.items() if v and all(isinstance(entry, Mapping) for entry in v)}
    texts = [key for key in value if (role := role_of_header(key)) and role[0] in ("output", "reference", "source")]
    if len(objects) == len(value) > 1 and _are_columns(objects):
        return _of_objects(objects)
    if any(key not in lists and key not in objects for key in texts) or (objects.keys() & texts and "id" in value):
        return [value]  # one item
    if len(records) == 1 and len(lists) == 1 and records.keys() >= set(texts):
        return list(next(iter(records.values())))
    if len(objects) == len(value) == 1 and _holds_rows(next(iter(objects.values()))):  # {"systems": {name: [...]}}
        return _of_object(next(iter(objects.values())), path)
    if len(records) > 1 and len(records) == len(lists):
        return [{SYSTEM: name, **record} for name, entries in records.items() for record in entries]
    if lists and not objects and (texts or len(lists) == len(value)):
        return _zip_columns(lists, path)
    if objects and len(objects) == len(value):
        return _of_objects(objects)
    if len(objects) == 1 and not texts:  # {"results": {"data": [...]}}
        return _of_object(next(iter(objects.values())), path)
    raise _no_records(f"it is an object with {', '.join(map(repr, list(value)[:8])) or 'nothing in it'}", path)


def _are_columns(objects: Mapping[str, Mapping[str, Any]]) -> bool:
    """Check if these are columns as pandas writes them: {"id": {"0": ..., "1": ...}, ...}."""
    first, *others = objects.values()
    return all(str(key).isdigit() for key in first) and all(other.keys() == first.keys() for other in others)


def _gather_systems(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an object of columns in which lists by system under one key are one column of texts by system."""
    lists = [key for key, entry in value.items() if _is_list(entry)]
    by_system = [
        key
        for key, entry in value.items()
        if isinstance(entry, Mapping) and entry and fold(key) in SYSTEM_NAMES and all(map(_is_list, entry.values()))
    ]
    if len(by_system) != 1 or not lists:
        return value
    key = by_system[0]
    rows = [dict(zip(value[key], texts, strict=False)) for texts in zip(*value[key].values(), strict=False)]
    sizes = {len(entry) for entry in value[key].values()}
    return {**value, key: rows} if len(sizes) == 1 else value


def _zip_columns(lists: Mapping[str, Sequence[Any]], path: object) -> list[Mapping[str, Any]]:
    lists = {key: _by_item(key, entry, lists) for key, entry in lists.items()}
    sizes = {key: len(entry) for key, entry in lists.items()}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{key!r} has {size}" for key, size in sizes.items())
        raise FormatError(f"the lists differ in length: {counts}; give one entry per item", path=path)
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _by_item(key: str, entry: Sequence[Any], lists: Mapping[str, Sequence[Any]]) -> Sequence[Any]:
    """Return references by item, where they are given as sacreBLEU takes them: a list for each of several streams."""
    sizes = {len(other) for name, other in lists.items() if name != key}
    named = role_of_header(key)
    if len(sizes) != 1 or len(entry) in sizes or named is None or named[0] != "reference":
        return entry
    streams = all(_is_list(stream) and {len(stream)} == sizes for stream in entry)
    return list(map(list, zip(*entry, strict=True))) if streams else entry


def _of_objects(objects: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Read {id: {key: value}}, or {key: {id: value}}: by which of the two names roles."""
    inner = dict.fromkeys(chain.from_iterable(objects.values()))
    if all(_holds_items(by_item) for by_item in objects.values()):  # {system: {id: {key: value}}}
        return [{SYSTEM: name, ID: key, **row} for name, by_item in objects.items() for key, row in by_item.items()]
    if any(role_of_header(str(key)) for key in inner) and not any(role_of_header(key) for key in objects):
        return [record if ID in record else {ID: name, **record} for name, record in objects.items()]
    return [{ID: name, **{key: column.get(name) for key, column in objects.items()}} for name in inner]


def _holds_items(by_item: Mapping[str, Any]) -> bool:
    """Check if these are objects by id, with the keys of items."""
    rows = list(by_item.values())
    named = not any(role_of_header(str(key)) for key in by_item)
    return bool(rows) and named and all(isinstance(row, Mapping) and any(map(role_of_header, row)) for row in rows)


def _holds_rows(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(_is_list(rows) and rows and isinstance(rows[0], Mapping) for rows in value.values())


def _zip_rows(headers: Sequence[Any], rows: Sequence[Any], path: object) -> list[Mapping[str, Any]]:
    """Return rows of cells as objects, by the names of their columns."""
    names = list(map(str, headers))
    if not any(map(role_of_header, names)):
        raise _no_records(f"it is a list of lists, and its first, {preview(names)}, names no columns", path)
    for number, row in enumerate(rows, 1):
        if not _is_list(row) or len(row) != len(names):
            raise _no_records(f"row {number} does not have the {len(names)} cells that the header has", path)
    return [dict(zip(names, row, strict=True)) for row in rows]


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _no_records(what: str, path: object) -> FormatError:
    message = f"no records were found: {what}; give a list of objects, or an object with one list per column"
    return FormatError(message, path=path)
