"""Deletion F1: did the output leave out what the reference left out?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..matching.batch import Batch
from ..matching.deletions import COLUMNS, MATCHED, MET, OUTPUT, REFERENCE, count_deletions
from ..matching.pooling import pool_table
from ..text import TextReading
from ._base import Floats, OwnReferences, check_beta, check_choice


@dataclass(frozen=True, kw_only=True)
class DeletionF1(OwnReferences):
    """Deletion F1: words of the source that both output and reference drop.

    precision = deleted by both / deleted by the output, recall = deleted by both / deleted by the reference, F their
    harmonic mean. Where little is deleted, F over the words that are kept says little: leaving the source unchanged
    scores .85 on Broadcast News, and 0 here. If neither deletes anything (0/0) the score is 1; if only one does, 0.
    by: position compares places in the source, found by aligning each text with it; word compares the deleted words as
    multisets. Words that are not in the source do not count.
    aggregate: corpus sums counts over items (micro average), separately for the first references, the second ones and
    so on, and then pools these: their mean (refs=mean), the best (max), all summed (sum) or the first (single).
    aggregate=mean is the mean over items.
    tokenizer=13a splits off punctuation; tokenizer=space takes a tokenized file as it is. punctuation: false leaves it
    out. lower: true ignores case.

    >>> import assay
    >>> source, reference = "the big dog ran away from the cat", "the dog ran from the cat"
    >>> data = assay.EvalSet.from_texts(["the dog ran away"], [reference], [source])
    >>> round(assay.score(data, "deletionf1").values.item(), 3)  # by hand: 1 of 4 and 1 of 2
    0.333
    """

    name: ClassVar[str] = "deletionf1"
    family: ClassVar[str] = "compression"
    examples: ClassVar[tuple[str, ...]] = ("deletionf1", "deletionf1(aggregate=mean)")
    needs: ClassVar[str] = "sources and references"
    measure: str = "f"
    beta: float = 1.0
    by: str = "position"
    refs: str = "mean"
    aggregate: str = "corpus"
    tokenizer: str = "13a"
    lower: bool = False
    punctuation: bool = True

    def __post_init__(self) -> None:
        check_choice("deletionf1", "measure", self.measure, ("precision", "recall", "f"))
        check_choice("deletionf1", "by", self.by, ("position", "word"))
        check_choice("deletionf1", "refs", self.refs, ("mean", "max", "sum", "single"))
        check_choice("deletionf1", "aggregate", self.aggregate, ("corpus", "mean"))
        check_beta("deletionf1", self.beta)
        self._reading()
        super().__post_init__()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower() in ("deletion-f1", "deletion_f1") else None

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def corpus(self, sums: Floats) -> Floats:
        counts = sums.reshape(len(sums), -1, COLUMNS)
        if self.refs == "single":
            counts = counts[:, :1]
        if self.refs == "sum":
            counts = counts.sum(axis=1, keepdims=True)
        table = np.where(counts[..., MET] > 0, self._measure(counts), np.nan)
        return pool_table(table, "max" if self.refs == "max" else "mean")

    def _measure(self, counts: Floats) -> Floats:
        both, output, reference = counts[..., MATCHED], counts[..., OUTPUT], counts[..., REFERENCE]
        b2 = {"precision": 0.0, "recall": np.inf, "f": self.beta * self.beta}[self.measure]
        below = reference if b2 == np.inf else (b2 * reference + output) / (1 + b2)
        zero = np.where(output + reference == 0, 1.0, 0.0)
        return np.divide(both, below, out=zero, where=below > 0)

    def _reading(self) -> TextReading:
        return TextReading(self.tokenizer, lower=self.lower, punctuation=self.punctuation)

    def _rows(self, batch: Batch) -> Floats:
        """Return a row per output, the columns of each reference side by side."""

        def make() -> Floats:
            counts = count_deletions(batch, self._reading(), by=self.by, keep_own=self.keep_own)
            return counts.reshape(len(batch), -1)

        return batch.outputs.remember(self, make)
