"""RecordKinds: which kinds of records the commands print with --json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .result import Result


@dataclass(frozen=True)
class RecordKind:
    """One kind of record: its name, the commands that print it (none where only Python returns it), and what it is."""

    kind: ClassVar[str] = "record_kind"
    name: str
    commands: tuple[str, ...]
    meaning: str


@dataclass(frozen=True)
class RecordKinds(Result, question="record_kinds", kind="record_kinds"):
    """Kinds of records, and the version of the schema that describes them."""

    version: int
    kinds: tuple[RecordKind, ...]
