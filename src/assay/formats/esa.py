"""Error span annotation (ESA) as WMT releases it: JSON Lines with a score and spans of one annotator for one output.

The item is `line_id`, the source `src`, the output `tgt` of `system`, the cluster `doc_id` and the group `domain`. The
score of an annotator, from 0 to 100, is the dimension `esa`; the spans that they marked are counted and not read. A
file with several language pairs (`langs`) is read for one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..data.item import Item, Judgment
from ..errors import FormatError, UnknownName
from ._io.cells import parse_score
from ._io.format import ReadOnlyFormat
from ._io.item_draft import ItemDrafts
from ._io.json_file import Json, as_name, as_text, read_json_lines
from ._io.peek import matches
from ._io.skipped import Skipped
from ._io.text_file import ReadProgress, StrPath

DIMENSION = "esa"


@dataclass(frozen=True)
class Esa(ReadOnlyFormat):
    """Judgments by error span annotation; `pair` is the language pair to read (en-es), where there are several."""

    name: ClassVar[str] = "esa"
    pair: str = ""

    def recognizes(self, path: Path) -> bool:
        """Check if the first line has a score of ESA and its output."""
        return matches(path, rb'^\s*\{[^\n]*"esa_score"\s*:', rb'^[^\n]*"tgt"\s*:', rb'^[^\n]*"line_id"\s*:')

    def read_items(self, path: StrPath, *, progress: ReadProgress | None = None) -> Iterator[Item]:
        """Read the items: all lines are held in memory, as those of one segment need not be adjacent."""
        rows = self._choose_pair(list(read_json_lines(path, progress or ReadProgress())), path)
        drafts, skipped = ItemDrafts(), Skipped(path)
        for number, row in rows:
            where = f"{path}:{number}"
            draft = drafts.of(as_name(row.get("line_id"), "line_id", path, number), where)
            system = as_name(row.get("system"), "system", path, number)
            draft.add_output(system, as_text(row.get("tgt"), "tgt", path, number), where)
            if row.get("src") is not None:
                draft.add_source(as_text(row["src"], "src", path, number), where)
            draft.cluster = str(row["doc_id"]) if row.get("doc_id") is not None else None
            draft.group = str(row["domain"]) if row.get("domain") is not None else None
            score = parse_score(row.get("esa_score"), "esa_score", path, number)
            if score is None:
                skipped.add("outputs without a score")
            else:
                rater = as_name(row.get("annotator"), "annotator", path, number)
                draft.judgments.append(Judgment(system, rater, DIMENSION, score))
            for _ in row.get("esa_spans") or ():
                skipped.add("error spans")
        skipped.warn()
        yield from drafts

    def _choose_pair(self, rows: list[tuple[int, Json]], path: StrPath) -> list[tuple[int, Json]]:
        pairs = sorted({str(row["langs"]) for _, row in rows if row.get("langs") is not None})
        if self.pair and self.pair not in pairs:
            raise UnknownName("language pair", self.pair, pairs, hint=f"({path} has {', '.join(pairs) or 'none'})")
        if not self.pair and len(pairs) > 1:
            message = f'holds {len(pairs)} language pairs; choose one as --input-format "esa(pair={pairs[0]})"'
            raise FormatError(f"{message}: {', '.join(pairs)}", path=path)
        return [(number, row) for number, row in rows if not self.pair or row.get("langs") == self.pair]
