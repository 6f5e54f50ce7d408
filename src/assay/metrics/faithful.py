"""Faithful: does what was deleted change what the text says? By natural logic on the parse of the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InputError
from ..matching.batch import Batch
from ..text.logic.deletions import Deletion
from ..text.logic.modifiers import ENTAILED, UNKNOWN
from ..text.logic.texts import label_text
from ..text.parse.flat import ParsedText, parse_texts
from ._base import Floats, Metric


@dataclass(frozen=True, kw_only=True)
class Faithful(Metric):
    """Faithful: share of deletions that follow from the source.

    What a compression leaves out of its source, piece by piece of the parse tree, is labelled by natural logic
    (MacCartney and Manning 2009): entailed (a red car: a car), not entailed (the alleged killer: the killer; not more
    than 2 tablets: not 2 tablets) or unknown (the old bridge: the bridge). The score is the mean over the deletions of
    1, 0 and `unknown`; 1 if nothing was deleted. Outputs that do more than delete words (rewrite, reorder, add), empty
    outputs and items without a source have no score (NaN).

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["The firm went bankrupt."], sources=["The firm almost went bankrupt in 2008."])
    >>> assay.score(data, "faithful").values.item()
    0.5
    """

    name: ClassVar[str] = "faithful"
    family: ClassVar[str] = "compression"
    examples: ClassVar[tuple[str, ...]] = ("faithful", "faithful(unknown=1)")
    needs: ClassVar[str] = "sources"
    undefined: ClassVar[str] = "they have no source, are empty, or do more than delete words of it"
    unknown: float = 0.5
    parser: str = "en"

    def __post_init__(self) -> None:
        if not 0 <= self.unknown <= 1:
            raise InputError(f"faithful: unknown must be from 0 to 1; got {self.unknown:g}")

    def values(self, batch: Batch) -> Floats:
        joined = ["\n".join(texts) for texts in batch.item_sources]
        sources = sorted({joined[i] for i in batch.item.tolist()} - {""})
        parses = dict(zip(sources, parse_texts(sources, self.parser), strict=True))
        scores = np.full(len(batch), np.nan)
        for k, (item, output) in enumerate(zip(batch.item.tolist(), batch.outputs.strings, strict=True)):
            if joined[item] and output.strip():
                scores[k] = self._score(parses[joined[item]], output)
        return scores

    def _score(self, source: ParsedText, output: str) -> float:
        deletions = label_text(source, output)
        if deletions is None:
            return float("nan")
        return sum(map(self._credit, deletions)) / len(deletions) if deletions else 1.0

    def _credit(self, deletion: Deletion) -> float:
        return {ENTAILED: 1.0, UNKNOWN: self.unknown}.get(deletion.label, 0.0)
