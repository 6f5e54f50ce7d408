"""Direct assessments from Mechanical Turk (Graham et al. 2013): a tab-separated table with a row for each rating.

The item is `sid`, the system `sys_id`, the rater `WorkerId`, and the dimension `da`. Of the types, SYSTEM and REPEAT
(the same output again, another occasion) count; REF and BADREF are controls.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..errors import FormatError
from ._io.cells import parse_score
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat, number_occasions
from ._io.layout import ColumnMap
from ._io.peek import peek_columns
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath
from ._io.tsv_rows import read_tsv
from .appraise import DIMENSION

NEEDED = ("WorkerId", "sys_id", "type", "sid", "score")
COUNTED, CONTROLS = ("SYSTEM", "REPEAT"), ("REF", "BADREF")


class MturkDa(JudgmentsFormat):
    """Ratings from Mechanical Turk."""

    name: ClassVar[str] = "mturk-da"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line names these columns."""
        return set(NEEDED) <= set(peek_columns(path, b"\t"))

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the judgments in order."""
        return number_occasions(_rows(path, progress or ReadProgress()))


def _rows(path: StrPath, progress: ReadProgress) -> Iterator[JudgmentRow]:
    skipped = Skipped(path)
    for line, row in read_tsv(path, progress):
        absent = [name for name in NEEDED if name not in row]
        if absent:
            raise FormatError(f"no column {absent[0]!r}; it has {', '.join(row)}", path=path, line=1)
        if row["type"] in CONTROLS:
            skipped.add(f"controls of type {row['type']}")
            continue
        if row["type"] not in COUNTED:
            known = ", ".join((*COUNTED, *CONTROLS))
            raise FormatError(f"the type is {known}; got {row['type'][:20]!r}", path=path, line=line)
        score = parse_score(row["score"], "the score", path, line)
        if score is None:
            skipped.add("rows without a score")
        else:
            yield JudgmentRow(row["sid"], row["sys_id"], row["WorkerId"], DIMENSION, score, place=f"{path}:{line}")
    skipped.warn()
