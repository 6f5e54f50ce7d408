"""Direct assessments of WMT as COMET is trained on them: a CSV file `lp,src,mt,ref,score,raw,annotators`.

A row is an output with its mean rating over `annotators` people, as z-score (`score`) and from 0 to 100 (`raw`). The
file does not name systems: each row is an item with one output, of a system named after the file, unless there is a
column `system`. The rater of both dimensions is `mean`. The language pair is the group; further columns stay with the
item.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError
from ..files import whole_file
from ._io.cells import parse_score
from ._io.columns import MatchedColumn, TableColumn
from ._io.csv_rows import CsvReader
from ._io.format import Format
from ._io.item_draft import ItemDrafts
from ._io.peek import peek_columns
from ._io.text_file import ReadProgress, StrPath
from .mtme import MEAN

NEEDED = ("src", "mt", "score")
COLUMNS = ("lp", "src", "mt", "ref", "score", "raw", "annotators")
SYSTEM = ("system", "sys", "model")
DIMENSIONS = {"score": "da-z", "raw": "da"}


class WmtDa(Format):
    """Direct assessments of WMT as CSV."""

    name: ClassVar[str] = "wmt-da"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line names these columns."""
        heads = set(peek_columns(path, b","))
        return {*NEEDED, "lp"} <= heads or {*NEEDED, "raw", "annotators"} <= heads

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what a row of this table cannot hold."""
        return (
            "several references",
            "reference ids",
            "alternatives",
            "several sources",
            "scales",
            "machines",
            "kinds",
            "clusters",
            "runs",
            "extra but wmt",
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read a row as an item; where systems are named, rows of one source and reference are one item."""
        table = CsvReader(path, escape_formulas=False)
        absent = [name for name in NEEDED if name not in table.headers]
        if absent:
            raise FormatError(f"no column {absent[0]!r}; it has {', '.join(table.headers[:8])}", path=path)
        columns = [MatchedColumn(TableColumn(head, "text"), head) for head in table.headers]
        system = next((name for name in SYSTEM if name in table.headers), None)
        drafts, ids = ItemDrafts(), dict[tuple[str, ...], str]()
        for number, (line, *cells) in enumerate(table.rows(columns, progress or ReadProgress()), 1):
            row = dict(zip(table.headers, cells, strict=True))
            key: tuple[str, ...] = (row["id"],) if row.get("id") else (str(number),)
            if system and not row.get("id"):
                key = (row.get("lp", ""), row["src"], row.get("ref", ""))
            name = row[system] if system else Path(path).name.split(".")[0]
            draft = drafts.of(ids.setdefault(key, row.get("id") or str(len(ids) + 1)), table.place(line))
            draft.group = row.get("lp") or None
            if row["src"]:
                draft.add_source(row["src"], table.place(line))
            if row.get("ref"):
                draft.add_reference(row["ref"])
            draft.add_output(name, row["mt"], table.place(line))
            draft.judgments += _judgments(row, name, path, line)
            if more := {head: cell for head, cell in row.items() if head not in (*COLUMNS[:6], system, "id") and cell}:
                draft.extra.setdefault("wmt", {})[name] = more
        yield from drafts

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write a row for each output with its mean rating over people; the system is a column if there are several."""
        entries = list(items)
        more = dict.fromkeys(key for item in entries for system in item.outputs for key in _more(item, system))
        more.pop("annotators", None)
        with whole_file(path) as file:
            text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow((*COLUMNS, "system", "id", *more))
            for item in entries:
                if len(item.sources) > 1 or len(item.references) > 1:
                    raise FormatError(f"{item.place} has several sources or references; a row has one", path=path)
                writer.writerows(_rows(item, list(more), path))
            text.detach()


def _judgments(row: Mapping[str, str], system: str, path: StrPath, line: int) -> Iterator[Judgment]:
    for column, dimension in DIMENSIONS.items():
        score = parse_score(row.get(column), f"column {column!r}", path, line)
        if score is not None:
            yield Judgment(system, MEAN, dimension, score)


def _more(item: Item, system: str) -> Mapping[str, Any]:
    """Return the further columns of a row, which were kept with the item."""
    columns = item.extra.get("wmt")
    own = columns.get(system) if isinstance(columns, dict) else None
    return own if isinstance(own, dict) else {}


def _rows(item: Item, more: list[str], path: StrPath) -> Iterator[list[Any]]:
    unknown = sorted({j.dimension for j in item.judgments} - set(DIMENSIONS.values()))
    if unknown or any(j.rater != MEAN or j.occasion > 1 for j in item.judgments):
        what = f"judgments of {unknown[0]!r}" if unknown else "judgments by single raters"
        raise FormatError(f"{item.place} has {what}; this table holds da and da-z by {MEAN!r}", path=path)
    scores = {(j.system, j.dimension): j.score for j in item.judgments}
    for system, text in item.outputs.items():
        cells = [scores.get((system, dimension), "") for dimension in DIMENSIONS.values()]
        source = item.sources[0] if item.sources else ""
        reference = item.references[0].text if item.references else ""
        own = _more(item, system)
        count = own.get("annotators", "")
        yield [
            item.group or "",
            source,
            text,
            reference,
            *cells,
            count,
            system,
            item.id,
            *(own.get(k, "") for k in more),
        ]
