"""JSON that is not written as ours: which shape it has, and the records in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from ...errors import FormatError
from .json_items import KEYS, Header
from .roles import fold, is_metadata, role_of_header

ID, SYSTEM = "id", "system"  # keys that records get where the shape told them


def is_own_item(record: Mapping[str, Any]) -> bool:
    """Tell whether a record is an item as we write it: with an id and texts by system, or with no outputs at all."""
    if record.keys() <= set(Header.__struct_fields__):
        return True
    others = [key for key in record if key not in KEYS]
    roles = {named[0] for key in others if (named := role_of_header(key))}
    if isinstance(record.get("id"), str | int) and isinstance(record.get("outputs"), Mapping):
        return "reference" not in roles or "references" in record
    if "id" not in record or "outputs" in record or roles & {"output", "system"}:
        return KEYS.issuperset(record) and "id" in record
    has_reference = "reference" in roles or bool(record.get("references"))
    texts = {fold(key) for key in others} & {"text", "summary"}
    unknown = [k for k in others if isinstance(record[k], str) and role_of_header(k) is None and not is_metadata(k)]
    has_source = record.get("source") is not None or record.get("sources") is not None
    return not (has_reference and (texts or (unknown and not has_source)))


def list_records(value: Any, path: object) -> list[Mapping[str, Any]]:
    """Return the records of a whole JSON document, or of Python objects of such a shape.

    A list of objects; an object of columns (lists, or objects by id); one list of objects inside an object; a list of
    objects per system; objects by id; what pandas writes (`orient` records, columns, index, split).
    """
    if isinstance(value, Mapping):
        return _of_object(value, path)
    if _is_list(value):
        for number, record in enumerate(value, 1):
            if not isinstance(record, Mapping):
                raise _no_records(f"entry {number} is {_kind(record)}", path)
        return list(value)
    raise _no_records(f"it is {_kind(value)}", path)


def _of_object(value: Mapping[str, Any], path: object) -> list[Mapping[str, Any]]:
    if _is_list(value.get("columns")) and _is_list(value.get("data")):  # pandas, orient="split"
        return [dict(zip(value["columns"], row, strict=False)) for row in value["data"]]
    lists = {key: entry for key, entry in value.items() if _is_list(entry)}
    objects = {key: entry for key, entry in value.items() if isinstance(entry, Mapping)}
    records = {k: v for k, v in lists.items() if v and all(isinstance(entry, Mapping) for entry in v)}
    texts = [key for key in value if (role := role_of_header(key)) and role[0] in ("output", "reference", "source")]
    if any(key not in lists and key not in objects for key in texts) or (objects.keys() & texts and "id" in value):
        return [value]  # one item
    if len(records) == 1 and not texts:
        return list(next(iter(records.values())))
    if len(records) > 1 and len(records) == len(lists):
        return [{SYSTEM: name, **record} for name, entries in records.items() for record in entries]
    if lists and not objects and (texts or len(lists) == len(value)):
        return _zip_columns(lists, path)
    if objects and len(objects) == len(value):
        return _of_objects(objects)
    if len(objects) == 1 and not texts:  # {"results": {"data": [...]}}
        return _of_object(next(iter(objects.values())), path)
    raise _no_records(f"it is an object with {', '.join(map(repr, list(value)[:8])) or 'nothing in it'}", path)


def _zip_columns(lists: Mapping[str, Sequence[Any]], path: object) -> list[Mapping[str, Any]]:
    sizes = {key: len(entry) for key, entry in lists.items()}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{key!r} has {size}" for key, size in sizes.items())
        raise FormatError(f"the lists differ in length: {counts}; give one entry per item", path=path)
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _of_objects(objects: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Read {id: {key: value}}, or {key: {id: value}}: by which of the two names roles."""
    inner = dict.fromkeys(chain.from_iterable(objects.values()))
    if any(role_of_header(str(key)) for key in inner) and not any(role_of_header(key) for key in objects):
        return [record if ID in record else {ID: name, **record} for name, record in objects.items()]
    return [{ID: name, **{key: column.get(name) for key, column in objects.items()}} for name in inner]


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _no_records(what: str, path: object) -> FormatError:
    message = f"no records were found: {what}; give a list of objects, or an object with one list per column"
    return FormatError(message, path=path)
