"""COMET: what `comet-score` prints, and its JSON (`--to_json`).

Printed, a line is `FILE<tab>Segment 0<tab>score: 0.8123`. In JSON, each file of translations has a list of segments
with src, mt, ref and COMET. The item is the number of the segment, from 1, as in files of lines; the system is called
after its file. COMET is a score of kind metric. The error spans of XCOMET, with their confidence, are its explanation
and no judgments: they are left out, and so is the variance of repeated runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError, NoOutputs
from ._io.cells import parse_score
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDrafts
from ._io.json_file import as_list, as_object, as_text, read_json
from ._io.judgment_rows import JudgmentRow, item_judgments
from ._io.layout import ColumnMap
from ._io.peek import matches, peek
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath, read_texts
from .lines import name_systems

METRIC = "COMET"
_SEGMENT = re.compile(r"(?:(.+)\t)?Segment (\d+)\tscore: (\S+)(?:\tvariance: \S+)?")
_SEGMENT_BYTES = re.compile(_SEGMENT.pattern.replace("(?:(.+)\\t)?", "(?:[^\\n]+\\t)?").encode())


_DOCUMENT = rb'^\s*(?:\[\s*\{\s*"src"|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[)'  # of segments, or of files with them


class Comet(ReadOnlyFormat):
    """Scores by COMET."""

    name: ClassVar[str] = "comet"

    def recognizes(self, path: Path) -> bool:
        """Check if lines are printed scores, or objects with src, mt and COMET."""
        if matches(path, _DOCUMENT, rb'"mt"\s*:\s*"', rb'"COMET"\s*:\s*-?[\dN]'):
            return True
        return any(_SEGMENT_BYTES.fullmatch(line.rstrip(b"\r")) for line in peek(path).split(b"\n")[:50])

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the segments of the JSON; what was printed has no texts."""
        if not peek(Path(path)).lstrip().startswith((b"{", b"[")):
            raise NoOutputs(
                f"holds scores by COMET and no outputs; give it with the outputs: OUTPUTS --scores {path}", path=path
            )
        drafts, skipped = ItemDrafts(), Skipped(path)
        for system, segments in _list_files(read_json(path), path).items():
            for number, entry in enumerate(segments, 1):
                where = f"{path}: {system}, segment {number - 1}"
                segment = as_object(entry, where, path)
                draft = drafts.of(str(number), where)
                draft.add_output(system, as_text(segment.get("mt"), f"{where}: mt", path), where)
                if segment.get("src") is not None:
                    draft.add_source(as_text(segment["src"], f"{where}: src", path), where)
                if segment.get("ref") is not None:
                    draft.add_reference(as_text(segment["ref"], f"{where}: ref", path))
                score = parse_score(segment.get(METRIC), f"{where}: {METRIC}", path)
                if score is not None:
                    draft.judgments.append(Judgment(system, METRIC, METRIC, score, kind="metric"))
                for _ in segment.get("errors") or ():
                    skipped.add("error spans that COMET marked")
        skipped.warn()
        yield from drafts

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the score of each segment, printed or in JSON."""
        if peek(Path(path)).lstrip().startswith((b"{", b"[")):
            yield from item_judgments(self.read_items(path, progress=progress))
            return
        rows = [
            (number, match)
            for number, line in enumerate(read_texts(path, progress or ReadProgress()), 1)
            if (match := _SEGMENT.fullmatch(line.rstrip()))
        ]
        systems = _names([match[1] for _, match in rows if match[1]])
        for number, match in rows:
            score = parse_score(match[3], "the score", path, number)
            if score is not None:
                system = systems.get(match[1])
                item = str(int(match[2]) + 1)
                yield JudgmentRow(item, system, METRIC, METRIC, score, kind="metric", place=f"{path}:{number}")


def _list_files(value: Any, path: StrPath) -> dict[str, list[Any]]:
    """Return the segments of each file of translations by the name of its system; older files hold one list."""
    if isinstance(value, list):
        return {Path(path).name.split(".")[0]: value}
    files = as_object(value, "the file", path)
    if not files:
        raise FormatError("there are no segments in it", path=path)
    names = _names(list(files))
    return {names[file]: as_list(segments, f"the segments of {file!r}", path) for file, segments in files.items()}


def _names(files: list[str]) -> dict[str | None, str]:
    """Return the names of systems by their files, as line-aligned files are named."""
    return {file: name for name, file in name_systems(list(dict.fromkeys(files))).items()}
