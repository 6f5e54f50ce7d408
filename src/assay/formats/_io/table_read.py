"""Read items from long tables: rows of one item are joined, in whatever order they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..._core import Seen
from ...data.facets import name_repeat
from ...data.item import Item
from ...errors import AlignmentError, FormatError
from .columns import Kind, MatchedColumn, TableColumn, has_own_headers, match_columns, refuse_repeated_headers, role_of
from .evidence import list_outputs
from .layout import ColumnMap, Holds, Layout, recognize
from .pipes import rereadable
from .roles import WEAK_SOURCES, fold, is_metadata, names_other_text, role_of_header
from .text_file import ReadProgress, StrPath

Row = tuple[Any, ...]  # row number, item, then the values of the other columns
ROLES = ("outputs", "references", "judgments", "items")
SAMPLE = 500  # rows that show what the numbers of a column are
ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")


class RowReader(Protocol):
    """A file of rows."""

    path: StrPath
    headers: list[str]

    def holds(self) -> dict[str, Holds]: ...
    def place(self, row: int) -> str: ...
    def error_at(self, row: int, message: str) -> FormatError: ...
    def rows(self, columns: Sequence[MatchedColumn], progress: ReadProgress) -> Iterator[Row]: ...


class RolePart(NamedTuple):
    """A table with the role it plays; `layout` says what its columns are where their names are not ours."""

    role: str
    table: RowReader
    columns: list[MatchedColumn]
    layout: Layout | None = None

    def rows(self, progress: ReadProgress) -> Iterator[Row]:
        """Yield all rows; each has an item."""
        rows = self.table.rows(self.columns, progress)
        return self.name_runs(self.check_items(rows if self.layout is None else self._with_ids(rows, self.layout)))

    @property
    def has_runs(self) -> bool:
        """Whether a column says which run of an item a row is of."""
        return any(matched.column.name == "run" for matched in self.columns)

    def name_runs(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Yield the rows; those of a second run of an item are rows of an item of their own."""
        if not self.has_runs:
            return rows
        ids = 1 if self.layout is None else len(self.layout.of("id"))
        at = 2 - ids + next(at for at, matched in enumerate(self.columns) if matched.column.name == "run")
        return self._rename_runs(rows, at)

    def _rename_runs(self, rows: Iterator[Row], at: int) -> Iterator[Row]:
        first_runs: dict[str, str] = {}
        for row in rows:
            if row[at] is not None and first_runs.setdefault(row[1], row[at]) != row[at]:
                row = (row[0], name_repeat(row[1], row[at]), *row[2:])
            yield row

    def check_items(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows; one without an item is an error."""
        for row in rows:
            if row[1] is None:
                raise self.table.error_at(row[0], f"no item id in column {self.columns[0].header!r}")
            yield row

    def _with_ids(self, rows: Iterator[Row], layout: Layout) -> Iterator[Row]:
        """Yield the rows with one id each: of several columns joined, or the number of the row, by system and rater."""
        width = len(layout.of("id"))
        counted = [at for at, slot in enumerate(layout.slots, 1) if slot.role in ("system", "rater")]
        counts: dict[Row, int] = {}
        for row in rows:
            if all(value is None or value == "" for value in row[1:]):
                continue  # spreadsheets leave such rows behind
            if width == 1:
                yield row
            elif width:
                yield (row[0], None if None in row[1 : 1 + width] else ":".join(row[1 : 1 + width]), *row[1 + width :])
            else:
                key = tuple(row[at] for at in counted)
                counts[key] = counts.get(key, 0) + 1
                yield (row[0], str(counts[key]), *row[1:])

    def starts(self) -> Iterator[str]:
        """Yield the item of every run of rows of one item."""
        if self.has_runs or (self.layout is not None and len(self.layout.of("id")) != 1):
            yield from (row[1] for row in self.rows(ReadProgress()))
            return
        for row in self.table.rows(self.columns[:1], ReadProgress()):
            if row[1] is not None:
                yield row[1]


def open_table(path: StrPath, *, escape_formulas: bool = True) -> RowReader:
    """Open the table in a file: Parquet by the file's name or its first bytes, else CSV."""
    from .csv_rows import CsvReader
    from .parquet_rows import ParquetReader
    from .record_rows import RecordReader

    path = rereadable(path)
    if Path(path).suffix == ".parquet" or _starts_as_parquet(path):
        table = ParquetReader(path)
        return RecordReader(path, table.records) if table.is_nested() else table
    return CsvReader(path, escape_formulas=escape_formulas, sniff=True)


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
    columns: ColumnMap | None = None,
    **others: StrPath | None,
) -> Iterator[Item]:
    """Read the items of a table of outputs and its companions, or of a folder of tables with these endings."""
    progress = progress or ReadProgress()
    if Path(path).is_dir():
        if columns:
            raise FormatError(
                "is a folder of tables, which have columns of their own; --columns is for one file", path=path
            )
        parts = {
            role: _own_part(role, file, escape_formulas) for role, file in find_tables(Path(path), endings).items()
        }
    else:
        part = main_part(open_table(path, escape_formulas=escape_formulas), progress, columns, text_as_source)
        parts = {part.role: part}
    parts |= {role: _own_part(role, other, escape_formulas) for role, other in others.items() if other is not None}
    return _items(parts, progress)


