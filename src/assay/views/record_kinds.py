"""Show which kinds of records there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Table, View, text_column
from ._format import format_count, shorten_text

if TYPE_CHECKING:
    from ..data.record_kinds import RecordKinds

_WIDTH = 100  # of the whole table
_PYTHON_ONLY = "(only in Python)"


def view_record_kinds(result: RecordKinds) -> View:
    """Show the kinds, a line each, with the commands that print them."""
    names = [kind.name for kind in result.kinds]
    commands = [", ".join(kind.commands) or _PYTHON_ONLY for kind in result.kinds]
    room = _WIDTH - 4 - max(map(len, names), default=0) - max(map(len, commands), default=0)
    meanings = [shorten_text(kind.meaning, room) for kind in result.kinds]
    columns = [text_column("kind", names), text_column("printed by", commands), text_column("what it is", meanings)]
    headline = f"{format_count(len(result.kinds), 'kind')} of records, version {result.version} of the schema."
    return View([headline], [Table(columns)], notes=["assay schema KIND prints the fields of a kind."])
