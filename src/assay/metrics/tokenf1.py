"""Token F1: the words a compression shares with a reference (Filippova et al. 2015; Kamigaito and Okumura 2020)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ..matching.batch import Batch
from ..matching.multisets import compare_pairs, unclipped_matches
from ..matching.unit import WordUnit
from ..text import TextReading
from ..units.surface import Ngram
from ._base import Floats, OverlapMetric, WordParameters, check_choice


@dataclass(frozen=True, kw_only=True)
class TokenF1(OverlapMetric, WordParameters):
    """Token F1: words shared with the reference in any order.

    precision = matched words / words of the output, recall = matched words / words of the reference, F their harmonic
    mean; a word matches at most as often as it occurs on both sides. Published figures differ in how they count, so
    each choice is a parameter:
    clip: false counts every word of one side that occurs at all on the other, as the evaluation script of SLAHAN does
    (its published F of .8551 is .8507 with clipped counts); references are then pooled by single, max or mean.
    punctuation: false leaves out tokens without a letter or digit. lower: true ignores case.
    tokenizer=13a splits off punctuation; tokenizer=space takes a tokenized file (Broadcast News) as it is.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["the dog saw the cat"], ["the dog ran"])
    >>> [round(assay.score(data, f"tokenf1(clip={c})").values.item(), 3) for c in ("true", "false")]  # 2/5 and 3/5
    [0.5, 0.632]
    """

    name: ClassVar[str] = "tokenf1"
    family: ClassVar[str] = "words"
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
        unclipped = "" if self.clip else ", repeated words unclipped"
        return f"{self.measure} of words in common{unclipped}"

    def reading(self) -> TextReading:
        return TextReading(self.tokenizer, self.stem, self.stop, lower=self.lower, punctuation=self.punctuation)

    def make_unit(self) -> WordUnit:
        return WordUnit(Ngram(1), self.reading())

    def values(self, batch: Batch) -> Floats:
        if self.clip:
            return super().values(batch)
        outputs, references = (
            [Counter(words) for words in texts.words(self.reading())] for texts in (batch.outputs, batch.references)
        )
        return compare_pairs(
            outputs, references, batch.references_of(self.keep_own), self._unclipped_measure, refs=self.refs
        )

    def _unclipped_measure(self, output: Counter[str], reference: Counter[str]) -> float:
        precision = unclipped_matches(output, reference) / max(1, output.total())
        recall = unclipped_matches(reference, output) / max(1, reference.total())
        if self.measure != "f":
            return precision if self.measure == "precision" else recall
        b2 = self.beta * self.beta
        return (1 + b2) * precision * recall / (b2 * precision + recall) if precision and recall else 0.0
