"""Print the JSON Schema of the records that --json prints: which fields the records of each kind have.

assay schema > records.schema.json
assay schema comparison system pair      (only these kinds)
assay schema --list                      (the kinds, and which command prints them)

The version goes up if a field or kind is removed or renamed, or changes its meaning; one that is added keeps it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ..errors import UnknownName
from ._options import add
from ._show import json_line, show

if TYPE_CHECKING:
    from ..data.record_kinds import RecordKinds

SUMMARY = "print the JSON Schema of the records that --json prints"


class SchemaRecord(TypedDict):
    """The JSON Schema of the records, or of some kinds of them."""

    kind: Literal["schema"]
    version: int
    document: dict[str, Any]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", nargs="*", help="kinds of records (default: all)")
    add(parser, "list", "json", list={"detail": "the kinds, with the commands that print them"})


def run(args: argparse.Namespace) -> int:
    import json

    schema = select_kinds(read_schema(), args.kind)
    if args.list:
        show([_list_kinds(schema)], as_json=args.json)
        return 0
    record: SchemaRecord = {"kind": "schema", "version": schema["version"], "document": schema}
    print(json_line(record) if args.json else json.dumps(schema, indent=2, ensure_ascii=False) + "\n", end="")
    return 0


def read_schema() -> dict[str, Any]:
    """Read the schema that was made from the types of all Results when the package was built."""
    import json
    from importlib.resources import files

    schema: dict[str, Any] = json.loads((files("assay") / "cli" / "schema.json").read_text("utf-8"))
    return schema


def select_kinds(schema: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    """Return the schema of some kinds of records; all where none is named."""
    definitions = schema["$defs"]
    for kind in kinds:
        if kind not in definitions:
            raise UnknownName("kind of record", kind, definitions, hint="(assay schema --list has all)")
    names = list(dict.fromkeys(kinds)) or list(definitions)
    refs = [{"$ref": f"#/$defs/{name}"} for name in names]
    return {**schema, "oneOf": refs, "$defs": {name: definitions[name] for name in names}}


def _list_kinds(schema: dict[str, Any]) -> RecordKinds:
    from ..data.record_kinds import RecordKind, RecordKinds

    kinds = (
        RecordKind(name, tuple(entry["x-commands"]), entry["description"]) for name, entry in schema["$defs"].items()
    )
    return RecordKinds(schema["version"], tuple(kinds))
