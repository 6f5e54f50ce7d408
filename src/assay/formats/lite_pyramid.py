"""Light pyramids: which statements of a reference a summary holds (LitePyramid, REALSumm, Lite2-3Pyramid).

Results: a table with `Input.eventId`, `Input.summaryId`, `Input.summary_text`, `Input.statement_1`, ... and
`Answer.S1Answer`, ... (p or n). The item is the event, the system the summary's id, the rater the worker; statements
and answers are kept with the item under `statements`. Units: a table with `eventId`, `questionText`, `sourceSummaryId`
and `forUse`; the item has them as `units`, with `present`, which summary each was taken from.
Lite2-3Pyramid: a folder with `ids.txt`, `references.txt`, `SCUs.txt`, `summaries/SYSTEM.summary`, `labels/SYSTEM.label`
(0 or 1 for each unit, by tabs), kept as `units` and `present`. The dimension is `litepyramid`: the share of the
statements that are present.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from ..data.item import Item, Judgment
from ..errors import AlignmentError, FormatError
from ._io.columns import MatchedColumn, TableColumn
from ._io.csv_rows import CsvReader
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDraft, ItemDrafts
from ._io.peek import peek_columns
from ._io.text_file import ReadProgress, StrPath, read_texts
from .lines import refuse_unequal
from .mtme import MEAN

DIMENSION = "litepyramid"
NEEDED = ("Input.eventId", "Input.summaryId", "Input.summary_text")
ANSWERS = {"p": True, "n": False, "1": True, "0": False, "present": True, "not present": False}
UNITS = ("eventId", "questionId", "questionText", "sourceSummaryId")
_UNUSED = frozenset(["0", "0.0", "false", "no", "n"])  # in the column forUse
_STATEMENT = re.compile(r"Input\.statement_([0-9]{1,3})")


class LitePyramid(ReadOnlyFormat):
    """Results of light pyramids."""

    name: ClassVar[str] = "lite-pyramid"

    def recognizes(self, path: Path) -> bool:
        """Check if this is a table with such columns, of results or of units, or a folder with both."""
        if path.is_dir():
            return (path / "SCUs.txt").is_file() and (path / "labels").is_dir()
        heads = set(peek_columns(path, b","))
        return set(NEEDED) <= heads or set(UNITS) <= heads

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read a table of results or of units, or a folder."""
        progress = progress or ReadProgress()
        if Path(path).is_dir():
            return _read_folder(Path(path), progress)
        table = CsvReader(path, escape_formulas=False)
        return _read_units(table, progress) if set(UNITS) <= set(table.headers) else _read_results(table, progress)


def _read_results(table: CsvReader, progress: ReadProgress) -> Iterator[Item]:
    absent = [name for name in NEEDED if name not in table.headers]
    if absent:
        raise FormatError(f"no column {absent[0]!r}; it has {', '.join(table.headers[:6])}", path=table.path)
    drafts = ItemDrafts()
    for line, row in _rows(table, progress):
        draft = drafts.of(row["Input.eventId"], table.place(line))
        system = row["Input.summaryId"]
        draft.add_output(system, row["Input.summary_text"], table.place(line))
        rater = row.get("WorkerId") or f"rater{1 + sum(j.system == system for j in draft.judgments)}"
        answers = _answers(row, table.path, line)
        if answers:
            draft.judgments.append(Judgment(system, rater, DIMENSION, sum(answers.values()) / len(answers)))
            draft.extra.setdefault("statements", []).append({"system": system, "rater": rater, "present": answers})
    yield from drafts


def _rows(table: CsvReader, progress: ReadProgress) -> Iterator[tuple[int, dict[str, str]]]:
    columns = [MatchedColumn(TableColumn(head, "text"), head) for head in table.headers]
    for line, *cells in table.rows(columns, progress):
        yield line, dict(zip(table.headers, cells, strict=True))


