"""Pyramid (Nenkova and Passonneau 2004): the weight of the content units that people marked in a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.content_units import WEIGHTS
from ..matching.batch import Batch
from ..matching.content_bags import count_units
from ..matching.content_scores import ROUNDING, ROUNDINGS, WEIGHT, PyramidCounts, modified_score, original_score
from ._base import Floats, OwnReferences, check_choice


@dataclass(frozen=True, kw_only=True)
class PyramidScore(OwnReferences):
    """Pyramid: weight of marked content units, by the best weight.

    The units of a set come with it: people marked them in the references and in the outputs (`assay pyramid --help`).
    A unit weighs its contributors in the references, as DUCView counts, or the references that state it. The original
    score divides by the highest weight of as many units as the text has, those outside the pyramid too; where they were
    not marked, it is an upper bound. The modified one divides by the highest weight of as many units as a reference has
    on average, so that a text that says less scores less; it may exceed 1. A person's text is scored against the other
    references. Outputs that were not annotated have no score (NaN); of several annotators the mean counts.
    modified: true or false. weight: contributors (as DUCView) or models. size: how the average number of units becomes
    a whole number: round (half up, as DUCView), truncate or ceil.

    >>> import assay
    >>> item = assay.Item("1", (assay.Reference("a b", "A"), assay.Reference("a", "B")), {"sys": "a c"},
    ...                   extra={"units": ["a", "b"], "present": {"A": [1, 1], "B": [1, 0], "sys": [1, 0]}})
    >>> assay.score(assay.EvalSet([item]), "pyramid(modified=true, size=ceil)").values.round(3).item()
    0.667
    """

    name: ClassVar[str] = "pyramid"
    family: ClassVar[str] = "content"
    needs: ClassVar[str] = "content units"
    examples: ClassVar[tuple[str, ...]] = ("pyramid", "pyramid(modified=true)")
    modified: bool = False
    weight: str = WEIGHT
    size: str = ROUNDING

    def __post_init__(self) -> None:
        check_choice(self.title, "weight", self.weight, WEIGHTS)
        check_choice(self.title, "size", self.size, ROUNDINGS)
        super().__post_init__()

    def values(self, batch: Batch) -> Floats:
        sums, counts = np.zeros(len(batch)), np.zeros(len(batch))
        for text in count_units(batch, self.weight):
            sums[text.output] += self.score_text(text.counts)
            counts[text.output] += 1
        means: Floats = np.divide(sums, counts, out=np.full(len(batch), np.nan), where=counts > 0)
        return means

    def score_text(self, counts: PyramidCounts) -> float:
        """Return the score of one annotated output; NaN without another reference, 0 for a text without units."""
        return modified_score(counts, self.size) if self.modified else original_score(counts)

    def notes(self, batch: Batch) -> Mapping[str, int]:
        if self.modified:
            return {}
        loose = {text.output for text in count_units(batch) if not text.exhaustive}
        words = "units outside the pyramid were not marked: the original score is an upper bound"
        return {words: len(loose)} if loose else {}
