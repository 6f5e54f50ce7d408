"""Scores by metrics in files of other programs: wide tables, WMT's `.seg.score`, COMET's output, logs."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from math import nan
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..errors import FormatError, SkippedWarning
from ._io.cells import parse_score
from ._io.columns import MatchedColumn, TableColumn
from ._io.evidence import is_about, names_rating
from ._io.json_rows import find_records, read_head
from ._io.pipes import is_pipe
from ._io.roles import fold, role_of_header
from ._io.table_read import RowReader, open_table
from ._io.text_file import ReadProgress, StrPath, read_lines, read_texts
from ._known import FORMATS, format_of
from .mtme import SEGMENTS

PLAIN = (None, "csv", "parquet", "excel", "jsonl", "lines", "tables")  # formats that say nothing of who scored
OWN = ("metric", "signature")  # columns of the files that we write


class ForeignScore(NamedTuple):
    """One score of one output by one metric."""

    place: str
    system: str
    item: str
    metric: str
    score: float


def foreign_scores(path: StrPath) -> Iterator[ForeignScore] | None:
    """Return the scores of a file of another program; None where it may be one that we write."""
    if Path(path).name.removesuffix(".gz").endswith(SEGMENTS):
        return _segment_scores(path)
    if Path(path).is_dir() and (files := sorted(Path(path).glob(f"*{SEGMENTS}"))):  # metric-scores/PAIR
        return chain.from_iterable(map(_segment_scores, files))
    if is_pipe(path):  # it could not be read again; it has to be one that we write
        return None
    name = format_of(path)
    if name not in PLAIN:
        return _judged_scores(path, name or "")
    if name in (None, "lines", "tables") or Path(path).is_dir():
        return None
    table = _open(path, name)
    if table is None or any(fold(header) in OWN for header in table.headers):
        return None
    return _wide_scores(table)


def _stem(path: StrPath) -> str:
    return Path(path).name.removesuffix(".gz").removesuffix(SEGMENTS)


def _segment_scores(path: StrPath) -> Iterator[ForeignScore]:
    """Read SYSTEM SCORE (mt-metrics-eval: a block for each system), or METRIC LP TESTSET ... SYSTEM SEGMENT SCORE."""
    counts: Counter[str] = Counter()
    for number, text in enumerate(read_texts(path, ReadProgress()), 1):
        words = text.split("\t") if text.count("\t") > 1 else text.split()
        if len(words) == 2:
            system, cell, metric = words[0], words[1], _stem(path)
            counts[system] += 1
            item = str(counts[system])
        elif len(words) >= 6:
            metric, (system, item, cell) = words[0], words[-3:]
        elif words:
            raise FormatError(f"a line is SYSTEM SCORE; got {len(words)} fields", path=path, line=number)
        else:
            continue
        score = parse_score(cell, "the score", path, number)
        yield ForeignScore(f"{path}:{number}", system, item, metric, nan if score is None else score)


def _judged_scores(path: StrPath, name: str) -> Iterator[ForeignScore]:
    """Read the scores of kind metric or llm in a log or folder of a format that says so."""
    file_format = FORMATS.build(name)
    file_format = FORMATS.build(file_format.whole) if file_format.whole else file_format
    count = 0
    for row in file_format.read_judgments(path):
        if row.kind in ("metric", "llm"):
            count += 1
            system = row.system or Path(path).name.split(".")[0]
            yield ForeignScore(row.place or str(path), system, row.item, row.dimension, row.score)
    if not count:
        raise FormatError(f"is a file of {name}, and holds no scores by metrics", path=path)


def _open(path: StrPath, name: str | None) -> RowReader | None:
    if name == "excel":
        from .excel import open_sheet

        return open_sheet(path)
    if name == "jsonl":
        source = read_lines(path, ReadProgress())
        head = read_head(source)
        return find_records(path, head, source, every=True) if head and _names_item(head[-1][1]) else None
    return open_table(path)


def _names_item(line: bytes) -> bool:
    """Check if a first line may begin a wide table: an object with an id and no metric, or the start of a document."""
    try:
        value = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return True
    if not isinstance(value, dict):
        return True
    return not any(fold(key) in OWN for key in value) and any(role_of_header(key) == ("id", None) for key in value)


def _wide_scores(table: RowReader) -> Iterator[ForeignScore]:
    """Read a table with a row for each output, and a column for each metric."""
    item, system = (_find_column(table, role) for role in ("id", "system"))
    metrics = _metric_columns(table)
    columns = [MatchedColumn(TableColumn("", "name"), header) for header in (item, system)]
    columns += [MatchedColumn(TableColumn("", "number"), header) for header in metrics]
    for number, own, name, *values in table.rows(columns, ReadProgress()):
        if own is None or name is None:
            raise table.error_at(number, "a score needs an item and a system")
        for header, value in zip(metrics, values, strict=True):
            metric = header if role_of_header(header) is None else Path(table.path).name.split(".")[0]
            yield ForeignScore(table.place(number), name, own, metric, nan if value is None else value)


def _find_column(table: RowReader, role: str) -> str:
    named = [header for header in table.headers if role_of_header(header) == (role, None)]
    plain = [header for header in named if fold(header) in ("id", "item", "system", "model")]
    if len(plain or named) != 1:
        what = "of items" if role == "id" else "of systems"
        raise FormatError(
            f"a table of scores has one column {what}; it has {', '.join(map(repr, plain or named)) or 'none'} (the "
            f"columns are {', '.join(map(repr, table.headers[:20]))})",
            path=table.path,
        )
    return (plain or named)[0]


def _metric_columns(table: RowReader) -> list[str]:
    """Return the columns of numbers that are scores: not those about the row, nor ratings next to other scores."""
    holds = table.holds()
    numbers = [h for h in table.headers if holds[h] == "number" and role_of_header(h) in (None, ("score", None))]
    scores = [header for header in numbers if not is_about(header)]
    scores = [header for header in scores if not names_rating(header)] or scores
    if not scores:
        raise FormatError(f"no column of scores; the columns are {', '.join(table.headers[:20])}", path=table.path)
    if unused := [header for header in numbers if header not in scores]:
        message = f"{table.path}: not read as scores of metrics: {', '.join(unused)}"
        warnings.warn(message, SkippedWarning, stacklevel=2)
    return scores
