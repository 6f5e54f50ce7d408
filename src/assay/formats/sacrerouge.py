"""SacreROUGE's JSON Lines (Deutsch and Roth 2020): summaries with references, and metrics.jsonl with judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item
from ..data.reading import ReadColumn, Reading
from ..errors import FormatError
from ._io.format import ReadOnlyFormat
from ._io.json_rows import line_records
from ._io.judgment_rows import JudgmentRow
from ._io.layout import ColumnMap
from ._io.layout_items import UNNAMED
from ._io.peek import matches
from ._io.record_rows import RecordReader
from ._io.roles import fold, is_metadata
from ._io.table_read import read_rows
from ._io.text_file import ReadProgress, StrPath


class SacreRouge(ReadOnlyFormat):
    """A line is a summary of one system for one instance, or what was measured of it."""

    name: ClassVar[str] = "sacrerouge"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line has SacreROUGE's two ids."""
        return matches(path, rb'^\s*\{[^\n]*"instance_id"\s*:') and matches(path, rb'^\s*\{[^\n]*"summarizer_id"\s*:')

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the summaries; a summary by a person is an output, and their references are the others' texts."""
        progress = progress or ReadProgress()
        lines = line_records(path)
        table = RecordReader(
            path, lambda read: ((n, _record(r, path, n)) for n, r in lines(read)), place="{path}:{row}"
        )
        items = read_rows(table, progress=progress)
        names = {"output": "summary", "reference": "references", "id": "instance_id", "system": "summarizer_id"}
        columns = (ReadColumn(str(path), name, role, "SacreROUGE's own name") for role, name in names.items())
        progress.reading = Reading((str(path),), self.name, part="SacreROUGE", columns=tuple(columns))
        yield from items

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield what people said of the summaries: the metrics of the file that are none of ours or the like."""
        for number, record in line_records(path)(progress or ReadProgress()):
            item, system = _ids(record, path, number)
            for dimension, score in _judgments(record):
                yield JudgmentRow(item, system, UNNAMED, dimension, score, place=f"{path}:{number}")


def _record(record: Mapping[str, Any], path: StrPath, number: int) -> dict[str, Any]:
    """Return a line as a record with roles as keys."""
    item, system = _ids(record, path, number)
    if "summary" not in record:
        hint = "it holds metrics: give it as --judgments FILE with the summaries"
        raise FormatError(f"no summary; {hint}", path=path, line=number)
    row: dict[str, Any] = {"id": item, "system": system, "output": _text(record["summary"])}
    if record.get("summarizer_type") != "reference":  # of a person's summary, the references are the others'
        entries = record.get("references") or ([record["reference"]] if record.get("reference") else [])
        row["references"] = [
            {"text": _text(entry), **({"id": entry["summarizer_id"]} if "summarizer_id" in entry else {})}
            for entry in entries
        ]
    if "documents" in record:
        row["sources"] = [_text(entry) for entry in record["documents"]]
    return row | dict(_judgments(record))


def _ids(record: Mapping[str, Any], path: StrPath, number: int) -> tuple[str, str]:
    if "instance_id" not in record or "summarizer_id" not in record:
        raise FormatError("a line needs instance_id and summarizer_id", path=path, line=number)
    return str(record["instance_id"]), str(record["summarizer_id"])


def _text(entry: Any) -> Any:
    """Return a text, of which the file may hold the sentences."""
    text = entry.get("text") if isinstance(entry, Mapping) else entry
    return "\n".join(map(str, text)) if isinstance(text, list) else text


def _judgments(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in (record.get("metrics") or {}).items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and not is_metadata(name) and not fold(name).endswith("jk"):
            yield name, float(value)
