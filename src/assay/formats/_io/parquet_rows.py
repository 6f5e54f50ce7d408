"""Rows of Parquet files, read and written batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, BinaryIO

from ...errors import AssayError, FormatError
from ...extras import import_extra
from .cells import parse_texts
from .columns import Kind, MatchedColumn, TableColumn
from .layout import Holds
from .pipes import rereadable
from .text_file import PACKED_LIMIT, READ_ERRORS, ReadProgress, StrPath, refuse_bomb

BATCH_BYTES = 8 << 20
BATCH_ROWS = 8192
MAX_PACKED = 2000  # times its size that a file may unpack to: a document that a row for each system repeats makes 100


class ParquetReader:
    """A Parquet file, or some row groups of it; rows are known by their number, from 1."""

    def __init__(self, path: StrPath, row_groups: Sequence[int] | None = None) -> None:
        self.path = rereadable(path)
        self._row_groups = None if row_groups is None else list(row_groups)
        with _arrow_errors(path), self._open() as file:
            self._schema = file.schema_arrow
            self._refuse_bomb(sum(max(c.total_uncompressed_size, c.num_values) for c in _chunks(file.metadata)))
            self._batch_rows = _batch_rows(file.metadata, self._longest(file.metadata))
        self.headers: list[str] = list(self._schema.names)

    def holds(self) -> dict[str, Holds]:
        """Return what each column holds, by its type."""
        return {field.name: _value_kind(field.type) for field in self._schema}

    def is_nested(self) -> bool:
        """Check if a column holds records, which are read as those of JSON are."""
        return any(_is_nested(field.type) for field in self._schema)

    def records(self, progress: ReadProgress) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield row number and row as a dict."""
        count = 0
        with _arrow_errors(self.path), self._open() as file:
            total = file.metadata.num_rows
            progress.follow(lambda: count / total if total else None)
            for batch in self._batches(file):
                for record in batch.to_pylist():
                    count += 1
                    yield count, record
                progress.size += batch.nbytes

    def row_group_sizes(self) -> list[int]:
        """Return the number of rows of each row group."""
        with _arrow_errors(self.path), self._open() as file:
            return [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]

    def group_ends(self, column: str) -> list[tuple[Any, Any]]:
        """Return the first and the last value of a column in each row group."""
        ends = []
        with _arrow_errors(self.path), self._open([column]) as file:
            for group in range(file.metadata.num_row_groups):
                values = file.read_row_group(group, columns=[column], use_threads=False).column(0)
                ends.append((values[0].as_py(), values[-1].as_py()) if len(values) else (None, None))
        return ends

    def place(self, row: int) -> str:
        """Return where a row is."""
        return f"{self.path}: row {row}"

    def error_at(self, row: int, message: str) -> FormatError:
        """Return an error about a row."""
        return FormatError(f"row {row}: {message}", path=self.path)

    def rows(self, columns: Sequence[MatchedColumn], progress: ReadProgress) -> Iterator[tuple[Any, ...]]:
        """Yield row number and values of every row."""
        lists = [at for at, matched in enumerate(columns) if matched.column.kind == "mixed"]
        for number, batch in self.arrow_batches(columns, progress):
            values = self.row_values(batch)
            for at in lists:
                values[at] = [self._parse(cell, row) for row, cell in enumerate(values[at], number)]
            yield from zip(range(number, number + len(batch[0])), *values, strict=True)

    def _parse(self, cell: str | None, row: int) -> list[str] | None:
        try:
            return None if cell is None else parse_texts(cell)
        except ValueError as error:
            raise self.error_at(row, str(error)) from error

    def arrow_batches(
        self, columns: Sequence[MatchedColumn], progress: ReadProgress
    ) -> Iterator[tuple[int, list[Any]]]:
        """Yield the number of the first row, and these columns as Arrow arrays, of many rows at a time."""
        count = 0
        with _arrow_errors(self.path), self._open() as file:
            total = file.metadata.num_rows
            progress.follow(lambda: count / total if total else None)
            names = [matched.header for matched in columns]
            for batch in self._batches(file, names):
                if batch.num_rows:
                    yield count + 1, [self._cast(batch.column(f.header), f) for f in columns]
                count += batch.num_rows
                progress.size += batch.nbytes

    def row_values(self, columns: Sequence[Any]) -> list[list[Any]]:
        """Return the values of Arrow arrays as Python's own."""
        with _arrow_errors(self.path):
            return [_pythonic(column) for column in columns]

    def _batches(self, file: Any, names: list[str] | None = None) -> Iterator[Any]:
        size = 0
        for batch in file.iter_batches(
            batch_size=self._batch_rows, row_groups=self._row_groups, columns=names, use_threads=False
        ):
            batch = _unpack(batch)
            size += batch.nbytes
            self._refuse_bomb(size)
            yield batch

    def _refuse_bomb(self, size: int) -> None:
        refuse_bomb(size, os.path.getsize(self.path), self.path, most=MAX_PACKED)

    def _longest(self, metadata: Any) -> int:
        """Return the bytes of a row with the longest entries of dictionaries, where one may stand for a million texts.

        The footer does not say how long they are; only where they might be long are they looked at.
        """
        longest = 0
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            entries = 0
            for chunk in (group.column(i) for i in range(group.num_columns)):
                if chunk.has_dictionary_page and chunk.total_uncompressed_size * BATCH_ROWS > PACKED_LIMIT:
                    entry = self._longest_entry(number, chunk.path_in_schema)
                    self._refuse_bomb(entry * (chunk.num_values - group.num_rows + 1))  # all in the list of one row
                    entries += entry
            longest = max(longest, entries)
        return longest

    def _longest_entry(self, group: int, leaf: str) -> int:
        """Return the bytes of the longest entry of a dictionary; the first row brings all of it."""
        with self._open([leaf]) as file:
            batches = file.iter_batches(batch_size=1, row_groups=[group], columns=[leaf], use_threads=False)
            return max((_longest_text(column) for column in next(batches).columns), default=0)

    def _open(self, dictionaries: Sequence[str] = ()) -> Any:
        """Open the file; the columns named are read as the dictionaries they are stored as."""
        pq = import_extra("pyarrow.parquet", "tables", "Parquet")

        # Buffered streams instead of whole column chunks: a file of one large row group stays small in memory.
        return pq.ParquetFile(
            os.fspath(self.path), read_dictionary=list(dictionaries), pre_buffer=False, buffer_size=1 << 20
        )

    def _cast(self, column: Any, matched: MatchedColumn) -> Any:
        import pyarrow as pa

        target = _arrow_types()[matched.column.kind]
        if column.type == target or pa.types.is_null(column.type) or _fits(column.type, matched.column.kind):
            return column if column.type == target else column.cast(target)
        message = f"column {matched.header!r} holds {column.type}; it should hold {target}"
        raise FormatError(message, path=self.path)


