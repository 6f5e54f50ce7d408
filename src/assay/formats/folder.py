"""A folder of tables: outputs, references, judgments and items, each in CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..data.evalset import Item
from ..errors import FormatError
from ._io import tables
from ._io.textfile import Progress, StrPath

NAMES = ("tables",)
SUFFIXES = ()


def recognises(path: Path) -> bool:
    """A folder with a table of outputs, references or items."""
    return path.is_dir() and any((path / f"{role}{s}").exists() for role in tables.ROLES for s in tables.SUFFIXES)


def items(path: StrPath, *, progress: Progress | None = None) -> Iterator[Item]:
    """The items of the folder, in the order of its table of items, else of outputs."""
    if Path(path).is_file():
        raise FormatError("is a file; the format 'tables' is a folder of tables", path=path)
    return tables.items(path, tables.SUFFIXES, progress=progress)


def write(items: Iterable[Item], path: StrPath) -> None:
    """As Parquet, which loses nothing; format="csv" writes CSV."""
    from . import parquet
    from ._io import tablewrite

    tablewrite.write_folder(items, path, ".parquet", parquet.Sink)
