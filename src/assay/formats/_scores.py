"""Files of scores: one record per system, or per system and item, and metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from math import isfinite, nan
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import msgspec
import numpy as np

from ..data.facets import name_clusters, name_repeat
from ..data.scores import CorpusStatistics, Finish, Floats, Scores
from ..errors import AlignmentError, FormatError, InputError
from ..files import whole_file
from ._foreign_scores import foreign_scores
from ._io.columns import ROLES, match_columns
from ._io.csv_rows import CsvWriter
from ._io.parquet_rows import ParquetWriter
from ._io.table_read import open_table
from ._io.table_write import RowWriter
from ._io.text_file import ReadProgress, StrPath, read_lines
from .lines import name_systems

_LABELS = ("cluster", "run")  # columns that are written only where the first items have them
_TABLES = (".csv", ".tsv", ".parquet")
SCORE_ENDINGS = (".jsonl", ".json", ".ndjson", *_TABLES)


class ScoreRecord(NamedTuple):
    """One score; without `item` it is the system's, over `n` items.

    `statistics` are the item's part of a corpus score: they add up over items. `cluster` names what the
    item was drawn with, `run` which repeat of the same input it is.
    """

    system: str
    metric: str
    score: float
    n: int | None = None
    item: str | None = None
    statistics: Sequence[float] | None = None
    cluster: str | None = None
    run: str | None = None


def score_records(scores: Scores, *, per_item: bool = False) -> Iterator[ScoreRecord]:
    """Yield the scores as records.

    >>> s = Scores(np.array([[0.5, 1.0]]), ("A",), ("1", "2"), name="rouge1")
    >>> list(score_records(s))
    [ScoreRecord(system='A', metric='rouge1', score=0.75, n=2, item=None, statistics=None, cluster=None, run=None)]
    >>> [(r.item, r.score) for r in score_records(s, per_item=True)]
    [('1', 0.5), ('2', 1.0)]
    """
    metric = scores.signature or scores.name
    if not per_item:
        for system, mean, n in zip(scores.systems, scores.means(), scores.counts(), strict=True):
            yield ScoreRecord(system, metric, float(mean), int(n))
        return
    for i, (system, values) in enumerate(zip(scores.systems, scores.values.tolist(), strict=True)):
        for k, (item, value) in enumerate(zip(scores.items, values, strict=True)):
            rows = None if scores.statistics is None else scores.statistics.rows[i, k].tolist()
            cluster = None if scores.clusters is None else scores.clusters[k]
            run = None if scores.runs is None else scores.runs[k]
            yield ScoreRecord(system, metric, value, None, item, rows, cluster, run)


class ScoreWriter:
    """Writes records as JSON Lines, CSV or Parquet, by the name; the file appears whole at the end or not at all.

    `per_item` gives CSV and Parquet their column `item`, `statistics` a column with what corpus scores are made of. A
    score that is not a number is written as null. In CSV, `escape_formulas` puts an apostrophe before names that a
    spreadsheet would run; `read_scores` takes it off again.

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

    def __init__(
        self, path: StrPath, *, per_item: bool = False, statistics: bool = False, escape_formulas: bool = True
    ) -> None:
        self.path, self.per_item, self.escape_formulas = path, per_item, escape_formulas
        self._columns = [
            column
            for column in ROLES["scores"]
            if (per_item or column.name not in ("item", *_LABELS))
            and ((per_item and statistics) or column.name != "statistics")
        ]
        self._ending = Path(Path(path).name.lower().removesuffix(".gz")).suffix
        if self._ending not in SCORE_ENDINGS:
            raise FormatError(
                f"scores are written to {', '.join(SCORE_ENDINGS)}; the name has none of these", path=path
            )
        self._stack = ExitStack()
        self._file: BinaryIO | None = None
        self._unwritten: tuple[str, ...] = ()
        self._writer: RowWriter | None = None

    def __enter__(self) -> ScoreWriter:
        self._file = self._stack.enter_context(whole_file(self.path))
        return self

    def add(self, batch: Iterable[ScoreRecord]) -> None:
        """Write some more records."""
        records = list(batch)
        writer = self._writer or self._begin(records)
        for record in records:
            if record.item is not None and not self.per_item:
                raise FormatError("scores of items need ScoreWriter(per_item=True)", path=self.path)
            score = record.score if isfinite(record.score) else None
            cells = {**record._asdict(), "score": score, "statistics": self._join(record.statistics)}
            for label in self._unwritten:
                if cells[label] is not None:
                    raise FormatError(
                        f"item {record.item!r} has a {label}, and the first items have none: "
                        "give every item one, or write .jsonl",
                        path=self.path,
                    )
            writer.add([cells[column.name] for column in self._columns])

    def _begin(self, records: Sequence[ScoreRecord]) -> RowWriter:
        """Open the writer; the first records tell which columns there are."""
        if self._file is None:
            raise RuntimeError("a ScoreWriter is used in a with statement")
        if self._ending in _TABLES:
            self._unwritten = tuple(n for n in _LABELS if all(getattr(record, n) is None for record in records))
            self._columns = [column for column in self._columns if column.name not in self._unwritten]
        self._writer = self._stack.enter_context(closing(self._open_writer(self._file)))
        return self._writer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._writer is None:
            self._begin(())
        self._file = self._writer = None
        self._stack.__exit__(kind, error, trace)

    def _join(self, statistics: Sequence[float] | None) -> Any:
        """Return statistics as they are written: a list in JSON, a text of numbers in tables; nothing if undefined."""
        if not statistics or not all(map(isfinite, statistics)):
            return None
        if self._ending in _TABLES:
            return " ".join(f"{value:.17g}" for value in statistics)
        return list(statistics)

    def _open_writer(self, file: BinaryIO) -> RowWriter:
        if self._ending == ".parquet":
            return ParquetWriter(file, self._columns, self.path)
        if self._ending in (".csv", ".tsv"):
            return CsvWriter(file, self._columns, self.path, escape_formulas=self.escape_formulas)
        return _JsonWriter(file, [column.name for column in self._columns], self.path)


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


