"""JudgmentsFormat: files that hold judgments and no texts, given with a file of outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ...data.item import Item
from ...errors import NoOutputs
from .format import ReadOnlyFormat
from .judgment_rows import JudgmentRow
from .text_file import ReadProgress, StrPath


class JudgmentsFormat(ReadOnlyFormat):
    """A format of judgments alone: `read_judgments` yields them, and there are no items to read."""

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Refuse: the outputs that were judged are elsewhere."""
        raise NoOutputs(
            f"holds judgments ({self.name}) and no outputs; give it with the file of outputs: OUTPUTS --judgments "
            f"{path}",
            path=path,
        )


def number_occasions(rows: Iterable[JudgmentRow]) -> Iterator[JudgmentRow]:
    """Number the judgments of one output by one rater in their order: the second is of occasion 2."""
    times: Counter[tuple[str, str | None, str, str]] = Counter()
    for row in rows:
        times[row[:4]] += 1
        yield row._replace(occasion=times[row[:4]])
