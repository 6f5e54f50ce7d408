"""Exact match: is the output a reference, word for word?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..text import Reading
from ._base import Floats, Metric, check_choice
from .tokenf1 import pooled


@dataclass(frozen=True, kw_only=True)
class Exact(Metric):
    """Exact match: 1 if the words are those of a reference, else 0.

    Of any reference (refs=max), or the share of references that are so (refs=mean). White space never counts; lower
    and punctuation say whether case and punctuation do.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["Dogs bark .", "Dogs bark"], ["Dogs bark.", "Dogs bark."])
    >>> [assay.score(data, m).values.ravel().tolist() for m in ("exact", "exact(punctuation=false)")]
    [[1.0, 0.0], [1.0, 1.0]]
    """

    name: ClassVar[str] = "exact"
    examples: ClassVar[tuple[str, ...]] = ("exact",)
    refs: str = "max"
    tokenizer: str = "13a"
    lower: bool = False
    punctuation: bool = True
    own: str = "skip"

    def __post_init__(self) -> None:
        check_choice("exact", "refs", self.refs, ("max", "mean", "single"))
        check_choice("exact", "own", self.own, ("skip", "keep"))
        self._reading()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower().replace("_", "").replace("-", "") == "exactmatch" else None

    def values(self, batch: Batch) -> Floats:
        outputs, references = (texts.words(self._reading()) for texts in (batch.outputs, batch.references))
        met = batch.references_of(self.own == "keep")
        return np.array(
            [
                pooled([float(output == references[k]) for k in places], self.refs)
                for output, places in zip(outputs, met, strict=True)
            ]
        )

    def _reading(self) -> Reading:
        return Reading(self.tokenizer, lower=self.lower, punctuation=self.punctuation)
