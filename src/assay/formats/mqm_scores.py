"""Mean MQM scores of segments, as Google releases them next to the ratings: `*.avg_seg_scores.tsv`.

A line is `system mqm_avg_score seg_id`, with spaces or tabs between, also in one file; None is not a score. The
rater is `mean`, the dimension `mqm`. Scores are minus the weight of the errors; in a file that has them positive, low
is best."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..errors import FormatError
from ._io.cells import parse_score
from ._io.judgment_rows import JudgmentRow
from ._io.judgments_format import JudgmentsFormat
from ._io.layout import ColumnMap
from ._io.peek import peek
from ._io.text_file import ReadProgress, StrPath, read_texts
from .mqm import DIMENSION
from .mtme import MEAN

COLUMNS = ("system", "mqm_avg_score", "seg_id")


class MqmScores(JudgmentsFormat):
    """Mean MQM scores by segment."""

    name: ClassVar[str] = "mqm-scores"

    def recognizes(self, path: Path) -> bool:
        """Check if the first line names these columns."""
        first = peek(path).split(b"\n", 1)[0].decode("utf-8", "replace")
        return sorted(first.split()) == sorted(COLUMNS)

    def read_judgments(
        self, path: StrPath, *, columns: ColumnMap | None = None, progress: ReadProgress | None = None
    ) -> Iterator[JudgmentRow]:
        """Yield the score of each segment."""
        lines = enumerate(read_texts(path, progress or ReadProgress()), 1)
        heads = next(lines, (1, ""))[1].split()
        rows = []
        for number, text in lines:
            words = text.split()
            if len(words) != len(COLUMNS):
                if words:
                    raise FormatError(f"a line is {' '.join(COLUMNS)}; got {len(words)} fields", path=path, line=number)
                continue
            row = dict(zip(heads, words, strict=True))
            score = parse_score(row["mqm_avg_score"], "the score", path, number)
            if score is not None:
                place = f"{path}:{number}"
                rows.append(JudgmentRow(row["seg_id"], row["system"], MEAN, DIMENSION, score, place=place))
        penalties = min((row.score for row in rows), default=0.0) >= 0 and any(row.score for row in rows)
        yield from (row._replace(scale={"best": "low"}) if penalties else row for row in rows)
