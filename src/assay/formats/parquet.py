"""Parquet: tables of outputs, references, judgments and items, one row each, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ..data.item import Item
from ._io.format import TableFormat
from ._io.parquet_rows import ParquetWriter
from ._io.table_write import write_tables
from ._io.text_file import StrPath


class Parquet(TableFormat):
    """Tables as Parquet, which loses nothing and is quick to read."""

    name: ClassVar[str] = "parquet"
    endings = (".parquet",)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write one table if the name ends in .parquet, else a folder of tables."""
        write_tables(items, path, self.endings, ParquetWriter)
