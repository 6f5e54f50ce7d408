"""WER, word error rate: edit distance in words, as jiwer 4.0 computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..matching.batch import Batch
from ..text import TextReading
from ._base import Floats, OwnReferences, check_choice


@dataclass(frozen=True, kw_only=True)
class EditMetric(OwnReferences):
    """Metrics on word edits: insertions, deletions and substitutions, each of cost 1.

    aggregate: corpus (a system's score is computed from summed counts) or mean (the mean of its sentence scores)."""

    tokenizer: str = "space"
    lower: bool = False
    aggregate: str = "corpus"

    def __post_init__(self) -> None:
        check_choice(self.name, "aggregate", self.aggregate, ("corpus", "mean"))
        self._reading()
        super().__post_init__()

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower)

    def _rows(self, batch: Batch) -> Floats:
        """Return edits and reference length of each output."""

        def make() -> Floats:
            outputs, references = (texts.tokens(self._reading()) for texts in (batch.outputs, batch.references))
            return _core.word_edits(outputs, references, batch.layout(self.keep_own))

        return batch.outputs.remember(self, make)

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None


@dataclass(frozen=True, kw_only=True)
class Wer(EditMetric):
    """WER: word error rate, word edits per word of the reference.

    (1) WER = (S + I + D) / R, with R the words of the reference. Lower is better; it may exceed 1.
    Several references: the one with the lowest rate. Against an empty reference it is the number of words of the
    output, as in jiwer: 0 for an empty one. An item without references has no score (NaN).

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the cat sat in hat"], ["the cat sat in the hat"])
    >>> round(assay.score(data, "wer").values.item(), 4)  # jiwer 4.0.0: 0.1667
    0.1667
    """

    name: ClassVar[str] = "wer"
    family: ClassVar[str] = "words"
    examples: ClassVar[tuple[str, ...]] = ("wer",)
    higher_is_better: ClassVar[bool] = False

    def corpus(self, sums: Floats) -> Floats:
        return word_error_rate(sums)  # Eq. 1


def word_error_rate(rows: Floats) -> Floats:
    """Return edits per word of the reference; against an empty reference, the edits, as jiwer counts.

    >>> word_error_rate(np.array([[1.0, 4.0], [3.0, 0.0], [0.0, 0.0]])).tolist()
    [0.25, 3.0, 0.0]
    """
    edits, length = rows[:, 0], rows[:, 1]
    rate: Floats = edits / np.where(length == 0, 1, length)
    return rate
