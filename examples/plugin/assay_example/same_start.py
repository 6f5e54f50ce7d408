"""SAME-START: how far the output begins as a reference does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.matching.batch import Batch
from assay.matching.multisets import compare_pairs
from assay.metrics import Metric


@dataclass(frozen=True)
class SameStart(Metric):
    """Share of a reference's words that the output begins with.

    Several references: the best. least: fewer words in common count as none. A reference without words gives 0.
    """

    name = "same-start"
    least: int = 1

    def values(self, batch: Batch) -> NDArray[np.float64]:
        outputs, references = ([text.split() for text in texts.strings] for texts in (batch.outputs, batch.references))
        return compare_pairs(outputs, references, batch.references_of(), self._compare, refs="max")

    def _compare(self, output: list[str], reference: list[str]) -> float:
        pairs = zip(output, reference, strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(output), len(reference)))
        return same / len(reference) if reference and same >= self.least else 0.0