class ParquetWriter:
    """Takes rows and writes them as Parquet, a row group every few megabytes."""

    def __init__(self, file: BinaryIO, columns: Sequence[TableColumn], path: StrPath) -> None:
        pq = import_extra("pyarrow.parquet", "tables", "Parquet")
        import pyarrow as pa

        types = _arrow_types()
        self._path, self._columns = path, columns
        self._schema = pa.schema([(column.name, types[column.kind]) for column in columns])
        with _arrow_errors(path):
            self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[Sequence[Any]] = []
        self._size = 0

    def add(self, row: Sequence[Any]) -> None:
        """Write one more row."""
        self._rows.append(row)
        self._size += sum(len(value) if isinstance(value, str) else 64 for value in row)
        if self._size > 4 * BATCH_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        try:
            self._flush()
        finally:  # or it would close itself later and complain
            with _arrow_errors(self._path):
                self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        columns = list(zip(*self._rows, strict=True)) or [()] * len(self._columns)
        self._rows, self._size = [], 0
        try:
            arrays = [pa.array(c, type=f.type, from_pandas=True) for c, f in zip(columns, self._schema, strict=True)]
        except UnicodeEncodeError as error:
            raise FormatError("a lone surrogate in a text cannot be written", path=self._path) from error
        with _arrow_errors(self._path):
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))


def _arrow_types() -> dict[Kind, Any]:
    import pyarrow as pa

    return {
        "name": pa.string(),
        "text": pa.string(),
        "passage": pa.string(),
        "mixed": pa.string(),
        "texts": pa.list_(pa.string()),
        "number": pa.float64(),
        "count": pa.int64(),
    }


