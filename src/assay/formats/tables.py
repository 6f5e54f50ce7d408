"""A folder of tables: outputs, references, judgments and items, each in CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from ..data.item import Item
from ..errors import FormatError
from ._io.format import Format
from ._io.parquet_rows import ParquetWriter
from ._io.table_read import ENDINGS, ROLES, read_tables
from ._io.table_write import write_folder
from ._io.text_file import ReadProgress, StrPath


class Tables(Format):
    """A folder with a table of outputs, references or items."""

    name: ClassVar[str] = "tables"

    def recognizes(self, path: Path) -> bool:
        """Check if the folder holds one of the tables."""
        return path.is_dir() and any((path / f"{role}{end}").exists() for role in ROLES for end in ENDINGS)

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name the one thing that tables cannot hold."""
        return ("alternatives",)

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the items of the folder, in the order of its table of items, else of outputs."""
        if Path(path).is_file():
            raise FormatError("is a file; the format 'tables' is a folder of tables", path=path)
        return read_tables(path, ENDINGS, progress=progress)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write Parquet, which loses nothing; format="csv" writes CSV."""
        write_folder(items, path, ".parquet", ParquetWriter)
