"""CSV and TSV: tables of outputs, references, judgments and items, one row each (RFC 4180 quoting, UTF-8)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from ..data.item import Item
from ._io.csv_rows import CsvWriter
from ._io.format import TableFormat
from ._io.table_write import write_tables
from ._io.text_file import StrPath


class Csv(TableFormat):
    """Tables as comma-separated or tab-separated values."""

    name: ClassVar[str] = "csv"
    examples = ("csv", "tsv")
    endings = (".csv", ".tsv")

    def write_items(self, items: Iterable[Item], path: StrPath, *, escape_formulas: bool = True) -> None:
        """Write one table if the name ends in .csv or .tsv, else a folder of tables.

        A text that a spreadsheet would take for a formula gets an apostrophe in front, which reading takes off again.
        """
        write_tables(items, path, self.endings, partial(CsvWriter, escape_formulas=escape_formulas))
