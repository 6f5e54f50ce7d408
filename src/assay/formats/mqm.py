"""MQM ratings of translations in tab-separated files, as Google releases them and as Marot reads them.

A row is an error that a rater marked: system, doc, doc_id, seg_id, rater, source, target, category, severity (Google)
or system, doc, docSegId, globalSegId, rater, source, target, category, severity, metadata (Marot). The error is marked
`<v>...</v>` in source or target. An item is a segment, its cluster the document. The score of a rater is minus the sum
of the weights of their errors (Freitag et al. 2021): major 5 (25 for a non-translation), minor 1 (0.1 for punctuation),
neutral and no-error 0. A rater with a name that begins with AutoMQM is an LLM. The rows are kept, to be written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError
from ..files import whole_file
from ._io.format import Format
from ._io.item_draft import ItemDraft, ItemDrafts
from ._io.peek import peek_columns
from ._io.text_file import ReadProgress, StrPath
from ._io.tsv_rows import read_tsv

MACHINE = "AutoMQM"  # how the names of raters begin that are language models
DIMENSION = "mqm"
GOOGLE = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
MAROT = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata")
SEGMENT = ("globalSegId", "seg_id", "global_seg_id", "segment_id")
NEEDED = ("system", "doc", "rater", "source", "target", "category", "severity")
WEIGHTS = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no error": 0.0, "noerror": 0.0}
_SPAN = re.compile(r"</?v>")


@dataclass(frozen=True)
class Mqm(Format):
    """MQM ratings; `critical` is the weight of errors of that severity, which the published scheme does not have."""

    name: ClassVar[str] = "mqm"
    critical: float = 0.0

    def recognizes(self, path: Path) -> bool:
        """Check if the first line names the columns of such a file."""
        return set(NEEDED) <= set(peek_columns(path, b"\t"))

    def lacks(self, path: StrPath) -> tuple[str, ...]:
        """Name what rows of errors cannot hold."""
        return (
            *("references", "several sources", "line breaks", "groups", "runs"),
            *("scales", "extra but mqm", "occasions"),
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the items: all rows are held in memory, as those of one segment need not be adjacent."""
        rows = list(read_tsv(path, progress or ReadProgress(), _columns(path)))
        if not rows:
            raise FormatError("there are no ratings in it", path=path)
        segment = _segment_column(rows[0][1], path)
        unique = _documents_agree(rows, segment)
        drafts = ItemDrafts()
        for number, row in rows:
            where = f"{path}:{number}"
            draft = drafts.of(row[segment] if unique else f"{row['doc']}:{row[segment]}", where)
            draft.cluster = row["doc"] or None
            draft.add_source(_SPAN.sub("", row["source"]), where)
            draft.add_output(row["system"], _SPAN.sub("", row["target"]), where)
            self._add_error(draft, row, path, number)
        yield from drafts

    def write_items(self, items: Iterable[Item], path: StrPath) -> None:
        """Write the rows of errors that the items were read with; a score that they do not explain is an error."""
        columns: tuple[str, ...] = ()
        with whole_file(path) as file:
            for item in items:
                rows = self._rows(item, path)
                if not columns:
                    columns = tuple(rows[0])
                    file.write(("\t".join(columns) + "\n").encode())
                for row in rows:
                    cells = [str(row.get(column, "")) for column in columns]
                    if any(mark in cell for cell in cells for mark in "\t\n\r"):
                        raise FormatError(f"{item.place} has a tab or line break in a text", path=path)
                    file.write(("\t".join(cells) + "\n").encode())

    def weight(self, category: str, severity: str) -> float | None:
        """Return the weight of an error, or None for a severity that is not known."""
        level, kind = severity.strip().lower(), category.strip().lower()
        if level == "critical" and self.critical > 0:
            return self.critical
        if kind.startswith("no-error"):
            return 0.0
        if level == "major" and kind.startswith("non-translation"):
            return 25.0
        if level == "minor" and kind == "fluency/punctuation":
            return 0.1
        return WEIGHTS.get(level)

    def _add_error(self, draft: ItemDraft, row: dict[str, str], path: StrPath, line: int) -> None:
        weight = self.weight(row["category"], row["severity"])
        if weight is None:
            hint = (
                '; give its weight as --input-format "mqm(critical=25)"'
                if row["severity"].lower() == "critical"
                else ""
            )
            known = "major, minor, neutral and no-error"
            message = f"severity {row['severity'][:30]!r} has no weight (known: {known}){hint}"
            raise FormatError(message, path=path, line=line)
        kind = "llm" if row["rater"].startswith(MACHINE) else None
        key = (row["system"], row["rater"], DIMENSION)
        at = next((n for n, j in enumerate(draft.judgments) if j[:3] == key), None)
        if at is None:
            draft.judgments.append(Judgment(*key, 0.0 - weight, kind=kind))
        else:
            known_score = draft.judgments[at].score
            draft.judgments[at] = draft.judgments[at]._replace(score=known_score - weight)
        draft.extra.setdefault("mqm", []).append(dict(row))

    def _rows(self, item: Item, path: StrPath) -> list[Mapping[str, Any]]:
        rows = item.extra.get("mqm")
        scores: dict[tuple[str, str], float] = {}
        for row in rows if isinstance(rows, list) else ():
            if not isinstance(row, dict) or not set(NEEDED) <= row.keys():
                raise FormatError(f"{item.place}: its key mqm does not hold rows of errors", path=path)
            key = (row["system"], row["rater"])
            scores[key] = scores.get(key, 0.0) - (self.weight(row["category"], row["severity"]) or 0.0)
        own = {(j.system, j.rater): j.score for j in item.judgments if j.dimension == DIMENSION}
        if not scores or own != scores or len(own) != len(item.judgments) or item.outputs.keys() - {s for s, _ in own}:
            message = f"{item.place} has outputs or scores that no marked error explains; MQM rows are errors"
            raise FormatError(message, path=path)
        for row in rows or ():
            same = _texts(row) == (item.cluster, item.sources, item.outputs.get(row["system"]))
            segment = row[_segment_column(row, path)]
            if not same or item.id not in (segment, f"{row['doc']}:{segment}"):
                raise FormatError(f"{item.place} has another id, text or cluster than its rows of errors", path=path)
        if any((j.kind or "human") != ("llm" if j.rater.startswith(MACHINE) else "human") for j in item.judgments):
            message = f"{item.place} has judgments by machines; in MQM rows only raters called {MACHINE}... are such"
            raise FormatError(message, path=path)
        return rows  # type: ignore[return-value]


