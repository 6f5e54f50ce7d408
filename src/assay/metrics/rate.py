"""Compression rate: how much of the source's length is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..text import TextReading, Texts
from ._base import Floats, Metric, check_choice


@dataclass(frozen=True, kw_only=True)
class Rate(Metric):
    """Compression rate: length of the output / length of the source.

    unit: tokens or chars. Several sources of one item are taken together. Without a source, or with an empty one, there
    is not a score (NaN). Lower means shorter, which is the purpose of compression; it is not by itself better.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["a b"], sources=["a b c d"])
    >>> assay.score(data, "rate").values.item(), assay.score(data, "rate(unit=chars)").values.item()
    (0.5, 0.42857142857142855)
    """

    name: ClassVar[str] = "rate"
    family: ClassVar[str] = "compression"
    examples: ClassVar[tuple[str, ...]] = ("rate", "rate(unit=chars)")
    higher_is_better: ClassVar[bool] = False
    directed: ClassVar[bool] = False
    needs: ClassVar[str] = "sources"
    unit: str = "tokens"
    tokenizer: str = "unicode"

    def __post_init__(self) -> None:
        check_choice("rate", "unit", self.unit, ("tokens", "chars"))
        TextReading(self.tokenizer)

    def values(self, batch: Batch) -> Floats:
        sources = Texts(["\n".join(texts) for texts in batch.sources], batch.outputs.lexicon)
        length = self._lengths(sources)
        no_length = length == 0
        return np.where(no_length, np.nan, self._lengths(batch.outputs) / np.where(no_length, 1, length))

    def _lengths(self, texts: Texts) -> Floats:
        if self.unit == "chars":
            return np.asarray([len(s) for s in texts.strings], dtype=np.float64)
        return np.asarray(texts.tokens(TextReading(self.tokenizer)).lengths())
