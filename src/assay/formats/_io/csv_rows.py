"""Rows of CSV and TSV files, read and written (RFC 4180 quoting, UTF-8)."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isfinite
from typing import Any, BinaryIO

import msgspec

from ...errors import FormatError
from . import text_file
from .cells import explain_date, parse_list, parse_texts
from .columns import Kind, MatchedColumn, TableColumn, has_own_headers
from .layout import Holds
from .pipes import rereadable
from .roles import role_of_header
from .text_file import ReadProgress, StrPath, decode_line, read_lines

# What spreadsheets take for a formula (OWASP, CSV injection), behind any number of apostrophes.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
SEPARATORS = (",", ";", "\t", "|")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')  # a cell in quotes, with the marks in it doubled
_SEP_LINE = re.compile(rb'"?sep=([,;|\t]|\\t)"?\r?\n')
SAMPLE = 2000  # rows that show what a column holds
NO_NUMBER = frozenset(("", "nan", "na", "n/a", "null", "none"))  # cells of a score column that say: no score


class CsvReader:
    """A CSV file with a header; rows are known by the line they begin on.

    The separator follows from the name. With `sniff` it is found in the header: comma, semicolon or tab. A quotation
    mark is then a character where tabs separate, unless the header is one of ours or quoted itself, and scores have
    decimal commas where semicolons separate.
    """

    def __init__(self, path: StrPath, *, escape_formulas: bool = True, sniff: bool = False) -> None:
        escaped: dict[Kind, Callable[[str], Any]] = {
            "name": _unescape_name,
            "text": unescape,
            "passage": _unescape_name,
        }
        self._read = READ | (escaped if escape_formulas else {})
        self.path = rereadable(path)  # once for the header, once or twice for the rows
        self._quoted, self._separator = True, delimiter(self.path)
        self._skip = 0  # lines before the header
        self._blanks = False  # whether separators have a blank after them, which is not part of the cell
        self.notes: tuple[str, ...] = ()  # what is odd about the cells
        if sniff:
            self._sniff()
        self.headers: list[str] = next(self._records(ReadProgress()), (1, []))[1]
        if not self.headers:
            raise FormatError("there are no items in it: the file is empty", path=path)

    def _sniff(self) -> None:
        lines: list[str] = []
        separator, progress = "", ReadProgress()
        for number, raw in read_lines(self.path, progress):
            if number == 1 and (line := _SEP_LINE.match(raw)):  # for Excel alone
                separator, self._skip = line[1].decode().replace("\\t", "\t"), 1
                continue
            if text := decode_line(raw, self.path, number, progress).rstrip("\r\n"):
                lines.append(text)
            if len(lines) > (SAMPLE if lines and "\t" in lines[0] else 1):
                break
        first = lines[0] if lines else ""
        self._separator = separator or find_separator(first, self._separator)
        quoted = _split_header(first, self._separator)
        self._blanks = any(f'{self._separator} "' in line for line in lines) and _has_blanks(lines, self._separator)
        if self._separator == "\t" and not first.startswith('"') and not has_own_headers(quoted):
            self._quoted, marked = find_quoting(lines)
            if marked and not self._quoted:
                self.notes = (f"quotation marks around {marked:,} cell{'s' * (marked != 1)} are kept",)
        if self._separator == ";":
            self._read = {**self._read, "number": _decimal_comma, "count": _decimal_comma}

    def holds(self) -> dict[str, Holds]:
        """Return what each column holds, by its first rows; a column that is empty there is read on."""
        cells = _CellCount(self.headers, decimal_comma=self._separator == ";")
        records = self._records(ReadProgress())
        next(records, None)
        for number, (_, row) in enumerate(records):
            if number >= SAMPLE and cells.all_seen():
                break
            cells.add(row)
        return cells.holds()

    def place(self, row: int) -> str:
        """Return where a row is."""
        return f"{self.path}:{row}"

    def error_at(self, row: int, message: str) -> FormatError:
        """Return an error about a row."""
        return FormatError(message, path=self.path, line=row)

    def rows(self, columns: Sequence[MatchedColumn], progress: ReadProgress) -> Iterator[tuple[Any, ...]]:
        """Yield line number and values of every row."""
        width = len(self.headers)
        where = [self.headers.index(matched.header) for matched in columns]
        reads = [self._read[matched.column.kind] for matched in columns]
        records = self._records(progress)
        next(records, None)
        for line, cells in records:
            if len(cells) != width:
                raise FormatError(self._wrong_width(len(cells)), path=self.path, line=line)
            try:
                yield (line, *[read(cells[at]) for at, read in zip(where, reads, strict=True)])
            except ValueError as error:
                raise FormatError(
                    f"{error}{self._column_of(error, columns, cells)}", path=self.path, line=line
                ) from error

    def _wrong_width(self, count: int) -> str:
        what = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}[self._separator]
        hint = f"put texts that hold {what} in quotes" if self._quoted else f"a text can hold no {what}"
        return f"{count} fields where the header has {len(self.headers)}; {hint}"

    def _column_of(self, error: ValueError, columns: Sequence[MatchedColumn], cells: list[str]) -> str:
        """Say which column of ratings holds what is not a number, where that is not plain."""
        for matched in columns:
            cell = cells[self.headers.index(matched.header)]
            if matched.column.kind == "number" and repr(cell[:40]) in str(error) and matched.header != "score":
                return f", in column {matched.header!r}; name the columns of ratings with --columns score=..."
        return ""

    def _records(self, progress: ReadProgress) -> Iterator[tuple[int, list[str]]]:
        # The limit is the process's; without raising it, a text of more than 128 KB would be an error.
        csv.field_size_limit(2**31 - 1)
        begun, line = 0, 1 + self._skip  # `begun`: the bytes before the row that is being read

        def text() -> Iterator[str]:
            for number, raw in islice(read_lines(self.path, progress), self._skip, None):
                if progress.size - begun > text_file.LINE_LIMIT:  # quotes may run over many lines
                    raise text_file.line_too_long(self.path, line, "row")
                yield decode_line(raw, self.path, number, progress)

        reader = csv.reader(
            text(),
            delimiter=self._separator,
            quoting=csv.QUOTE_MINIMAL if self._quoted else csv.QUOTE_NONE,
            skipinitialspace=self._blanks,
            strict=True,
        )
        while True:
            begun = progress.size
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise FormatError(
                    f"this row is not valid CSV ({_explain(error)})", path=self.path, line=line
                ) from error
            if cells:
                yield line, cells
            line = reader.line_num + 1 + self._skip


def _explain(error: csv.Error) -> str:
    if "new-line character" in str(error):
        return "a carriage return stands alone; end each line with a newline, and put texts that hold one in quotes"
    if "expected after" in str(error):
        return f"{error}; double the quotation marks inside a text that stands in quotes"
    return str(error)


class CsvWriter:
    """Takes rows and writes them as CSV."""

    def __init__(
        self, file: BinaryIO, columns: Sequence[TableColumn], path: StrPath, *, escape_formulas: bool = True
    ) -> None:
        self._file, self._path = file, path
        self._texts = [escape_formulas and column.kind in ("name", "text") for column in columns]
        self._text = io.StringIO(newline="")
        mark = delimiter(path)
        self._writer = csv.writer(self._text, lineterminator="\n", delimiter=mark)
        # Quotes are needed around a carriage return too, which this module forgets when lines end in "\n".
        self._careful = csv.writer(self._text, lineterminator="\n", delimiter=mark, quoting=csv.QUOTE_ALL)
        self._cells = [SPELL[column.kind] for column in columns]
        self._writer.writerow([column.name for column in columns])

    def add(self, row: Sequence[Any]) -> None:
        """Write one more row."""
        try:
            cells = [spell(value) for spell, value in zip(self._cells, row, strict=True)]
            cells = [escape(cell) if text else cell for cell, text in zip(cells, self._texts, strict=True)]
        except ValueError as error:
            raise FormatError(f"the row of {row[0]!r} cannot be written: {error}", path=self._path) from error
        (self._careful if any("\r" in cell for cell in cells) else self._writer).writerow(cells)
        if self._text.tell() > 1 << 20:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        self._flush()

    def _flush(self) -> None:
        text = self._text.getvalue()
        self._text.seek(0)
        self._text.truncate()
        try:
            self._file.write(text.encode())
        except UnicodeEncodeError as error:
            raise FormatError("a lone surrogate in a text cannot be written", path=self._path) from error


class _CellCount:
    """How many cells of each column are empty, and how many numbers."""

    def __init__(self, headers: Sequence[str], *, decimal_comma: bool) -> None:
        self._headers, self._comma = headers, decimal_comma
        self._filled, self._numbers, self._lists, self._number_lists = ([0] * len(headers) for _ in range(4))

    def add(self, row: Sequence[str]) -> None:
        for at, cell in enumerate(row[: len(self._headers)]):
            if cell.strip().lower() not in NO_NUMBER:
                self._filled[at] += 1
                self._numbers[at] += _is_number(cell, self._comma)
                self._lists[at] += cell.startswith("[") and cell.endswith("]")
                self._number_lists[at] += _is_number_list(cell)

    def all_seen(self) -> bool:
        return all(self._filled)

    def holds(self) -> dict[str, Holds]:
        return {header: self._value_kind(at) for at, header in enumerate(self._headers)}

    def _value_kind(self, at: int) -> Holds:
        if not self._filled[at]:
            return "empty"
        if 2 * self._numbers[at] > self._filled[at]:
            return "number"
        return "numbers" if self._number_lists[at] == self._filled[at] else "text"


def _is_number(cell: str, decimal_comma: bool) -> bool:
    try:
        return isfinite(float(cell.replace(",", ".") if decimal_comma else cell))
    except ValueError:
        return False


def find_separator(header: str, default: str) -> str:
    r"""Return the separator of a header: the one that gives most names of roles, then most columns.

    >>> find_separator("id;output;score, 1 to 5", ","), find_separator("only", "\t")
    (';', '\t')
    """

    def merit(separator: str) -> tuple[int, int, bool]:
        cells = _split_header(header, separator)
        roles = sum(role_of_header(cell) is not None or cell.strip().lower() == "text" for cell in cells)
        return roles if len(cells) > 1 else 0, len(cells), separator == default

    return max(SEPARATORS, key=merit)


def find_quoting(lines: Sequence[str]) -> tuple[bool, int]:
    r"""Check if quotation marks are quotes in a tab-separated file, and count the cells that stand in marks.

    A bare mark inside a cell proves that they are not; a doubled mark inside a quoted cell, or a quoted tab or newline,
    proves that they are. Without proof they are characters.

    >>> find_quoting(['a\tb', '"x ""y"" z"\tw']), find_quoting(['a\tb', '"x" y\tz']), find_quoting(['a\tb', '"x"\tz'])
    ((True, 1), (False, 0), (False, 1))
    """
    width = lines[0].count("\t") if lines else 0
    if any(line.count("\t") != width for line in lines) and _fits_quoted(lines, width + 1):
        return True, 0
    marked = [cell for line in lines if '"' in line for cell in line.split("\t") if '"' in cell]
    inner = [_QUOTED.fullmatch(cell) for cell in marked]
    if not all(inner):
        return False, sum(map(bool, inner))
    return any('""' in cell[1:-1] for cell in marked), len(marked)


def _fits_quoted(lines: Sequence[str], width: int) -> bool:
    """Check if every row has the same number of cells, marks being quotes; the last may be cut off."""
    try:
        rows = list(csv.reader([f"{line}\n" for line in lines], delimiter="\t", strict=True))
    except csv.Error:
        return False
    return len(rows) < len(lines) + 1 and all(len(row) == width for row in rows[:-1] or rows)


def _split_header(header: str, separator: str, *, blanks: bool = False) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=separator, skipinitialspace=blanks), [])
    except csv.Error:  # whoever reads the rows will say what is wrong
        return []


def _has_blanks(lines: Sequence[str], separator: str) -> bool:
    """Check if rows fit the header only without the blanks after their separators: `"a", "b, c"`."""
    plain, bare = ([len(_split_header(line, separator, blanks=b)) for line in lines] for b in (False, True))
    return bare.count(bare[0]) > plain.count(bare[0])


def delimiter(path: StrPath) -> str:
    """Return a tab for .tsv, else a comma."""
    return "\t" if os.fspath(path).removesuffix(".gz").endswith(".tsv") else ","


def escape(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula; plain numbers are none.

    >>> [escape(cell) for cell in ("=1+1", "'=1+1", "-5", "- five", "a=b", "'tis")]
    ["'=1+1", "''=1+1", '-5', "'- five", 'a=b', "'tis"]
    """
    return f"'{cell}" if FORMULA.match(cell) and not PLAIN_NUMBER.fullmatch(cell) else cell


