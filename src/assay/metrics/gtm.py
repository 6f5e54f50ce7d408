"""GTM, the general text matcher (Turian, Shen and Melamed 2003): precision and recall of the maximum match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch
from ..text import TextReading
from ._base import Floats, OwnReferences, check_choice


@dataclass(frozen=True, kw_only=True)
class Gtm(OwnReferences):
    """GTM: maximum match of words, with a reward for runs.

    (1) MMS = (sum over runs of length^e)^(1/e), for a match in which no word is used twice; (2) P = MMS / words of the
    output; (3) R = MMS / words of the reference; (4) F = 2PR / (P + R). exponent: e; 1 counts words in any order, above
    1 longer runs count more. For e > 1 the best match is hard to find; as in the published program, runs are taken
    greedily, the longest first (then the earliest in the output, then in the reference).
    Several references: the one with the highest F (the program concatenates them instead). 0/0 is 0; an item without
    references has no score (NaN). A system's score is the mean over its outputs. Of texts of more than 5,000 words the
    first 5,000 are compared, with a warning.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["b c a b"], ["a b c d"])
    >>> round(assay.score(data, "gtm(exponent=2)").values.item(), 4)  # by hand: runs "b c" and "a", sqrt(5) / 4
    0.559
    """

    name: ClassVar[str] = "gtm"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = ("gtm", "gtm(exponent=1.2)")
    exponent: float = 1.0
    measure: str = "f"
    tokenizer: str = "13a"
    lower: bool = False

    def __post_init__(self) -> None:
        check_choice("gtm", "measure", self.measure, ("precision", "recall", "f"))
        if not 1 <= self.exponent <= 100:
            raise InputError(f"exponent of gtm must be between 1 and 100; got {self.exponent}")
        self._reading()
        super().__post_init__()

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower)

    def values(self, batch: Batch) -> Floats:
        outputs, references = batch.first_tokens(self._reading())
        rows = _core.maximum_match(outputs, references, batch.layout(self.keep_own), self.exponent)
        match, output, reference = rows.T
        if self.measure == "f":  # Eq. 4, which is 2 MMS over both lengths
            match, below = 2 * match, output + reference
        else:
            below = output if self.measure == "precision" else reference  # Eq. 2, Eq. 3
        scores: Floats = np.divide(match, below, out=np.where(np.isnan(match), np.nan, 0.0), where=below > 0)
        return scores

    def notes(self, batch: Batch) -> Mapping[str, int]:
        return batch.clipped_notes("gtm", self._reading())
