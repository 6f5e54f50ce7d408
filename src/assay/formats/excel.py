"""Excel workbooks (.xlsx): a sheet is a table, whose columns are recognized by their names."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, ClassVar

from ..data.item import Item
from ..errors import AssayError, FormatError, UnknownName
from ._io.format import Format
from ._io.judgment_rows import JudgmentRow, table_judgments
from ._io.layout import ColumnMap
from ._io.record_rows import RecordReader
from ._io.table_read import read_rows
from ._io.text_file import READ_ERRORS, ReadProgress, StrPath, refuse_too_large


class Excel(Format):
    """Excel workbooks, read sheet by sheet; they are not written, as cells cannot hold every text."""

    name: ClassVar[str] = "excel"
    examples = ("excel", "xlsx")
    endings = (".xlsx", ".xlsm")

    def read_items(
        self,
        path: StrPath,
        *,
        sheet: str | None = None,
        columns: ColumnMap | None = None,
        text_as_source: bool = False,
        progress: ReadProgress | None = None,
    ) -> Iterator[Item]:
        """Read the rows of a sheet: the one named, else the first that holds something."""
        progress = progress or ReadProgress()
        table, which = _open_sheet(path, sheet)
        items = read_rows(table, progress=progress, columns=columns, text_as_source=text_as_source)
        progress.recognized = f"{which}{progress.recognized}"
        yield from items

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of the first sheet that holds something."""
        return table_judgments(_open_sheet(path, None)[0], progress=progress, columns=columns)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Refuse: a cell holds 32,767 characters, no control characters, and runs what begins with "="."""
        raise FormatError("Excel workbooks are read, not written; write .csv, which Excel opens", path=path)


def _open_sheet(path: StrPath, sheet: str | None) -> tuple[RecordReader, str]:
    """Return the rows of a sheet, and which it is, for the line that says what was recognized."""
    with _workbook(path) as book:
        names = list(book.sheetnames)
        if sheet is not None and sheet not in names:
            raise UnknownName("sheet", sheet, names, hint=f"(sheets: {', '.join(names)})")
        filled = [name for name in names if any(_has_value(row) for row in book[name].iter_rows(values_only=True))]
    if sheet is None and not filled:
        raise FormatError("there are no items in it: the sheets are empty", path=path)
    name = sheet or filled[0]

    def records(progress: ReadProgress) -> Iterator[tuple[int, dict[str, Any]]]:
        with _workbook(path) as book:
            headers: list[str] | None = None
            for number, row in enumerate(book[name].iter_rows(values_only=True), 1):
                if headers is None:
                    headers = _headers(row, path) if _has_value(row) else None
                elif _has_value(row):
                    progress.size += sum(len(value) for value in row if isinstance(value, str))
                    yield number, {h: v for h, v in zip(headers, row, strict=False) if h}

    which = f"sheet {name!r} of {len(filled)}: " if len(filled) > 1 else ""
    return RecordReader(path, records, lenient=True), which


def _headers(row: Iterable[Any], path: StrPath) -> list[str]:
    headers = ["" if value is None else str(value).strip() for value in row]
    for header in headers:
        if header and headers.count(header) > 1:
            raise FormatError(f"two columns are called {header!r}", path=path)
    return headers


def _has_value(row: Iterable[Any]) -> bool:
    return any(value is not None and value != "" for value in row)


@contextmanager
def _workbook(path: StrPath) -> Iterator[Any]:
    """Open a workbook row by row, with the values of its formulas; what is wrong with it becomes one error."""
    import openpyxl  # slow to load, and seldom needed

    try:
        with zipfile.ZipFile(path) as archive:
            refuse_too_large(sum(entry.file_size for entry in archive.infolist()), path)
        with closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:
            yield book
    except AssayError:
        raise
    except tuple(READ_ERRORS) as error:
        raise FormatError(READ_ERRORS[type(error)], path=path) from error
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, SyntaxError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FormatError(f"not a readable Excel workbook ({first[:160]}); save it again", path=path) from error
