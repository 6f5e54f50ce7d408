"""Tables of outputs in Parquet as columns: texts are scored where Arrow has put them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from ..._core import Seen, TextColumn, arrow_column, common_lists
from ...data.columns import ItemColumns
from ...data.evalset import pause_garbage_collection
from ...data.item import Item
from .layout import ColumnMap
from .parquet_rows import BATCH_BYTES, ParquetReader
from .table_items import build_item
from .table_read import RolePart, Row, main_part, read_rows
from .text_file import ReadProgress

Chunk = ItemColumns | list[Item]
_NAMED = ("item", "system", "text", "reference", "references")


def read_column_chunks(
    table: ParquetReader,
    cut: Callable[[Iterator[Item]], Iterator[Chunk]],
    *,
    batch: int,
    progress: ReadProgress,
    columns: ColumnMap | None = None,
) -> Iterator[Chunk]:
    """Read the items of a table as columns; `cut` makes chunks of items where that cannot be.

    It can where the columns are ours, the rows of an item adjacent, and each item has an output of the same systems in
    the same order, and nothing is said about runs; a chunk of items that are not like that is read row by row.
    """
    part = None if columns else main_part(table, ReadProgress())
    plain = part is not None and part.role == "outputs" and part.layout is None and not part.has_runs
    if part is None or not plain or not _has_ordered_items(table, part):
        yield from cut(read_rows(table, progress=progress, columns=columns))
        return
    for number, rows in _whole_items(table, part, batch, progress):
        yield from _cut_columns(part, rows, number, batch) or cut(_build_rows(part, table.row_values(rows), number))


def _has_ordered_items(table: ParquetReader, part: RolePart) -> bool:
    """Check if the rows of each item are adjacent; a look at one column, before any item is handed out."""
    ids_before, last = Seen(), None
    for _, rows in table.arrow_batches(part.columns[:1], ReadProgress()):
        ids = _texts(rows[0])
        if ids is None:
            return False
        starts = ids.run_starts()
        if len(starts) and starts[0] == last:
            starts = starts[1:]
        if starts.add_to(ids_before):
            return False
        last = ids[len(ids) - 1] if len(ids) else last
    return True


def _whole_items(
    table: ParquetReader, part: RolePart, batch: int, progress: ReadProgress
) -> Iterator[tuple[int, list[Any]]]:
    """Yield row numbers and the columns of rows, of about `batch` items or more; no item is on both sides of a cut."""
    first, waiting = 1, _Rows()
    for _, rows in table.arrow_batches(part.columns, progress):
        if len(waiting) >= batch * waiting.width or waiting.size > 4 * BATCH_BYTES:
            whole = waiting.take_whole_items(rows[0][0].as_py())
            if len(whole[0]):
                yield first, whole
            first += len(whole[0])
        waiting.add(rows)
    if len(waiting):
        yield first, waiting.take(len(waiting))


class _Rows:
    """Columns of rows that wait for more; `width` is the number of rows of the first item."""

    def __init__(self) -> None:
        self._batches: list[list[Any]] = []
        self.width = 1

    def __len__(self) -> int:
        return sum(len(batch[0]) for batch in self._batches)

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return sum(column.nbytes for batch in self._batches for column in batch)

    def add(self, columns: list[Any]) -> None:
        """Add rows at the end."""
        if not self._batches and (ids := _texts(columns[0])) is not None:
            self.width = ids.run_lengths()[0]
        self._batches.append(columns)

    def take_whole_items(self, following: Any) -> list[Any]:
        """Take the rows out, but those of the last item where it is the one that follows."""
        ids = self._batches[-1][0]
        if ids[-1].as_py() != following:
            return self.take(len(self))
        last = len(self)
        while last and self._id_at(last - 1) == following:
            last -= 1
        return self.take(last)

    def take(self, count: int) -> list[Any]:
        """Remove and return the first n rows."""
        import pyarrow as pa

        columns = [
            pa.concat_arrays(parts) if len(parts) > 1 else parts[0] for parts in zip(*self._batches, strict=True)
        ]
        rest = [column[count:] for column in columns]
        self._batches = [rest] if len(rest[0]) else []
        return [column[:count] for column in columns]

    def _id_at(self, row: int) -> Any:
        for batch in self._batches:
            if row < len(batch[0]):
                return batch[0][row].as_py()
            row -= len(batch[0])
        return None


def _cut_columns(part: RolePart, rows: list[Any], number: int, batch: int) -> list[Chunk]:
    """Return the rows as columns of at most `batch` items each; nothing where they are not plain."""
    names = [matched.column.name for matched in part.columns]
    ids, systems, outputs = (_texts(column) for column in rows[:3])
    if ids is None or systems is None or outputs is None:
        return []
    runs = ids.run_lengths()
    width = runs[0]
    if set(runs) != {width} or not systems.repeats(width) or len(set(systems[:width])) < width:
        return []
    others = [column for name, column in zip(names, rows, strict=True) if name not in _NAMED]
    if width > 1 and any(column.null_count < len(column) for column in others):
        return []  # other columns must be the same in all rows of an item, which is checked row by row
    lists = _common_references(names, rows, width)
    clusters = next((column for name, column in zip(names, rows, strict=True) if name == "cluster"), None)
    if clusters is not None:
        missing = clusters.null_count == len(clusters)
        clusters = None if missing else _texts(clusters)
        if clusters is None and not missing:
            return []
    if lists is None:
        return []
    references, ends = lists
    chunks: list[Chunk] = []
    for start in range(0, len(runs), batch):
        stop = min(start + batch, len(runs))
        some = [column[start * width : stop * width] for column in rows]
        chunks.append(
            ItemColumns(
                ids[start * width : stop * width].run_starts(),
                tuple(systems[:width]),
                outputs[start * width : stop * width],
                references[int(ends[start]) : int(ends[stop])],
                ends[start : stop + 1] - ends[start],
                _builder(part, some, number + start * width, width),
                unique=True,  # or the rows of an item would not be adjacent
                clusters=None if clusters is None else clusters[start:stop],  # one system: a row is an item
            )
        )
    return chunks


def _common_references(names: list[str], rows: list[Any], width: int) -> tuple[TextColumn, Any] | None:
    """Return the references of the items one after another, and where those of each end."""
    columns = {
        name: column
        for name, column in zip(names, rows, strict=True)
        if name.startswith("reference") and column.null_count < len(column)
    }
    items = len(rows[0]) // width
    if not columns:
        texts = _texts(rows[0])
        return None if texts is None else (texts[:0], np.zeros(items + 1, dtype=np.int64))
    if len(columns) > 1:
        return None
    [(name, column)] = columns.items()
    if name == "reference":
        texts, ends = _texts(column), np.arange(len(column) + 1)
    else:
        ends = np.asarray(column.offsets, dtype=np.int64)
        texts = _texts(column.values[int(ends[0]) : int(ends[-1])])
        ends = ends - ends[0]
    if texts is None:
        return None
    if width == 1 and not column.null_count:
        return texts, ends
    return common_lists(texts, ends, np.asarray(column.is_valid()).view(np.uint8), width)


def _texts(array: Any) -> TextColumn | None:
    """Return the texts of an Arrow array where they lie; None where some are missing or it holds something else."""
    import pyarrow as pa

    if array.type != pa.string() or array.null_count:
        return None
    _, starts, data = array.buffers()
    places = np.frombuffer(starts, np.int32, len(array) + 1, 4 * array.offset) if len(array) else np.zeros(1, np.int32)
    return arrow_column(array, places, np.frombuffer(data or b"", np.uint8))


def _builder(part: RolePart, rows: list[Any], number: int, width: int) -> Callable[[Iterable[int]], Iterator[Item]]:
    """Return the function that makes the items at some places from their rows, as for any table."""
    table = part.table
    assert isinstance(table, ParquetReader)
    values: list[Row] = []

    def build(places: Iterable[int]) -> Iterator[Item]:
        if not values:
            values.extend(zip(range(number, number + len(rows[0])), *table.row_values(rows), strict=True))
        for place in places:
            own = values[place * width : (place + 1) * width]
            yield build_item(own[0][1], [(part, own)])

    return build


def _build_rows(part: RolePart, values: list[list[Any]], number: int) -> Iterator[Item]:
    rows = part.check_items(zip(range(number, number + len(values[0])), *values, strict=True))
    with pause_garbage_collection():
        for item, own in groupby(rows, key=itemgetter(1)):
            yield build_item(item, [(part, list(own))])
