"""Files of scores: one record per system, or per system and item, and metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from math import isfinite, nan
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import msgspec
import numpy as np

from ..data.scores import Floats, Scores
from ..errors import FormatError
from ..files import whole_file
from ._io.columns import ROLES, match_columns
from ._io.csv_rows import CsvWriter
from ._io.parquet_rows import ParquetWriter
from ._io.table_read import open_table
from ._io.table_write import RowWriter
from ._io.text_file import ReadProgress, StrPath, read_lines

SCORE_ENDINGS = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".parquet")


class ScoreRecord(NamedTuple):
    """One score; without `item` it is the system's, over `n` items."""

    system: str
    metric: str
    score: float
    n: int | None = None
    item: str | None = None


def score_records(scores: Scores, *, per_item: bool = False) -> Iterator[ScoreRecord]:
    """The scores as records.

    >>> s = Scores(np.array([[0.5, 1.0]]), ("A",), ("1", "2"), name="rouge1")
    >>> list(score_records(s))
    [ScoreRecord(system='A', metric='rouge1', score=0.75, n=2, item=None)]
    >>> [(r.item, r.score) for r in score_records(s, per_item=True)]
    [('1', 0.5), ('2', 1.0)]
    """
    metric = scores.signature or scores.name
    if not per_item:
        for system, mean, n in zip(scores.systems, scores.means(), scores.counts(), strict=True):
            yield ScoreRecord(system, metric, float(mean), int(n))
        return
    for system, values in zip(scores.systems, scores.values.tolist(), strict=True):
        for item, value in zip(scores.items, values, strict=True):
            yield ScoreRecord(system, metric, value, None, item)


class ScoreWriter:
    """Writes records as JSON Lines, CSV or Parquet, by the name; the file appears whole at the end or not at all.

    `per_item` gives CSV and Parquet their column `item`. A score that is not a number is written as null. In CSV,
    `escape_formulas` puts an apostrophe before names that a spreadsheet would run; `read_scores` takes it off again.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with ScoreWriter(Path(folder.name, "scores.jsonl")) as out:
    ...     out.add([ScoreRecord("A", "rouge1", 0.75, 2), ScoreRecord("B", "rouge1", nan, 0)])
    >>> print(Path(folder.name, "scores.jsonl").read_text())
    {"system":"A","metric":"rouge1","score":0.75,"n":2}
    {"system":"B","metric":"rouge1","score":null,"n":0}
    <BLANKLINE>
    >>> folder.cleanup()
    """

    def __init__(self, path: StrPath, *, per_item: bool = False, escape_formulas: bool = True) -> None:
        self.path, self.per_item, self.escape_formulas = path, per_item, escape_formulas
        self._ending = Path(Path(path).name.lower().removesuffix(".gz")).suffix
        if self._ending not in SCORE_ENDINGS:
            raise FormatError(
                f"scores are written to {', '.join(SCORE_ENDINGS)}; the name has none of these", path=path
            )
        self._stack = ExitStack()
        self._writer: RowWriter | None = None

    def __enter__(self) -> ScoreWriter:
        file = self._stack.enter_context(whole_file(self.path))
        self._writer = self._stack.enter_context(closing(self._open_writer(file)))
        return self

    def add(self, batch: Iterable[ScoreRecord]) -> None:
        """Some more records."""
        if self._writer is None:
            raise RuntimeError("a ScoreWriter is used in a with statement")
        for record in batch:
            if record.item is not None and not self.per_item:
                raise FormatError("scores of items need ScoreWriter(per_item=True)", path=self.path)
            score = record.score if isfinite(record.score) else None
            item = (record.item,) if self.per_item else ()
            self._writer.add((record.system, *item, record.metric, score, record.n))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer = None
        self._stack.__exit__(kind, error, trace)

    def _open_writer(self, file: BinaryIO) -> RowWriter:
        columns = [column for column in ROLES["scores"] if self.per_item or column.name != "item"]
        if self._ending == ".parquet":
            return ParquetWriter(file, columns, self.path)
        if self._ending in (".csv", ".tsv"):
            return CsvWriter(file, columns, self.path, escape_formulas=self.escape_formulas)
        return _JsonWriter(file, [column.name for column in columns], self.path)


class _JsonWriter:
    def __init__(self, file: BinaryIO, names: Sequence[str], path: StrPath) -> None:
        self._file, self._names, self._path = file, names, path
        self._encode = msgspec.json.Encoder().encode

    def add(self, row: Sequence[Any]) -> None:
        record = {n: v for n, v in zip(self._names, row, strict=True) if v is not None or n == "score"}
        try:
            self._file.write(self._encode(record) + b"\n")
        except UnicodeEncodeError as error:
            raise FormatError(f"a lone surrogate in {record!r} cannot be written", path=self._path) from error

    def close(self) -> None:
        pass


def read_scores(path: StrPath) -> list[Scores]:
    """The scores in a file of per-item records, one `Scores` per metric, in the order of the file.

    A record without an item is the system's own score and goes into `corpus` if every system has one.
    """
    tables: dict[str, dict[tuple[str, str | None], float]] = {}
    for place, system, item, metric, score in _records(path):
        cells = tables.setdefault(metric, {})
        if (system, item) in cells:
            raise FormatError(f"{place}: a second score of system {system!r} for item {item!r} by {metric!r}")
        cells[system, item] = nan if score is None else score
    if not tables:
        raise FormatError("there are no scores in it", path=path)
    return [_scores(metric, cells, path) for metric, cells in tables.items()]


def _scores(metric: str, cells: dict[tuple[str, str | None], float], path: StrPath) -> Scores:
    systems = list(dict.fromkeys(system for system, _ in cells))
    items = list(dict.fromkeys(item for _, item in cells if item is not None))
    if not items:
        raise FormatError(f"no scores of single items by {metric!r}; write them with --per-item", path=path)
    row, column = {s: i for i, s in enumerate(systems)}, {item: i for i, item in enumerate(items)}
    values: Floats = np.full((len(systems), len(items)), np.nan)
    for (system, item), score in cells.items():
        if item is not None:
            values[row[system], column[item]] = score
    corpus = [cells.get((system, None), nan) for system in systems]
    whole = np.array(corpus) if all((system, None) in cells for system in systems) else None
    return Scores(values, tuple(systems), tuple(items), name=metric, signature=metric, corpus=whole)


class _Line(msgspec.Struct):
    system: str
    metric: str
    score: float | None
    item: str | int | None = None


def _records(path: StrPath) -> Iterator[tuple[str, str, str | None, str, float | None]]:
    """Place, system, item, metric, score."""
    if Path(Path(path).name.lower().removesuffix(".gz")).suffix in (".csv", ".tsv", ".parquet"):
        table = open_table(path)
        columns = match_columns("scores", table.headers, path)
        names = [matched.column.name for matched in columns]
        for number, *values in table.rows(columns, ReadProgress()):
            cells = dict(zip(names, values, strict=True))
            if cells["system"] is None or cells["metric"] is None:
                raise table.error_at(number, "a score needs a system and a metric")
            yield table.place(number), cells["system"], cells.get("item"), cells["metric"], cells["score"]
        return
    decode = msgspec.json.Decoder(_Line).decode
    for number, line in read_lines(path, ReadProgress()):
        if not line.strip():
            continue
        try:
            one = decode(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not a score ({error})", path=path, line=number) from error
        yield f"{path}:{number}", one.system, None if one.item is None else str(one.item), one.metric, one.score
