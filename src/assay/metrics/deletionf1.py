"""Deletion F1: did the output leave out what the reference left out?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InputError
from ..matching.batch import Batch
from ..text import Reading, Texts
from ..text.tokens.subsequence import deleted
from ._base import Floats, Metric, check_choice

_COLUMNS = 4  # of each reference: matched, deleted by the output, deleted by the reference, whether it is there


@dataclass(frozen=True, kw_only=True)
class DeletionF1(Metric):
    """Deletion F1: words of the source that output and reference both drop.

    precision = deleted by both / deleted by the output, recall = deleted by both / deleted by the reference, F their
    harmonic mean. Where little is deleted, F over the words that are kept says little: leaving the source as it is
    has .85 on Broadcast News, and 0 here.
    by=position compares places in the source, found by aligning each text with it (text.subsequence); by=word compares
    the deleted words as multisets. Words that are not in the source do not count.
    aggregate=corpus: counts are summed over items (micro), for the first references, for the second ones and so on,
    and the mean taken over these (refs=mean), their best (max) or all summed (sum); aggregate=mean is the mean over
    items. Neither deletes anything (0/0): 1; one of them only: 0.
    tokenizer: 13a sets punctuation apart; space takes a tokenized file as it is. punctuation=false leaves it out.

    >>> import assay
    >>> source, reference = "the big dog ran away from the cat", "the dog ran from the cat"
    >>> data = assay.EvalSet.from_texts(["the dog ran away"], [reference], [source])
    >>> round(assay.score(data, "deletionf1").values.item(), 3)  # by hand: 1 of 4 and 1 of 2
    0.333
    """

    name: ClassVar[str] = "deletionf1"
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
    own: str = "skip"

    def __post_init__(self) -> None:
        check_choice("deletionf1", "measure", self.measure, ("precision", "recall", "f"))
        check_choice("deletionf1", "by", self.by, ("position", "word"))
        check_choice("deletionf1", "refs", self.refs, ("mean", "max", "sum", "single"))
        check_choice("deletionf1", "aggregate", self.aggregate, ("corpus", "mean"))
        check_choice("deletionf1", "own", self.own, ("skip", "keep"))
        if not (self.beta > 0 and np.isfinite(self.beta)):
            raise InputError(f"beta of deletionf1 must be above 0; got {self.beta}")
        self._reading()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        return {} if name.lower() in ("deletion-f1", "deletion_f1") else None

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self._rows(batch))

    def statistics(self, batch: Batch) -> Floats | None:
        return self._rows(batch) if self.aggregate == "corpus" else None

    def corpus(self, sums: Floats) -> Floats:
        by_reference = sums.reshape(len(sums), -1, _COLUMNS)
        if self.refs == "single":
            by_reference = by_reference[:, :1]
        if self.refs == "sum":
            by_reference = by_reference.sum(axis=1, keepdims=True)
        values = np.where(by_reference[..., 3] > 0, self._measured(by_reference), np.nan)
        found = np.full(len(sums), np.nan)
        there = ~np.isnan(values).all(axis=1)
        pool = np.nanmax if self.refs == "max" else np.nanmean
        found[there] = pool(values[there], axis=1)
        return found

    def _measured(self, counts: Floats) -> Floats:
        both, output, reference = counts[..., 0], counts[..., 1], counts[..., 2]
        b2 = {"precision": 0.0, "recall": np.inf, "f": self.beta * self.beta}[self.measure]
        below = reference if b2 == np.inf else (b2 * reference + output) / (1 + b2)
        zero = np.where(output + reference == 0, 1.0, 0.0)
        return np.divide(both, below, out=zero, where=below > 0)

    def _reading(self) -> Reading:
        return Reading(self.tokenizer, lower=self.lower, punctuation=self.punctuation)

    def _rows(self, batch: Batch) -> Floats:
        return batch.outputs.remember(self, lambda: self._count(batch))

    def _count(self, batch: Batch) -> Floats:
        """A row per output, four columns per reference of its item."""
        lexicon = batch.outputs.lexicon
        sources = Texts(["\n".join(texts) for texts in batch.sources], lexicon).words(self._reading())
        outputs, references = (texts.words(self._reading()) for texts in (batch.outputs, batch.references))
        met = batch.references_of(self.own == "keep")
        first = np.searchsorted(batch.reference_item, np.arange(batch.items))
        widest = int(np.bincount(batch.reference_item, minlength=1).max(initial=0)) if len(references) else 0
        rows = np.zeros((len(batch), max(1, widest), _COLUMNS))
        known: dict[tuple[int, int], Counter[Hashable]] = {}
        for i, (source, output) in enumerate(zip(sources, outputs, strict=True)):
            item = int(batch.item[i])
            if not source:
                continue
            gone = self._gone(source, output)
            for k in met[i]:
                if (item, k) not in known:
                    known[item, k] = self._gone(source, references[k])
                other = known[item, k]
                rows[i, k - first[item]] = (gone & other).total(), gone.total(), other.total(), 1
        return rows.reshape(len(batch), -1)

    def _gone(self, source: Sequence[str], text: Sequence[str]) -> Counter[Hashable]:
        if self.by == "word":
            return Counter[Hashable](source) - Counter(text)
        return Counter[Hashable](deleted(source, text))