def _read_units(table: CsvReader, progress: ReadProgress) -> Iterator[Item]:
    """Read a table of units: those that were used, and the summary that each was taken from."""
    drafts = ItemDrafts()
    sources: dict[str, list[str]] = {}
    for line, row in _rows(table, progress):
        if row.get("forUse", "").strip().lower() in _UNUSED:
            continue
        if not row["questionText"].strip():
            raise FormatError(f"unit {row['questionId']!r} has no text", path=table.path, line=line)
        draft = drafts.of(row["eventId"], table.place(line))
        draft.extra.setdefault("units", []).append(row["questionText"])
        draft.extra.setdefault("unit_ids", []).append(row["questionId"])
        sources.setdefault(row["eventId"], []).append(row["sourceSummaryId"])
    for item in drafts:
        own = sources[item.id]
        present = {name: [int(source == name) for source in own] for name in dict.fromkeys(own)}
        yield replace(item, extra={**item.extra, "present": present})


def _answers(row: Mapping[str, str], path: StrPath, line: int) -> dict[str, bool]:
    """Return the statements of a row that were answered, with the answers."""
    answers: dict[str, bool] = {}
    for head, statement in row.items():
        if (match := _STATEMENT.fullmatch(head)) and statement:
            cell = row.get(f"Answer.S{match[1]}Answer", "").strip().lower()
            if not cell:
                continue
            if cell not in ANSWERS:
                message = f"an answer is p or n; got {cell[:20]!r} to statement {match[1]}"
                raise FormatError(message, path=path, line=line)
            answers[_number_again(statement, answers)] = ANSWERS[cell]
    return answers


def _number_again(statement: str, answers: Mapping[str, bool]) -> str:
    """Return a statement under a name that is not taken: one that comes twice is two units."""
    names = (statement if n == 1 else f"{statement} ({n})" for n in range(1, len(answers) + 2))
    return next(name for name in names if name not in answers)


def _read_folder(folder: Path, progress: ReadProgress) -> Iterator[Item]:
    summaries = {file.stem: file for file in sorted((folder / "summaries").glob("*.summary"))}
    labels = {file.stem: file for file in sorted((folder / "labels").glob("*.label"))}
    if not summaries:
        raise FormatError("the folder holds no summaries/SYSTEM.summary", path=folder)
    for system in labels:
        if system not in summaries:
            raise FormatError(f"there are labels of {system!r} and no summaries of it", path=folder)
    fixed = {
        name: folder / f"{name}.txt" for name in ("SCUs", "references", "ids") if (folder / f"{name}.txt").exists()
    }
    files = [*summaries.values(), *labels.values(), *fixed.values()]
    refuse_unequal(files)
    for number, cells in enumerate(zip(*(read_texts(file, progress.companion()) for file in files), strict=True), 1):
        texts = iter(cells)
        outputs = {system: next(texts) for system in summaries}
        marks = {system: next(texts) for system in labels}
        about = {name: next(texts) for name in fixed}
        draft = ItemDraft(about.get("ids", str(number)), f"{folder}:{number}", outputs=outputs)
        if "references" in about:
            draft.add_reference(about["references"])
        units = about["SCUs"].split("\t")
        present = {system: _read_labels(units, line, labels[system], number) for system, line in marks.items()}
        draft.judgments = [Judgment(s, MEAN, DIMENSION, sum(own) / len(own)) for s, own in present.items()]
        draft.extra = {"units": units, "present": present}
        yield draft.finish()


def _read_labels(units: list[str], line: str, path: Path, number: int) -> list[int]:
    cells = line.split("\t") if line else []
    if len(cells) != len(units):
        raise AlignmentError(f"{path}:{number}: {len(cells)} labels for {len(units)} units")
    for cell in cells:
        if cell.strip() not in ("0", "1"):
            raise FormatError(f"a label is 0 or 1; got {cell[:20]!r}", path=path, line=number)
    return [int(cell) for cell in cells]
