"""Token F1: the words a compression shares with a reference (Filippova et al. 2015; Kamigaito and Okumura 2020)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..text import Reading
from ..units.surface import Ngram
from ._base import Floats, OverlapMetric, check_choice


@dataclass(frozen=True, kw_only=True)
class TokenF1(OverlapMetric):
    """Token F1: words shared with the reference, whatever their order.

    precision = matched words / words of the output, recall = matched / words of the reference, F their harmonic mean;
    measure says which. Words are a multiset: "the" matches as often as both have it. Published figures differ in how
    they count, so each choice is a parameter:
    clip=false counts every word of one side that occurs at all on the other, as the evaluation script of SLAHAN does
    (F .8551 in print where clipped counting gives .8507); it pools references by single, max or mean.
    punctuation=false leaves out tokens without a letter or digit.
    tokenizer: 13a sets punctuation apart; space takes a tokenized file (Broadcast News) as it is.
    refs=mean: the mean over references; max: the best.
    0/0 is 0.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the dog saw the cat"], ["the dog ran"])
    >>> [round(assay.score(data, f"tokenf1(clip={c})").values.item(), 3) for c in ("true", "false")]  # 2/5 and 3/5
    [0.5, 0.632]
    """

    name: ClassVar[str] = "tokenf1"
    examples: ClassVar[tuple[str, ...]] = (
        "tokenf1",
        "tokenf1(measure=precision)",
        "tokenf1(measure=recall)",
        "tokenf1(clip=false)",
    )
    clip: bool = True
    punctuation: bool = True
    lower: bool = False
    refs: str = "mean"
    tokenizer: str = "13a"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.clip:
            check_choice("tokenf1 with clip=false", "refs", self.refs, ("single", "max", "mean"))
            check_choice("tokenf1 with clip=false", "measure", self.measure, ("precision", "recall", "f"))

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower() in ("token-f1", "token_f1") else None

    def summary(self) -> str:
        how = "" if self.clip else ", repeated words unclipped"
        return f"{self.measure} of words in common{how}"

    def counted(self) -> Ngram:
        return Ngram(1)

    def reading(self) -> Reading:
        return Reading(self.tokenizer, self.stem, self.stop, lower=self.lower, punctuation=self.punctuation)

    def values(self, batch: Batch) -> Floats:
        return super().values(batch) if self.clip else self._unclipped(batch)

    def _unclipped(self, batch: Batch) -> Floats:
        outputs, references = (
            [Counter(words) for words in texts.words(self.reading())] for texts in (batch.outputs, batch.references)
        )
        return np.array(
            [
                pooled([self._measured(output, references[k]) for k in places], self.refs)
                for output, places in zip(outputs, batch.references_of(self.own == "keep"), strict=True)
            ]
        )

    def _measured(self, output: Counter[str], reference: Counter[str]) -> float:
        """Occurrences of words that the other side has at all."""
        precision = sum(n for word, n in output.items() if word in reference) / max(1, output.total())
        recall = sum(n for word, n in reference.items() if word in output) / max(1, reference.total())
        if self.measure != "f":
            return precision if self.measure == "precision" else recall
        b2 = self.beta * self.beta
        return (1 + b2) * precision * recall / (b2 * precision + recall) if precision and recall else 0.0


def pooled(values: list[float], refs: str) -> float:
    """One value from those against each reference: their mean, the best or the first; NaN of none.

    >>> pooled([0.5, 1.0], "mean"), pooled([0.5, 1.0], "max"), pooled([], "max")
    (0.75, 1.0, nan)
    """
    if not values:
        return float("nan")
    return sum(values) / len(values) if refs == "mean" else max(values) if refs == "max" else values[0]