def read_scores(path: StrPath, find_finish: Callable[[str], Finish | None] | None = None) -> list[Scores]:
    """Read a file of per-item records, one `Scores` per metric, in the order of the file.

    Scores of other programs are read too: a table with a column for each metric, `.seg.score`, COMET's output, logs.

    A record without an item is the system's own score and goes into `corpus` if every system has one. `find_finish`
    returns, for the signature of a metric, the function that turns summed statistics into its corpus score; with it,
    the statistics in the file are kept and corpus scores computed from them. An item that comes again with another run
    is a repeat.
    """
    tables: dict[str, dict[tuple[str, str | None], _Cell]] = {}
    first_runs: dict[str, str] = {}
    for place, system, item, metric, cell in _records(path):
        if item is not None and cell.run is not None and first_runs.setdefault(item, cell.run) != cell.run:
            item = name_repeat(item, cell.run)
        cells = tables.setdefault(metric, {})
        if (system, item) in cells:
            raise FormatError(f"{place}: a second score of system {system!r} for item {item!r} by {metric!r}")
        cells[system, item] = cell
    if not tables:
        raise FormatError("there are no scores in it", path=path)
    return [_collect(metric, cells, path, find_finish) for metric, cells in tables.items()]


def join_scores(files: Sequence[tuple[StrPath, Sequence[Scores]]]) -> list[Scores]:
    """Join the scores of several files by metric: those of other systems for the same items are one `Scores`.

    Where two files have one system of the same name, each is called after its file. Items that disagree are an error
    with three examples.
    """
    by_metric: dict[str, list[tuple[StrPath, Scores]]] = {}
    for path, each in files:
        for scores in each:
            by_metric.setdefault(scores.name, []).append((path, scores))
    return [own[0][1] if len(own) == 1 else _join(own) for own in by_metric.values()]


def _join(parts: Sequence[tuple[StrPath, Scores]]) -> Scores:
    first, paths = parts[0][1], [path for path, _ in parts]
    for path, scores in parts[1:]:
        if lacking := sorted(set(first.items) ^ set(scores.items)):
            raise AlignmentError(
                f"{paths[0]} and {path} have scores by {first.name!r} for other items: {len(lacking):,} are in one of "
                f"them only ({', '.join(map(repr, lacking[:3]))})"
            )
    systems = [system for _, scores in parts for system in scores.systems]
    if len(set(systems)) < len(systems):
        if len(systems) > len(parts):
            twice = next(system for system in systems if systems.count(system) > 1)
            raise InputError(f"{paths[-1]}: scores of system {twice!r} by {first.name!r} are there already")
        systems = list(name_systems([str(path) for path in paths]))
    rows = [scores.select(items=first.items) for _, scores in parts]
    statistics = None
    if all(own.statistics is not None for own in rows):
        tables = [own.statistics.rows for own in rows if own.statistics is not None]
        width = max(table.shape[2] for table in tables)  # more references, more columns: those lacking are 0
        padded = [np.pad(table, ((0, 0), (0, 0), (0, width - table.shape[2]))) for table in tables]
        statistics = replace(rows[0].statistics, rows=np.concatenate(padded))  # type: ignore[type-var]
    corpora = [own.corpus for own in rows]
    corpus = np.concatenate([c for c in corpora if c is not None]) if all(c is not None for c in corpora) else None
    values = np.concatenate([own.values for own in rows])
    return replace(rows[0], values=values, systems=tuple(systems), corpus=corpus, statistics=statistics)


