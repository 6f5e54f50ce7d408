"""Exact match: is the output a reference, word for word?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..matching.batch import Batch
from ..matching.multisets import compare_pairs
from ..text import TextReading
from ._base import Floats, OwnReferences, check_choice


@dataclass(frozen=True, kw_only=True)
class Exact(OwnReferences):
    """Exact match: 1 if the words are those of a reference, else 0.

    Several references: any of them (refs=max), or the share of references that match (refs=mean). White space is
    ignored. lower: true ignores case. punctuation: false ignores punctuation. An item without references has no score
    (NaN).

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["Dogs bark .", "Dogs bark"], ["Dogs bark.", "Dogs bark."])
    >>> [assay.score(data, m).values.ravel().tolist() for m in ("exact", "exact(punctuation=false)")]
    [[1.0, 0.0], [1.0, 1.0]]
    """

    name: ClassVar[str] = "exact"
    family: ClassVar[str] = "words"
    examples: ClassVar[tuple[str, ...]] = ("exact",)
    refs: str = "max"
    tokenizer: str = "13a"
    lower: bool = False
    punctuation: bool = True

    def __post_init__(self) -> None:
        check_choice("exact", "refs", self.refs, ("max", "mean", "single"))
        self._reading()
        super().__post_init__()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower().replace("_", "").replace("-", "") == "exactmatch" else None

    def values(self, batch: Batch) -> Floats:
        outputs, references = (texts.words(self._reading()) for texts in (batch.outputs, batch.references))
        met = batch.references_of(self.keep_own)
        return compare_pairs(outputs, references, met, lambda a, b: float(a == b), refs=self.refs)

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower, punctuation=self.punctuation)
