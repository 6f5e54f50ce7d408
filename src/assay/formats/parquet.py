"""Parquet: tables of outputs, references, judgments and items, one row each, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from ..data.item import Item
from ._io.chunks import BATCH, Chunk, Stream, cut_chunks
from ._io.format import TableFormat
from ._io.layout import ColumnMap
from ._io.parquet_columns import read_column_chunks
from ._io.parquet_rows import ParquetReader, ParquetWriter
from ._io.table_read import main_part, read_rows
from ._io.table_write import write_tables
from ._io.text_file import ReadProgress, StrPath


class Parquet(TableFormat):
    """Tables as Parquet, which loses nothing and is quick to read."""

    name: ClassVar[str] = "parquet"
    endings = (".parquet",)

    def read_chunks(self, path: StrPath, *, batch: int, progress: ReadProgress) -> Iterator[Chunk]:
        """Read items many at a time, as columns where the table is one of outputs as we write it."""
        table = None if Path(path).is_dir() else ParquetReader(path)
        if table is None or table.is_nested():
            return cut_chunks(self.read_items(path, progress=progress), batch, progress)
        return _read_columns(table, batch, progress)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one table if the name ends in .parquet, else a folder of tables."""
        write_tables(items, path, self.endings, ParquetWriter)


def stream_row_groups(
    path: StrPath,
    row_groups: Sequence[int],
    *,
    columns: ColumnMap | None = None,
    allow_missing: bool = False,
    strip_tags: bool = False,
) -> Stream:
    """Read some row groups of a Parquet file as a set of their own, in chunks."""

    def read_items(progress: ReadProgress) -> Iterator[Item]:
        return read_rows(ParquetReader(path, row_groups), progress=progress, columns=columns)

    def read_chunks(progress: ReadProgress) -> Iterator[Chunk]:
        return _read_columns(ParquetReader(path, row_groups), BATCH, progress, columns=columns)

    return Stream(
        read_items,
        path=path,
        batch=BATCH,
        allow_missing=allow_missing,
        markup="strip" if strip_tags else "warn",
        chunks=read_chunks,
    )


def _read_columns(
    table: ParquetReader, batch: int, progress: ReadProgress, columns: ColumnMap | None = None
) -> Iterator[Chunk]:
    return read_column_chunks(
        table, lambda items: cut_chunks(items, batch, progress), batch=batch, progress=progress, columns=columns
    )


def cut_row_groups(path: StrPath, rows: int, *, columns: ColumnMap | None = None) -> list[list[int]]:
    """Divide the row groups of a file into runs of at least n rows, no item being on both sides of a cut.

    Rows of an item must be adjacent. A file with rows without ids is not divided, because they are counted.
    """
    reader = ParquetReader(path)
    sizes = reader.row_group_sizes()
    if sum(sizes) < 2 * rows or reader.is_nested():
        return []
    part = main_part(reader, ReadProgress(), columns)
    if part.layout is not None and len(part.layout.of("id")) != 1:
        return []
    ends = reader.group_ends(part.columns[0].header)
    runs: list[list[int]] = [[]]
    for group in range(len(sizes)):
        full = sum(sizes[i] for i in runs[-1]) >= rows
        if full and ends[group - 1][1] != ends[group][0]:
            runs.append([])
        runs[-1].append(group)
    return runs if len(runs) > 1 else []