def _texts(row: Mapping[str, str]) -> tuple[str | None, tuple[str, ...], str]:
    """Return group, sources and output that a row tells."""
    return row["doc"] or None, (_SPAN.sub("", row["source"]),), _SPAN.sub("", row["target"])


def _columns(path: StrPath) -> tuple[str, ...]:
    """Return the columns of a file without a header, by their number."""
    first = peek_columns(Path(path), b"\t")
    if "severity" in first:
        return ()
    if len(first) not in (len(GOOGLE), len(MAROT)):
        raise FormatError(
            f"{len(first)} columns; MQM ratings have {len(GOOGLE)} (Google) or {len(MAROT)} (Marot)", path=path
        )
    return GOOGLE if len(first) == len(GOOGLE) else MAROT


def _segment_column(row: Mapping[str, str], path: StrPath) -> str:
    absent = [name for name in NEEDED if name not in row]
    segment = next((name for name in SEGMENT if name in row), None)
    if absent or segment is None:
        raise FormatError(f"no column {absent[0] if absent else SEGMENT[1]!r}; it has {', '.join(row)}", path=path)
    return segment


def _documents_agree(rows: list[tuple[int, dict[str, str]]], segment: str) -> bool:
    """Check if a number of a segment belongs to one document only, so that it is an id by itself."""
    documents: dict[str, str] = {}
    return all(documents.setdefault(row[segment], row["doc"]) == row["doc"] for _, row in rows)
