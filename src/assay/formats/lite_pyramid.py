"""Light pyramids: which statements of a reference a summary holds, as REALSumm and Lite2-3Pyramid publish them.

REALSumm: a table of results with `Input.eventId`, `Input.summaryId`, `Input.summary_text`, `Input.statement_1`, ... and
`Answer.S1Answer`, ... (p or n). The item is the event, the system the summary's id, the rater the worker.
Lite2-3Pyramid: a folder with `ids.txt`, `references.txt`, `SCUs.txt`, `summaries/SYSTEM.summary`, `labels/SYSTEM.label`
(0 or 1 for each unit, by tabs). In both the dimension is `litepyramid`: the share of the statements that are present.
Statements and answers are kept with the item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
_STATEMENT = re.compile(r"Input\.statement_([0-9]{1,3})")


class LitePyramid(ReadOnlyFormat):
    """Results of light pyramids."""

    name: ClassVar[str] = "lite-pyramid"

    def recognizes(self, path: Path) -> bool:
        """Tell whether this is a table with such columns, or a folder with units and labels."""
        if path.is_dir():
            return (path / "SCUs.txt").is_file() and (path / "labels").is_dir()
        return set(NEEDED) <= set(peek_columns(path, b","))

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read a table of results or a folder."""
        if Path(path).is_dir():
            return _read_folder(Path(path), progress or ReadProgress())
        return _read_table(path, progress or ReadProgress())


def _read_table(path: StrPath, progress: ReadProgress) -> Iterator[Item]:
    table = CsvReader(path, escape_formulas=False)
    absent = [name for name in NEEDED if name not in table.headers]
    if absent:
        raise FormatError(f"no column {absent[0]!r}; it has {', '.join(table.headers[:6])}", path=path)
    columns = [MatchedColumn(TableColumn(head, "text"), head) for head in table.headers]
    drafts = ItemDrafts()
    for line, *cells in table.rows(columns, progress):
        row = dict(zip(table.headers, cells, strict=True))
        draft = drafts.of(row["Input.eventId"], table.place(line))
        system = row["Input.summaryId"]
        draft.add_output(system, row["Input.summary_text"], table.place(line))
        rater = row.get("WorkerId") or f"rater{1 + sum(j.system == system for j in draft.judgments)}"
        _add_answers(draft, system, rater, _answers(row, path, line))
    yield from drafts


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
            answers[statement] = ANSWERS[cell]
    return answers


def _add_answers(draft: ItemDraft, system: str, rater: str, answers: Mapping[str, bool]) -> None:
    if answers:
        draft.judgments.append(Judgment(system, rater, DIMENSION, sum(answers.values()) / len(answers)))
        draft.extra.setdefault("statements", []).append({"system": system, "rater": rater, "present": dict(answers)})


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
        for system, line in marks.items():
            _add_answers(draft, system, MEAN, _pair_labels(units, line, labels[system], number))
        yield draft.finish()


def _pair_labels(units: list[str], line: str, path: Path, number: int) -> dict[str, bool]:
    cells = line.split("\t") if line else []
    if len(cells) != len(units):
        raise AlignmentError(f"{path}:{number}: {len(cells)} labels for {len(units)} units")
    for cell in cells:
        if cell.strip() not in ("0", "1"):
            raise FormatError(f"a label is 0 or 1; got {cell[:20]!r}", path=path, line=number)
    return {unit: cell.strip() == "1" for unit, cell in zip(units, cells, strict=True)}
