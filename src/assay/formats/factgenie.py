"""factgenie: annotated outputs, JSON Lines with the same record for people and LLMs; a file or a campaign's folder.

The item is the example's number (with dataset and split where there are several), the system the setup_id, the rater
the annotator (or the campaign). The number of marked spans is the dimension `annotations`; sliders and options that are
numbers are dimensions of their own. A record with a model in its configuration is by an LLM. Spans are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError
from ._io.cells import parse_score
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDrafts
from ._io.json_file import Json, as_list, as_name, as_object, as_text, read_json_lines
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

SPANS = "annotations"
RATER = ("annotator_id", "annotator", "campaign_id", "id", "annotator_group")


class Factgenie(ReadOnlyFormat):
    """Annotations made with factgenie."""

    name: ClassVar[str] = "factgenie"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line is a record with a setup and annotations, or a folder holds such files."""
        if path.is_dir():
            return any(map(self.recognizes, sorted((path / "files").glob("*.jsonl"))[:1]))
        return matches(
            path, rb"^\s*\{", rb'^[^\n]*"setup_id"\s*:', rb'^[^\n]*"example_idx"\s*:', rb'^[^\n]*"annotations"\s*:'
        )

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the records; those of one example are one item."""
        records = [(file, number, record) for file in _files(path) for number, record in _records(file, progress)]
        if not records:
            raise FormatError("there are no records in it", path=path)
        sets = {f"{record.get('dataset')}/{record.get('split')}" for _, _, record in records}
        drafts, skipped = ItemDrafts(), Skipped(path)
        for file, number, record in records:
            where = f"{file}:{number}"
            example = as_name(record.get("example_idx"), "example_idx", file, number)
            item = example if len(sets) == 1 else f"{record.get('dataset')}/{record.get('split')}/{example}"
            system = as_name(record.get("setup_id"), "setup_id", file, number)
            draft = drafts.of(item, where)
            draft.add_output(system, as_text(record.get("output"), "output", file, number), where)
            rater, kind = _rater(record, file, number)
            for dimension, score in _scores(record, skipped, file, number):
                draft.judgments.append(Judgment(system, rater, dimension, score, kind=kind))
            spans = as_list(record.get("annotations") or [], "annotations", file, number)
            draft.judgments.append(Judgment(system, rater, SPANS, float(len(spans)), kind=kind))
            if spans:
                draft.extra.setdefault("spans", []).append({"system": system, "rater": rater, "spans": spans})
        skipped.warn()
        yield from drafts


def _files(path: StrPath) -> list[Path]:
    folder = Path(path)
    return sorted((folder / "files").glob("*.jsonl")) if folder.is_dir() else [folder]


def _records(file: Path, progress: ReadProgress | None) -> Iterator[tuple[int, Json]]:
    return read_json_lines(file, progress or ReadProgress())


def _rater(record: Json, path: StrPath, line: int) -> tuple[str, str | None]:
    """Return who made a record: the annotator, and llm where the configuration names a model."""
    metadata = as_object(record.get("metadata") or {}, "metadata", path, line)
    config = metadata.get("config")
    model = config.get("model") if isinstance(config, dict) else None
    names: list[Any] = [*(record.get(key) for key in RATER[:2]), *(metadata.get(key) for key in RATER)]
    name = next((n for n in [model, *names] if n is not None and n != ""), "annotator")
    return as_name(name, "the annotator", path, line), "llm" if model else None


def _scores(record: Json, skipped: Skipped, path: StrPath, line: int) -> Iterator[tuple[str, float]]:
    for key in ("sliders", "options"):
        for entry in as_list(record.get(key) or [], key, path, line):
            field = as_object(entry, f"an entry of {key}", path, line)
            try:
                score = parse_score(field.get("value"), key, path, line)
            except FormatError:
                if key == "sliders":
                    raise
                score = None
            if score is None:
                skipped.add(f"{key} that are not numbers")
            else:
                yield as_name(field.get("label"), f"the label in {key}", path, line), score
    if record.get("text_fields"):
        skipped.add("records with text fields")
