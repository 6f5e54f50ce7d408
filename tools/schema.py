"""Describe the records that `--json` prints as a JSON Schema, from the types of the Results and their rows.

`records()` of a Result follows from the types of its fields (data/result.py), and so does the schema. Records that are
made otherwise are TypedDicts with a `kind`, next to the code that makes them. `python tests/cli/test_schema.py` writes
src/assay/cli/schema.json with this: what each command prints is seen by running it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import assay
from assay.data.result import Result, field_types, is_record, kind_of, plain_fields
from assay.data.statement import Statement

VERSION = 2
ABOUT = (
    "Each line that a command prints with --json is one record; its kind says which fields it has. Numbers are not "
    "rounded; a number that is not defined (NaN) or infinite is null. The version stays the same if kinds or fields "
    "are added, so readers should ignore fields that they do not know. It goes up if a kind or field is removed or "
    "renamed, or changes its type or meaning."
)
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Occurrence(NamedTuple):
    """A record in one place where it occurs: the class that it describes, and its fields with their types."""

    cls: type
    fields: dict[str, Any]
    required: frozenset[str]


def make_schema(commands: Mapping[str, Sequence[str]], grouped: Sequence[str]) -> dict[str, Any]:
    """Make the document; `commands` are those that print a kind, `grouped` those that have --by group."""
    kinds = dict(sorted(collect_kinds().items()))
    definitions = {
        kind: describe_kind(kind, places, commands.get(kind, ()), bool(set(grouped) & set(commands.get(kind, ()))))
        for kind, places in kinds.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:assay:records:{VERSION}",
        "title": "Records of assay --json",
        "description": ABOUT,
        "version": VERSION,
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in definitions],
        "$defs": definitions,
    }


def collect_kinds() -> dict[str, list[Occurrence]]:
    """Collect the records of all Results and TypedDicts by kind; one kind is one class."""
    kinds: dict[str, list[Occurrence]] = {}
    modules = list(load_modules())
    for kind, place in [*result_records(), *typed_records(modules)]:
        places = kinds.setdefault(kind, [])
        if any(place.cls is not other.cls for other in places):
            raise TypeError(f"records of kind {kind!r} are made from {places[0].cls} and {place.cls}")
        places.append(place)
    return kinds


def load_modules() -> Iterator[ModuleType]:
    """Import every module of the package: classes are known once they are imported."""
    for module in pkgutil.walk_packages(assay.__path__, "assay."):
        if module.name != "assay.__main__":
            yield importlib.import_module(module.name)


def result_records() -> Iterator[tuple[str, Occurrence]]:
    """List the records of every Result that does not list its records itself."""
    for cls in subclasses(Result):
        if cls.__module__.startswith("assay."):  # not those of a test
            yield from walk_result(cls, {}, ())


def subclasses(cls: type) -> Iterator[type]:
    """List the subclasses of a class, and theirs."""
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def walk_result(
    cls: type[Result], inherited: Mapping[str, Any], outside: tuple[type, ...]
) -> Iterator[tuple[str, Occurrence]]:
    """List the records of a Result inside others, as `Result.records` does; `inherited` are their shared fields."""
    if cls.records is not Result.records or cls in outside:
        return
    own = {name: field.type for name, field in plain_fields(cls).items()}
    shared = {**inherited, **{name: own[name] for name in cls.shared if name in own}}
    if own:
        yield cls.kind, occurrence(cls, {**inherited, **own})
    if cls.statements is not Result.statements:
        fields = {name: field.type for name, field in plain_fields(Statement).items()}
        yield Statement.kind, occurrence(Statement, {**shared, **fields})
    for hint in field_types(cls).values():
        is_tuple = get_origin(hint) is tuple
        for row in row_types(hint):
            if issubclass(row, Result):
                yield from walk_result(row, shared, (*outside, cls))
            elif is_tuple:
                fields = {name: field.type for name, field in plain_fields(row).items()}
                yield kind_of(row), occurrence(row, {**shared, **fields})


def occurrence(cls: type, fields: dict[str, Any]) -> Occurrence:
    """Return a record in which every field is always there."""
    return Occurrence(cls, fields, frozenset(fields))


def row_types(hint: Any) -> Iterator[type]:
    """List the dataclasses and named tuples in a type: `A | None`, `tuple[A, ...]`, `tuple[A | B, ...]`."""
    for part in get_args(hint) if get_origin(hint) in (tuple, UnionType) else [hint]:
        if is_record(part):
            yield part
        elif get_origin(part) is UnionType:
            yield from row_types(part)


def typed_records(modules: Sequence[ModuleType]) -> Iterator[tuple[str, Occurrence]]:
    """List the TypedDicts with a kind of one word."""
    for module in modules:
        for cls in vars(module).values():
            if is_typeddict(cls) and cls.__module__ == module.__name__:
                hints, required = typed_fields(cls)
                if get_origin(hints.get("kind")) is Literal:
                    (kind,) = get_args(hints.pop("kind"))
                    yield kind, Occurrence(cls, hints, required - {"kind"})


def typed_fields(cls: type) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the fields of a TypedDict with their types, and those that are always there."""
    hints = get_type_hints(cls, include_extras=True)  # __required_keys__ is wrong where annotations are strings
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    fields = {name: get_args(hint)[0] if name in optional else hint for name, hint in hints.items()}
    return fields, frozenset(fields) - optional


def describe_kind(kind: str, places: Sequence[Occurrence], commands: Sequence[str], is_grouped: bool) -> dict[str, Any]:
    """Describe the records of one kind: fields that are not in every place are not required."""
    fields = {name: hint for place in places for name, hint in place.fields.items()}
    required = frozenset.intersection(*(place.required for place in places))
    group = {"item_group": describe_type(str | None)} if is_grouped else {}
    return {
        "type": "object",
        "description": first_sentence(places[0].cls),
        "x-commands": list(commands),
        "properties": {"kind": {"const": kind}, **group, **{n: describe_type(hint) for n, hint in fields.items()}},
        "required": ["kind", *(name for name in fields if name in required)],
    }


def describe_type(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type.

    >>> describe_type(float | None), describe_type(tuple[str, ...])
    ({'type': ['number', 'null']}, {'type': 'array', 'items': {'type': 'string'}})
    """
    origin, parts = get_origin(hint), get_args(hint)
    if hint is float:
        return {"type": ["number", "null"]}  # NaN is null
    if hint in _TYPES:
        return {"type": _TYPES[hint]}
    if origin is UnionType:
        return join_types([describe_type(part) for part in parts])
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple and ... not in parts:
        return {"type": "array", "prefixItems": [*map(describe_type, parts)], "items": False, "minItems": len(parts)}
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": describe_type(parts[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": describe_type(parts[1])}
    if is_typeddict(hint):
        fields, required = typed_fields(hint)
        properties = {name: describe_type(part) for name, part in fields.items()}
        return {"type": "object", "properties": properties, "required": [name for name in fields if name in required]}
    if hint is Any:
        return {}
    raise TypeError(f"no JSON Schema for {hint}")


def join_types(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema that allows what any of some schemas allows."""
    names: list[str] = []
    for schema in schemas:
        names += [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    rest = {key: value for schema in schemas for key, value in schema.items() if key != "type"}
    return {"type": list(dict.fromkeys(names)), **rest}


def first_sentence(cls: type) -> str:
    """Return the first sentence of a docstring."""
    text = " ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", text)[0]
