"""Appraise: exported scores of a campaign, a CSV file without a header; its number of columns tells the variant.

9: user, system, segment, type, source language, target language, score, start, end. 12 and 14: documentID,
isCompleteDocument and mqm after the score (and batch and id at the end); 11 and 13: the same without mqm. The media
dump has a header. A row is a judgment of the dimension `da`. Types TGT and CHK count; BAD and REF are controls. Scores
of whole documents are left out. Systems with the same output are joined by +.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..errors import FormatError, UnknownName
from ._io.cells import parse_score
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat, number_occasions
from ._io.layout import ColumnMap
from ._io.peek import peek_columns
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath, decode_line, read_lines

DIMENSION = "da"
_START = ("user", "system", "segment", "type", "src", "tgt", "score")
_DOCUMENT = (*_START, "document", "complete")
VARIANTS: dict[int, tuple[str, ...]] = {
    9: (*_START, "start", "end"),
    11: (*_DOCUMENT, "start", "end"),
    12: (*_DOCUMENT, "mqm", "start", "end"),
    13: (*_DOCUMENT, "start", "end", "batch", "row"),
    14: (*_DOCUMENT, "mqm", "start", "end", "batch", "row"),
}
# The header of the media dump, in our names.
HEADER = {
    "systemID": "system",
    "username": "user",
    "segmentID": "segment",
    "score": "score",
    "itemType": "type",
    "documentID": "document",
    "isCompleteDocument": "complete",
}
TYPES = ("TGT", "CHK", "BAD", "REF")
COUNTED = ("TGT", "CHK")


@dataclass(frozen=True)
class Appraise(JudgmentsFormat):
    """Scores exported from Appraise; `pair` is the language pair to read (eng-deu), where there are several."""

    name: ClassVar[str] = "appraise"
    pair: str = ""

    def recognizes(self, path: Path) -> bool:
        """Check if the first line is a score of a known type, or the header of the media dump."""
        cells = peek_columns(path, b",")
        if {"systemID", "segmentID", "itemType"} <= set(cells):
            return True
        # Cells may hold commas in quotes (mqm), so that there may be more of them than columns.
        return len(cells) >= 9 and cells[3] in TYPES and _is_number(cells[6])

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments in order; a second one of an output by a user is of another occasion."""
        return number_occasions(self._rows(path, progress or ReadProgress()))

    def _rows(self, path: StrPath, progress: ReadProgress) -> Iterator[JudgmentRow]:
        rows = self._choose_pair(list(_read_rows(path, progress)), path)
        documents: dict[str, str | None] = {}
        unique = all(
            documents.setdefault(row["segment"], row.get("document")) == row.get("document") for _, row in rows
        )
        skipped = Skipped(path)
        for line, row in rows:
            if row["type"] not in TYPES:
                raise FormatError(f"the type is {', '.join(TYPES)}; got {row['type'][:20]!r}", path=path, line=line)
            if row["type"] not in COUNTED:
                skipped.add(f"controls of type {row['type']}")
                continue
            if row.get("complete", "").strip().lower() == "true":
                skipped.add("scores of whole documents")
                continue
            score = parse_score(row["score"], "the score", path, line)
            if score is None:
                skipped.add("rows without a score")
                continue
            item = row["segment"] if unique else f"{row['document']}:{row['segment']}"
            yield JudgmentRow(item, row["system"], row["user"], DIMENSION, score, place=f"{path}:{line}")
        skipped.warn()

    def _choose_pair(self, rows: list[tuple[int, dict[str, str]]], path: StrPath) -> list[tuple[int, dict[str, str]]]:
        pairs = sorted({f"{row['src']}-{row['tgt']}" for _, row in rows if "src" in row})
        if self.pair and self.pair not in pairs:
            raise UnknownName("language pair", self.pair, pairs, hint=f"({path} has {', '.join(pairs) or 'none'})")
        if not self.pair and len(pairs) > 1:
            raise FormatError(
                f"holds {len(pairs)} language pairs ({', '.join(pairs)}); keep the rows of one", path=path
            )
        return [(n, row) for n, row in rows if not self.pair or f"{row['src']}-{row['tgt']}" == self.pair]


def _read_rows(path: StrPath, progress: ReadProgress) -> Iterator[tuple[int, dict[str, str]]]:
    lines = (decode_line(raw, path, number, progress) for number, raw in read_lines(path, progress))
    reader = csv.reader(lines, strict=True)
    names: Sequence[str] = ()
    try:
        for cells in reader:
            if not cells:
                continue
            if not names:
                names = _columns(cells, path)
                if "segmentID" in cells:
                    continue
            if len(cells) != len(names):
                message = f"{len(cells)} fields where the first row has {len(names)}"
                raise FormatError(message, path=path, line=reader.line_num)
            yield reader.line_num, _need(dict(zip(names, cells, strict=True)), path)
    except csv.Error as error:
        raise FormatError(f"this row is not valid CSV ({error})", path=path, line=reader.line_num) from error


def _columns(cells: Sequence[str], path: StrPath) -> Sequence[str]:
    if "segmentID" in cells:
        return [HEADER.get(cell.strip(), cell.strip()) for cell in cells]
    if len(cells) not in VARIANTS:
        known = ", ".join(map(str, VARIANTS))
        raise FormatError(f"{len(cells)} columns; exports of Appraise have {known}, or a header", path=path, line=1)
    return VARIANTS[len(cells)]


def _need(row: dict[str, str], path: StrPath) -> dict[str, str]:
    for name in ("system", "user", "segment", "score", "type"):
        if name not in row:
            raise FormatError(f"the header names no column of the {name}", path=path, line=1)
    return row


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell[:1].isdigit()  # a date that was a number: whoever reads it says so
    return True