def _value_kind(arrow_type: Any) -> Holds:
    """Return what values of this Arrow type are to us."""
    from pyarrow import types as t

    if t.is_null(arrow_type):
        return "empty"
    if _fits(arrow_type, "number") or t.is_boolean(arrow_type):
        return "number"
    if _fits(arrow_type, "text"):
        return "text"
    if _fits(arrow_type, "texts"):
        return "texts"
    is_list = t.is_list(arrow_type) or t.is_large_list(arrow_type)
    return "numbers" if is_list and _fits(arrow_type.value_type, "number") else "other"


def _is_nested(arrow_type: Any) -> bool:
    from pyarrow import types as t

    if t.is_list(arrow_type) or t.is_large_list(arrow_type):
        return bool(t.is_struct(arrow_type.value_type)) or _value_kind(arrow_type) == "numbers"
    return bool(t.is_struct(arrow_type) or t.is_map(arrow_type))


def _fits(arrow_type: Any, kind: Kind) -> bool:
    """Check if a column of this Arrow type can be read as the kind without guessing."""
    from pyarrow import types as t

    if t.is_dictionary(arrow_type):
        return _fits(arrow_type.value_type, kind)
    if kind in ("number", "count"):
        number = t.is_integer(arrow_type) or t.is_floating(arrow_type) or t.is_decimal(arrow_type)
        return bool(number or t.is_boolean(arrow_type))
    if kind == "texts":
        return bool(t.is_list(arrow_type) or t.is_large_list(arrow_type)) and _fits(arrow_type.value_type, "text")
    text = t.is_string(arrow_type) or t.is_large_string(arrow_type) or t.is_string_view(arrow_type)
    return bool(text or (kind == "name" and t.is_integer(arrow_type)))


def _unpack(batch: Any) -> Any:
    """Return the batch with texts in place of the entries of dictionaries, which count but once."""
    import pyarrow as pa

    plain = [pa.field(field.name, _plain_type(field.type)) for field in batch.schema]
    return batch if [f.type for f in plain] == batch.schema.types else batch.cast(pa.schema(plain))


def _plain_type(arrow_type: Any) -> Any:
    import pyarrow as pa
    from pyarrow import types as t

    if t.is_dictionary(arrow_type):
        return arrow_type.value_type
    return pa.list_(_plain_type(arrow_type.value_type)) if t.is_list(arrow_type) else arrow_type


def _pythonic(column: Any) -> list[Any]:
    """Return the values; lists are cut out of one flat list, which is quicker than asking Arrow for each."""
    import pyarrow as pa

    if not pa.types.is_list(column.type) or column.null_count:
        return list(column.to_pylist())
    flat, ends = column.values.to_pylist(), column.offsets.to_pylist()
    return [flat[start:end] for start, end in pairwise(ends)]


def _chunks(metadata: Any) -> Iterator[Any]:
    """Yield the metadata of each column of each row group."""
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            yield metadata.row_group(group).column(column)


def _batch_rows(metadata: Any, longest: int) -> int:
    """Return how many rows to read at a time: few megabytes by their average, and not many if all were the longest."""
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    average = size / max(metadata.num_rows, 1)
    return int(min(max(BATCH_BYTES / max(average, 1), 1), max(PACKED_LIMIT / max(longest, 1), 1), BATCH_ROWS))


def _longest_text(column: Any) -> int:
    """Return the bytes of the longest entry of a dictionary, which may be that of lists or records."""
    import pyarrow.compute as pc
    from pyarrow import types as t

    if t.is_dictionary(column.type):
        return pc.max(pc.binary_length(column.dictionary)).as_py() or 0
    if t.is_struct(column.type):
        return max(map(_longest_text, column.flatten()), default=0)
    return _longest_text(column.values) if hasattr(column, "values") else 0


@contextmanager
def _arrow_errors(path: object) -> Iterator[None]:
    """Turn Arrow's many exceptions into one error about the file."""
    import pyarrow as pa

    try:
        yield
    except AssayError:
        raise
    except tuple(READ_ERRORS) as error:
        raise FormatError(READ_ERRORS[type(error)], path=path) from error
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FormatError(f"not a readable Parquet file ({first[:200]}); make or fetch it again", path=path) from error
