"""Read items from long tables: rows of one item are joined, in whatever order they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..._core import Seen
from ...data.evalset import Item
from ...errors import AlignmentError, FormatError
from .columns import MatchedColumn, match_columns, role_of
from .pipes import rereadable
from .text_file import ReadProgress, StrPath

Row = tuple[Any, ...]  # row number, item, then the values of the other columns
ROLES = ("outputs", "references", "judgments", "items")
ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")


class RowReader(Protocol):
    """A file of rows."""

    path: StrPath
    headers: list[str]

    def place(self, row: int) -> str: ...
    def error_at(self, row: int, message: str) -> FormatError: ...
    def rows(self, columns: Sequence[MatchedColumn], progress: ReadProgress) -> Iterator[Row]: ...


class RolePart(NamedTuple):
    """A table with the role it plays."""

    role: str
    table: RowReader
    columns: list[MatchedColumn]

    def rows(self, progress: ReadProgress) -> Iterator[Row]:
        """Yield all rows; each has an item."""
        for row in self.table.rows(self.columns, progress):
            if row[1] is None:
                raise self.table.error_at(row[0], f"no item id in column {self.columns[0].header!r}")
            yield row

    def starts(self) -> Iterator[str]:
        """Yield the item of every run of rows of one item."""
        for row in self.table.rows(self.columns[:1], ReadProgress()):
            if row[1] is not None:
                yield row[1]


def open_table(path: StrPath, *, escape_formulas: bool = True) -> RowReader:
    """Open the table in a file: Parquet by the file's name or its first bytes, else CSV."""
    from .csv_rows import CsvReader
    from .parquet_rows import ParquetReader

    path = rereadable(path)
    if Path(path).suffix == ".parquet" or _starts_as_parquet(path):
        return ParquetReader(path)
    return CsvReader(path, escape_formulas=escape_formulas)


def _starts_as_parquet(path: StrPath) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False  # whoever reads it will say what is wrong


def read_tables(
    path: StrPath,
    endings: tuple[str, ...],
    *,
    text_as_source: bool = False,
    progress: ReadProgress | None,
    escape_formulas: bool = True,
    **others: StrPath | None,
) -> Iterator[Item]:
    """Read the items of a table of outputs and its companions, or of a folder of tables with these endings."""
    if Path(path).is_dir():
        paths: dict[str, StrPath] = {**find_tables(Path(path), endings)}
    else:
        paths = {role_of(open_table(path).headers, text_as_source=text_as_source): path}
    paths |= {role: other for role, other in others.items() if other is not None}
    parts = {}
    for role, file in paths.items():
        table = open_table(file, escape_formulas=escape_formulas)
        parts[role] = RolePart(role, table, match_columns(role, table.headers, file))
    return _items(parts, progress or ReadProgress())


def find_tables(folder: Path, endings: tuple[str, ...] = ENDINGS) -> dict[str, Path]:
    """Find the tables of a folder by role."""
    tables: dict[str, Path] = {}
    for role in ROLES:
        files = [folder / f"{role}{s}" for s in ENDINGS if s.removesuffix(".gz") in endings or s in endings]
        existing = [file for file in files if file.exists()]
        if len(existing) > 1:
            raise FormatError(f"two tables of {role}: {existing[0].name} and {existing[1].name}; keep one", path=folder)
        if existing:
            tables[role] = existing[0]
    if "outputs" not in tables and "references" not in tables:
        raise FormatError("the folder holds no outputs.csv or outputs.parquet", path=folder)
    return tables


def _items(parts: dict[str, RolePart], progress: ReadProgress) -> Iterator[Item]:
    from .disk_sort import sort_on_disk
    from .table_items import build_item

    lead = next(parts[role] for role in ("items", "sources", "outputs", "references") if role in parts)
    followers = [part for part in parts.values() if part is not lead]
    if _in_order(lead, followers):
        rows = [lead.rows(progress), *(part.rows(progress.companion()) for part in followers)]
        joined = _join_rows([lead, *followers], rows)
        yield from (build_item(item, groups) for item, groups in joined)
    else:
        with sort_on_disk(lead, followers, progress) as rows:
            joined = _join_rows([lead, *followers], rows)
            yield from (build_item(item, groups) for item, groups in joined)


def _in_order(lead: RolePart, followers: list[RolePart]) -> bool:
    """Tell whether one pass will do: rows of an item are adjacent, and all tables have items in the same order.

    Looks at the item columns only. It must be known beforehand, as an item that was handed out cannot be taken back.
    """
    ids = Seen()
    waiting = [part.starts() for part in followers]
    heads = [_next(starts) for starts in waiting]
    last = None
    for item in lead.starts():
        if item == last:
            continue
        if not ids.add(item):
            return False
        last = item
        for at, starts in enumerate(waiting):
            while heads[at] == item:
                heads[at] = _next(starts)
    return all(head is None for head in heads)


def _join_rows(
    parts: list[RolePart], rows: list[Iterator[Row]]
) -> Iterator[tuple[str, list[tuple[RolePart, list[Row]]]]]:
    """Yield each item with its rows in every table; the rows come in one order of items."""
    lead, *others = [groupby(each, key=itemgetter(1)) for each in rows]
    heads = [next(other, None) for other in others]
    for item, group in lead:
        groups = [(parts[0], list(group))]
        for at, head in enumerate(heads):
            if head is not None and head[0] == item:
                groups.append((parts[at + 1], list(head[1])))
                heads[at] = next(others[at], None)
        yield item, groups
    for at, head in enumerate(heads):
        if head is not None:
            raise unknown_item(parts[at + 1], next(head[1])[0], head[0], parts[0])


def unknown_item(part: RolePart, row: int, item: str, lead: RolePart) -> AlignmentError:
    """Return the error about a row whose item is not in the table that lists them."""
    return AlignmentError(f"{part.table.place(row)}: item {item!r} of the {part.role} is not in {lead.table.path}")


def _next(starts: Iterator[str]) -> str | None:
    return next(starts, None)