class _Cell(NamedTuple):
    score: float
    statistics: Sequence[float] | None
    cluster: str | None = None
    run: str | None = None


def _collect(
    metric: str,
    cells: dict[tuple[str, str | None], _Cell],
    path: StrPath,
    find_finish: Callable[[str], Finish | None] | None,
) -> Scores:
    systems = list(dict.fromkeys(system for system, _ in cells))
    items = list(dict.fromkeys(item for _, item in cells if item is not None))
    if not items:
        raise FormatError(f"no scores of single items by {metric!r}; write them with --per-item", path=path)
    row, column = {s: i for i, s in enumerate(systems)}, {item: i for i, item in enumerate(items)}
    values: Floats = np.full((len(systems), len(items)), np.nan)
    width = max((len(cell.statistics) for cell in cells.values() if cell.statistics), default=0)
    rows: Floats = np.full((len(systems), len(items), width), np.nan)
    for (system, item), cell in cells.items():
        if item is not None:
            values[row[system], column[item]] = cell.score
            if cell.statistics:  # a metric has more columns where items have more references: those lacking are 0
                rows[row[system], column[item]] = [*cell.statistics, *[0.0] * (width - len(cell.statistics))]
    finish = find_finish(metric) if width and find_finish is not None else None
    complete = bool((np.isnan(rows).any(axis=2) == np.isnan(values)).all())
    statistics = CorpusStatistics(rows, finish) if finish is not None and complete else None
    labels: dict[str, _Cell] = {}
    for (system, item), cell in cells.items():
        if item is not None and (known := labels.setdefault(item, cell))[2:] != cell[2:]:
            what = "cluster" if known.cluster != cell.cluster else "run"
            raise FormatError(f"item {item!r} has another {what} for system {system!r} than before", path=path)
    runs = tuple(labels[item].run for item in items)
    alone = [cells[system, None].score if (system, None) in cells else nan for system in systems]
    corpus = np.array(alone) if all((system, None) in cells for system in systems) else None
    return Scores(
        values,
        tuple(systems),
        tuple(items),
        name=metric,
        signature=metric,
        corpus=statistics.scores() if statistics is not None else corpus,
        statistics=statistics,
        clusters=name_clusters(items, [labels[item].cluster for item in items], runs),
        runs=runs if any(run is not None for run in runs) else None,
    )


def _parse_statistics(text: str | None, place: str) -> list[float] | None:
    if not text:
        return None
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        values = [nan]
    if not all(map(isfinite, values)):
        raise FormatError(f"{place}: statistics must be numbers with spaces between; got {text[:40]!r}")
    return values


class _Line(msgspec.Struct):
    system: str
    metric: str
    score: float | None
    item: str | int | None = None
    statistics: list[float] | None = None
    cluster: str | int | None = None
    run: str | int | None = None


def _records(path: StrPath) -> Iterator[tuple[str, str, str | None, str, _Cell]]:
    """Yield place, system, item, metric, and score with statistics."""
    foreign = foreign_scores(path)
    if foreign is not None:
        for place, system, item, metric, score in foreign:
            yield place, system, item, metric, _Cell(score, None)
        return
    if Path(Path(path).name.lower().removesuffix(".gz")).suffix in _TABLES:
        table = open_table(path)
        columns = match_columns("scores", table.headers, path)
        names = [matched.column.name for matched in columns]
        for number, *values in table.rows(columns, ReadProgress()):
            cells = dict(zip(names, values, strict=True))
            if cells["system"] is None or cells["metric"] is None:
                raise table.error_at(number, "a score needs a system and a metric")
            statistics = _parse_statistics(cells.get("statistics"), table.place(number))
            score = nan if cells["score"] is None else cells["score"]
            cell = _Cell(score, statistics, cells.get("cluster"), cells.get("run"))
            yield table.place(number), cells["system"], cells.get("item"), cells["metric"], cell
        return
    decode = msgspec.json.Decoder(_Line).decode
    for number, line in read_lines(path, ReadProgress()):
        if not line.strip():
            continue
        try:
            one = decode(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not a score ({error})", path=path, line=number) from error
        labels = (None if label is None else str(label) for label in (one.cluster, one.run))
        cell = _Cell(nan if one.score is None else one.score, one.statistics, *labels)
        yield f"{path}:{number}", one.system, None if one.item is None else str(one.item), one.metric, cell
