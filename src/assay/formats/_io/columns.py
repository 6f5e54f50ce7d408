"""Columns of tables: the names they go by, and how each is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ...errors import FormatError, NoOutputs
from .roles import role_of_header

# name: a CSV cell that is empty means none. text: empty is a text. passage: a text, of which an empty cell means none.
# texts: a list (in CSV, a JSON array). Of CSV alone: mixed, a list or one text. Of records alone: numbers, a list;
# systems, {name: text}; records, [{...}].
Kind = Literal["name", "text", "passage", "texts", "mixed", "number", "count", "numbers", "systems", "records"]


class TableColumn(NamedTuple):
    """A column that a table may have: its name, how it is read, and the other names it goes by."""

    name: str
    kind: Kind
    aliases: tuple[str, ...] = ()
    needed: bool = True


ITEM = TableColumn("item", "name", ("item_id", "doc_id", "id"))
SYSTEM = TableColumn("system", "name", ("model", "system_id", "model_id"))
GROUP = TableColumn("group", "name", (), needed=False)
CLUSTER = TableColumn("cluster", "name", (), needed=False)
RUN = TableColumn("run", "name", (), needed=False)
SOURCE = TableColumn("source", "name", ("src", "input"), needed=False)
SOURCES = TableColumn("sources", "texts", (), needed=False)

# In the order in which they choose: in a table of references, `id` is the item unless there is an `item`, and
# `reference` is the text unless there is a `text`.
ROLES: dict[str, tuple[TableColumn, ...]] = {
    "outputs": (
        ITEM,
        SYSTEM,
        TableColumn("text", "text", ("output", "prediction", "summary", "hypothesis")),
        *(GROUP, CLUSTER, RUN),
        SOURCE,
        SOURCES,
        TableColumn("references", "texts", (), needed=False),
        TableColumn("reference", "name", ("ref", "target"), needed=False),
    ),
    "references": (
        ITEM,
        TableColumn("text", "text", ("reference", "ref", "target")),
        TableColumn("id", "name", ("reference_id", "ref_id", "reference", "ref", "author"), needed=False),
    ),
    "judgments": (
        ITEM,
        SYSTEM,
        TableColumn("rater", "name", ("annotator", "judge", "worker", "rater_id")),
        TableColumn("dimension", "name", ("criterion", "aspect")),
        TableColumn("score", "number", ("rating", "value")),
        TableColumn("occasion", "count", (), needed=False),
        TableColumn("kind", "name", ("rater_kind", "rater_type"), needed=False),  # of the rater: human, llm or metric
        TableColumn("best", "name", (), needed=False),  # of the dimension's scale: high, low or a number
    ),
    "items": (ITEM, GROUP, CLUSTER, RUN, SOURCE, SOURCES, TableColumn("extra", "name", (), needed=False)),
    "sources": (  # texts to work on: an item's rows give its sources in order
        ITEM,
        *(GROUP, CLUSTER, RUN),
        TableColumn("source", "text", ("src", "input", "text", "sentence"), needed=False),
        SOURCES,
        TableColumn("extra", "name", (), needed=False),
    ),
    "scores": (
        SYSTEM,
        TableColumn("item", "name", ITEM.aliases, needed=False),
        TableColumn("metric", "name", ("signature", "name")),
        TableColumn("score", "number", ("value",)),
        TableColumn("n", "count", (), needed=False),
        *(CLUSTER, RUN),
        TableColumn("statistics", "text", (), needed=False),
    ),
}
# The headers of the tables that are written here; a table with any other is read by the names people use.
OWN_HEADERS = frozenset(column.name for columns in ROLES.values() for column in columns)
OURS = ("id", "references", "outputs", "judgments")  # what an item is made of cannot also be among its extras
MAX_COLUMNS = 4096  # of a table, or keys of records
NUMBERED = re.compile(r"(?:reference|ref|target)[ _]?([0-9]{1,6})")


class MatchedColumn(NamedTuple):
    """A column found in a file, with its header there."""

    column: TableColumn
    header: str


def match_columns(role: str, headers: Sequence[str], path: object) -> list[MatchedColumn]:
    """Match the headers of a file to the columns of a role; an error lists the headers if one is missing."""
    refuse_repeated_headers(headers, path)
    free = {_fold(header): header for header in headers}
    matched = []
    for column in ROLES[role]:
        header = next((free.pop(name) for name in (column.name, *column.aliases) if name in free), None)
        if header is not None:
            matched.append(MatchedColumn(column, header))
        elif column.needed:
            error = NoOutputs if (role, column.name) == ("outputs", "text") else FormatError
            raise error(_missing(column, role, headers), path=path)
    if role == "outputs":
        matched += _numbered_references(free)
    if role in ("items", "sources"):
        matched += [
            MatchedColumn(TableColumn(header, "name", needed=False), header)
            for name, header in free.items()
            if name not in OURS
        ]
    return matched


def refuse_repeated_headers(headers: Sequence[str], path: object) -> None:
    """Raise where two columns have one name (which is meant?), or there are more than any table of texts has."""
    if len(headers) > MAX_COLUMNS:
        message = f"there are {len(headers):,} columns; at most {MAX_COLUMNS:,} are read"
        raise FormatError(message, path=path)
    names = [_fold(header) for header in headers if header.strip()]
    if twice := next((h for h in headers if names.count(_fold(h)) > 1), None):
        raise FormatError(f"two columns are called {twice!r}", path=path)


def has_own_headers(headers: Sequence[str]) -> bool:
    """Check if the columns are those of a table written here, so that it is read as it was written.

    >>> has_own_headers(["item", "system", "text", "reference_1"]), has_own_headers(["id", "prediction"])
    (True, False)
    """
    names = [_fold(header) for header in headers]
    own = all(name in OWN_HEADERS or NUMBERED.fullmatch(name) for name in names)
    return own and ("item" in names or "metric" in names)


def role_of(headers: Sequence[str], *, text_as_source: bool = False) -> str:
    """Return the role of a single table: sources if it has some and names no system, output or reference.

    A column `text` may be either, and is an output unless `text_as_source`.

    >>> role_of(["id", "source"]), role_of(["id", "text"]), role_of(["id", "text"], text_as_source=True)
    ('sources', 'outputs', 'sources')
    """
    names = {_fold(header) for header in headers}
    roles = {named[0] for header in headers if (named := role_of_header(header))}
    text = {"text", "sentence"} if text_as_source else set()
    if roles & {"output", "reference", "system"} or names & ({"text", "summary"} - text):
        return "outputs"
    return "sources" if names & {SOURCE.name, *SOURCE.aliases, SOURCES.name, *text} else "outputs"


def _numbered_references(free: dict[str, str]) -> list[MatchedColumn]:
    """Match reference_1, reference_2, ... in the order of their numbers."""
    numbers = {name: int(match[1]) for name in free if (match := NUMBERED.fullmatch(name))}
    column = TableColumn("reference", "name", needed=False)
    return [MatchedColumn(column, free[name]) for name in sorted(numbers, key=numbers.__getitem__)]


def _missing(column: TableColumn, role: str, headers: Sequence[str]) -> str:
    others = f" (or {', '.join(column.aliases)})" if column.aliases else ""
    there = ", ".join(repr(header[:24]) for header in list(headers)[:12])
    return f"no column {column.name!r}{others} in this table of {role}; its columns are {there}"


def _fold(header: str) -> str:
    return header.strip().lower()
