"""Excel workbooks (.xlsx): a sheet is a table with columns that are recognized by their names; or one rater's table."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from ..data.item import Item
from ..errors import AssayError, FormatError, SkippedWarning, UnknownName
from ._io.columns import refuse_repeated_headers
from ._io.format import ReadOnlyFormat
from ._io.judgment_rows import JudgmentRow, table_judgments
from ._io.layout import ColumnMap
from ._io.record_rows import RecordReader
from ._io.roles import Role, is_metadata, role_of_header
from ._io.table_read import read_rows
from ._io.text_file import READ_ERRORS, ReadProgress, StrPath, refuse_bomb, refuse_too_large

MAX_PACKED = 100  # times its size that a workbook may unpack to; texts that are repeated stand in it once


class Excel(ReadOnlyFormat):
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
        if progress.reading is not None:
            progress.reading = replace(progress.reading, part=which)
        yield from items

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments of the first sheet that holds something."""
        return table_judgments(open_sheet(path), progress=progress, columns=columns)

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Refuse: a cell holds 32,767 characters, no control characters, and runs what begins with "="."""
        raise FormatError("Excel workbooks are read, not written; write .csv, which Excel opens", path=path)


def open_sheet(path: StrPath) -> RecordReader:
    """Return the rows of the first sheet that holds something, or of all sheets where each is of one rater."""
    return _open_sheet(path, None)[0]


def _open_sheet(path: StrPath, sheet: str | None) -> tuple[RecordReader, str]:
    """Return the rows of a sheet, and which it is, for the line that says what was recognized.

    Sheets with the same columns are read together: of one rater each where their texts are the same, else of one system
    each. Hidden sheets are not read.
    """
    with _workbook(path) as book:
        names = list(book.sheetnames)
        if sheet is not None and sheet not in names:
            raise UnknownName("sheet", sheet, names, hint=f"(sheets: {', '.join(names)})")
        hidden = [name for name in names if book[name].sheet_state != "visible" and name != sheet]
        visible = [sheet] if sheet is not None else [name for name in names if name not in hidden]
        filled = [name for name in visible if any(map(_has_value, _sheet_rows(book[name], path)))]
    if not filled:
        raise FormatError("there are no items in it: the sheets are empty", path=path)
    role = _role_of_sheets({name: [record for _, record in _records(path, name, ReadProgress())] for name in filled})
    selection = filled if role else _first_table(path, filled)
    _warn_unread(path, hidden, selection)

    def records(progress: ReadProgress) -> Iterator[tuple[int, dict[str, Any]]]:
        for name in selection:
            for number, record in _records(path, name, progress):
                yield number, {**record, role: name} if role else record

    which = f"sheet {selection[0]!r} of {len(filled)}" if len(filled) > 1 else ""
    return RecordReader(path, records, lenient=True), f"a {role} for each of {len(selection)} sheets" if role else which


def _first_table(path: StrPath, filled: list[str]) -> list[str]:
    """Return the first sheet with two columns or more that name roles, passing over notes; else the first."""
    for name in filled:
        _, record = next(_records(path, name, ReadProgress()), (0, {}))
        if sum(role_of_header(header) is not None for header in record) > 1:
            return [name]
    return filled[:1]


def _records(path: StrPath, name: str, progress: ReadProgress) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a sheet with their numbers, by the names in its first row that holds something."""
    with _workbook(path) as book:
        headers: list[str] | None = None
        for number, row in enumerate(_sheet_rows(book[name], path), 1):
            if headers is None:
                headers = _headers(row, path) if _has_value(row) else None
            elif _has_value(row):
                progress.size += sum(len(value) for value in row if isinstance(value, str))
                yield number, {h: v for h, v in zip(headers, row, strict=False) if h}


def _role_of_sheets(sheets: dict[str, list[dict[str, Any]]]) -> str:
    """Return rater or system where each sheet is of one of them: they have the same columns, and none that names it."""
    columns = [{key for record in records for key in record} for records in sheets.values()]
    roles = {named[0] for key in columns[0] if (named := role_of_header(key))}
    if len(columns) < 2 or any(own != columns[0] for own in columns) or not columns[0]:
        return ""
    texts = [[_row_texts(record) for record in records] for records in sheets.values()]
    alike = all(sorted(own) == sorted(texts[0]) for own in texts)
    role: Role = "rater" if alike else "system"
    judged = any(isinstance(value, int | float) for records in sheets.values() for r in records for value in r.values())
    return "" if role in roles or (alike and not judged) else role


def _row_texts(record: dict[str, Any]) -> list[str]:
    """Return the texts of a row that are not about the row, such as comments."""
    return [value for key, value in record.items() if isinstance(value, str) and not is_metadata(key)]


def _warn_unread(path: StrPath, hidden: list[str], names: list[str]) -> None:
    """Name hidden sheets, and cells with formulas that were saved without their values."""
    if hidden:
        warnings.warn(f"{path}: hidden sheets are not read: {', '.join(hidden)}", SkippedWarning, stacklevel=2)
    empty: list[str] = []
    with _workbook(path) as values, _workbook(path, formulas=True) as formulas:
        for name in names:
            pairs = zip(_sheet_rows(values[name], path), _sheet_rows(formulas[name], path), strict=False)
            for number, (row, own) in enumerate(pairs, 1):
                cells = zip(row, own, strict=False)
                empty += (f"{name}!{_letters(at)}{number}" for at, (v, f) in enumerate(cells) if v is None and _runs(f))
    if empty:
        message = f"{path}: {len(empty):,} formulas were saved without values, and are read as empty: "
        message += f"{', '.join(empty[:3])}{', ...' * (len(empty) > 3)}; open the workbook and save it"
        warnings.warn(message, SkippedWarning, stacklevel=2)


def _runs(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("=")


def _letters(column: int) -> str:
    """Return the letters of a column, from 0.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    return (_letters(column // 26 - 1) if column > 25 else "") + chr(ord("A") + column % 26)


def _sheet_rows(sheet: Any, path: StrPath) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a sheet, each as far as it has cells; many with one cell far to the right are refused."""
    sheet.reset_dimensions()  # what the file says of them may be a million rows of 16,384 columns
    cells, packed = 0, os.path.getsize(path)
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        refuse_bomb(4 * cells, packed, path, most=MAX_PACKED)  # bytes, at least
        yield row


def _headers(row: Iterable[Any], path: StrPath) -> list[str]:
    headers = ["" if value is None else str(value).strip() for value in row]
    refuse_repeated_headers(headers, path)
    return headers


def _has_value(row: Iterable[Any]) -> bool:
    return any(value is not None and value != "" for value in row)


@contextmanager
def _workbook(path: StrPath, *, formulas: bool = False) -> Iterator[Any]:
    """Open a workbook row by row, with its formulas or their values; what is wrong with it becomes one error."""
    import openpyxl  # slow to load, and seldom needed

    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            refuse_too_large(size, path)
            refuse_bomb(size, os.path.getsize(path), path, most=MAX_PACKED)
        with closing(openpyxl.load_workbook(path, read_only=True, data_only=not formulas)) as book:
            yield book
    except AssayError:
        raise
    except tuple(READ_ERRORS) as error:
        raise FormatError(READ_ERRORS[type(error)], path=path) from error
    except (OSError, ValueError, LookupError, TypeError, EOFError, zipfile.BadZipFile, SyntaxError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FormatError(f"not a readable Excel workbook ({first[:160]}); save it again", path=path) from error