def unescape(cell: str) -> str:
    """Take off what `escape` put there.

    >>> [unescape(cell) for cell in ("'=1+1", "''=1+1", "-5", "'- five", "a=b", "'tis")]
    ['=1+1', "'=1+1", '-5', '- five', 'a=b', "'tis"]
    """
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def _unescape_name(cell: str) -> str | None:
    return unescape(cell) or None


def _number(cell: str) -> float | None:
    if cell.strip().lower() in NO_NUMBER:
        return None
    try:
        number = float(cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{cell[:40]!r} is not a number{explain_date(cell)}")
    return number


def _numbers(cell: str) -> list[float | None] | None:
    """Read a list of numbers; a null in it is none."""
    return msgspec.json.decode(cell, type=list[float | None]) if cell.strip() else None


def _is_number_list(cell: str) -> bool:
    try:
        return bool(cell.startswith("[") and _numbers(cell))
    except ValueError:
        return False


def _decimal_comma(cell: str) -> float | None:
    return _number(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)


def _spell(value: str | None) -> str:
    if value is not None and "\0" in value:
        raise ValueError("a NUL character has no place in CSV; use JSON Lines or Parquet")
    return value or ""


def _spell_name(value: str | None) -> str:
    if value == "":
        raise ValueError("CSV cannot tell an empty text from none here; use JSON Lines or Parquet")
    return _spell(value)


def _spell_number(value: float | None) -> str:
    return "" if value is None or not isfinite(value) else repr(value)


READ: dict[Kind, Callable[[str], Any]] = {
    "name": lambda cell: cell or None,
    "text": lambda cell: cell,
    "passage": lambda cell: cell or None,
    "mixed": parse_texts,
    "numbers": _numbers,
    "texts": parse_list,
    "number": _number,
    "count": _number,
}
SPELL: dict[Kind, Callable[[Any], str]] = {
    "name": _spell_name,
    "text": _spell,
    "passage": _spell,
    "texts": lambda value: "" if value is None else msgspec.json.encode(list(value)).decode(),
    "number": _spell_number,
    "count": _spell_number,
}
