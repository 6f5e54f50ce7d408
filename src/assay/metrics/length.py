"""Length of the output: no measure of quality, but a feature, and a check on other metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..text import TextReading, split_sentences
from ._base import Floats, Metric, check_choice


@dataclass(frozen=True, kw_only=True)
class Length(Metric):
    """Length of the output in words, characters or sentences.

    unit: words (as the tokenizer splits them), chars, or sentences (a newline or final punctuation ends one). It needs
    neither references nor sources. Longer is not better; it is marked as higher-is-better only to give correlations a
    sign.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["It rained. Nobody came."])
    >>> [assay.score(data, f"length(unit={u})").values.item() for u in ("words", "chars", "sentences")]
    [4.0, 23.0, 2.0]
    """

    name: ClassVar[str] = "length"
    family: ClassVar[str] = "output"
    examples: ClassVar[tuple[str, ...]] = ("length", "length(unit=chars)", "length(unit=sentences)")
    directed: ClassVar[bool] = False
    needs: ClassVar[str] = "outputs"
    unit: str = "words"
    tokenizer: str = "unicode"

    def __post_init__(self) -> None:
        check_choice("length", "unit", self.unit, ("words", "chars", "sentences"))
        TextReading(self.tokenizer)

    def values(self, batch: Batch) -> Floats:
        texts = batch.outputs
        if self.unit == "words":
            return np.asarray(texts.tokens(TextReading(self.tokenizer)).lengths())
        chars = self.unit == "chars"
        return np.array([len(s if chars else split_sentences(s)) for s in texts.strings], dtype=np.float64)
