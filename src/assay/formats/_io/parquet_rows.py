"""Rows of Parquet files, read and written batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, BinaryIO

from ...errors import AssayError, FormatError
from ...extras import import_extra
from .columns import Kind, MatchedColumn, TableColumn
from .layout import Holds
from .pipes import rereadable
from .text_file import READ_ERRORS, ReadProgress, StrPath

BATCH_BYTES = 8 << 20
BATCH_ROWS = 8192


class ParquetReader:
    """A Parquet file, or some row groups of it; rows are known by their number, from 1."""

    def __init__(self, path: StrPath, row_groups: Sequence[int] | None = None) -> None:
        self.path = rereadable(path)
        self._row_groups = None if row_groups is None else list(row_groups)
        with _arrow_errors(path), self._open() as file:
            self._schema = file.schema_arrow
        self.headers: list[str] = list(self._schema.names)

    def holds(self) -> dict[str, Holds]:
        """Return what each column holds, by its type."""
        return {field.name: _value_kind(field.type) for field in self._schema}

    def is_nested(self) -> bool:
        """Tell whether a column holds records, which are read as those of JSON are."""
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
        with _arrow_errors(self.path), self._open() as file:
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
        for number, batch in self.arrow_batches(columns, progress):
            yield from zip(range(number, number + len(batch[0])), *self.row_values(batch), strict=True)

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

    def _batches(self, file: Any, names: list[str] | None = None) -> Any:
        return file.iter_batches(
            batch_size=_batch_rows(file.metadata), row_groups=self._row_groups, columns=names, use_threads=False
        )

    def _open(self) -> Any:
        pq = import_extra("pyarrow.parquet", "tables", "Parquet")

        # Buffered streams instead of whole column chunks: a file of one large row group stays small in memory.
        return pq.ParquetFile(os.fspath(self.path), pre_buffer=False, buffer_size=1 << 20)

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
    """Tell whether a column of this Arrow type can be read as the kind without guessing."""
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


def _pythonic(column: Any) -> list[Any]:
    """Return the values; lists are cut out of one flat list, which is quicker than asking Arrow for each."""
    import pyarrow as pa

    if not pa.types.is_list(column.type) or column.null_count:
        return list(column.to_pylist())
    flat, ends = column.values.to_pylist(), column.offsets.to_pylist()
    return [flat[start:end] for start, end in pairwise(ends)]


def _batch_rows(metadata: Any) -> int:
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    average = size / max(metadata.num_rows, 1)
    return int(min(max(BATCH_BYTES / max(average, 1), 1), BATCH_ROWS))


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