def read_rows(
    table: RowReader, *, progress: ReadProgress | None, columns: ColumnMap | None = None, text_as_source: bool = False
) -> Iterator[Item]:
    """Read the items of one table, with columns recognized by their names (see `layout.recognize`)."""
    progress = progress or ReadProgress()
    part = main_part(table, progress, columns, text_as_source)
    return _items({part.role: part}, progress)


def main_part(
    table: RowReader, progress: ReadProgress, columns: ColumnMap | None = None, text_as_source: bool = False
) -> RolePart:
    """Return the table with its columns: as ours where they have our names, else as they are recognized."""
    if not table.headers:
        raise FormatError("there are no items in it", path=table.path)
    role = role_of(table.headers, text_as_source=text_as_source)
    if role == "sources" and not text_as_source and not has_own_headers(table.headers) and _has_outputs(table):
        role = "outputs"
    if not columns and (role == "sources" or has_own_headers(table.headers)):
        return RolePart(role, table, match_columns(role, table.headers, table.path))
    refuse_repeated_headers(table.headers, table.path)
    system = getattr(table, "system", None) or system_name(table.path)
    layout = recognize(
        table.headers,
        table.holds(),
        path=table.path,
        system=system,
        columns=columns,
        sample=lambda header, kind: sample_values(table, header, kind),
        rows=lambda headers: sample_rows(table, headers),
    )
    progress.reading = replace(layout.reading(table.path), notes=getattr(table, "notes", ()))
    return RolePart("records", table, layout.to_read(), layout)


def _has_outputs(table: RowReader) -> bool:
    """Check if a table of sources has two columns or more of texts beside them, as those of systems are."""
    holds = table.holds()
    others = [
        h for h in table.headers if holds[h] == "text" and role_of_header(h) is None and fold(h) not in WEAK_SOURCES
    ]
    others = [h for h in others if not is_metadata(h) and not names_other_text(h)]
    texts = {h: [text for text in sample_values(table, h, "passage") if text] for h in others}
    return len(others) > 1 and len(list_outputs(texts, ())) > 1


def sample_values(table: RowReader, header: str, kind: Kind) -> list[Any]:
    """Return the first values of a column, as many as show what it holds."""
    rows = table.rows([MatchedColumn(TableColumn("", kind), header)], ReadProgress())
    values: list[Any] = []
    with suppress(FormatError):  # a cell that is not a number: whoever reads the column says so
        values += (row[1] for row in islice(rows, SAMPLE) if row[1] is not None)
    return values


def sample_rows(table: RowReader, headers: Sequence[str]) -> list[Row]:
    """Return the first values of several columns side by side; none where one of them holds no names."""
    columns = [MatchedColumn(TableColumn("", "name"), header) for header in headers]
    try:
        return [row[1:] for row in islice(table.rows(columns, ReadProgress()), SAMPLE)]
    except FormatError:
        return []


def system_name(path: StrPath) -> str:
    """Return the name of a system that is called after its file.

    >>> system_name("runs/bart.large.csv.gz"), system_name("-")
    ('bart.large', 'stdin')
    """
    name = Path(path).name.removesuffix(".gz")
    return "stdin" if name == "-" else Path(name).stem or name or "system"


def _own_part(role: str, file: StrPath, escape_formulas: bool) -> RolePart:
    table = open_table(file, escape_formulas=escape_formulas)
    return RolePart(role, table, match_columns(role, table.headers, file))


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

    lead = next(parts[role] for role in ("items", "sources", "outputs", "records", "references") if role in parts)
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
    """Check if one pass will do: rows of an item are adjacent, and all tables have items in the same order.

    Looks at the item columns only. It must be known beforehand, as an item that was handed out cannot be taken back.
    """
    if not followers and lead.layout is not None and not (lead.layout.of("id") or lead.layout.of("system")):
        return True  # the rows are counted
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
    """Return the error about a row with an item that is not in the table that lists them."""
    role = "outputs" if part.role == "records" else part.role
    return AlignmentError(f"{part.table.place(row)}: item {item!r} of the {role} is not in {lead.table.path}")


def _next(starts: Iterator[str]) -> str | None:
    return next(starts, None)
