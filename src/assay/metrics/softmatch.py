"""Soft match: word pieces matched by their vectors in context, on the sentence encoder that comes with Assay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..errors import InputError
from ..matching.batch import Batch
from ..matching.contextual import PiecePairs, greedy_pairs
from ..matching.pooling import pool_table, without_own
from ..text.cache import default_cache
from ..text.vectors.encoder import encoder
from ._base import Floats, OwnReferences, check_choice
from ._names import stand_in


@dataclass(frozen=True, kw_only=True)
class SoftMatch(OwnReferences):
    """Soft match: word pieces matched by their vectors in context.

    In the manner of BERTScore (Zhang et al. 2020), but with another model, so the numbers differ. (1) recall = mean
    over the reference's pieces of the highest cosine with a piece of the output; (2) precision = the same with output
    and reference exchanged; (3) f = 2 precision recall / (precision + recall). [CLS] and [SEP] are left out, and scores
    are not rescaled by a baseline.
    idf: true weights the means by (4) log((M + 1) / (m + 1)), where m of the M references of the set hold the piece;
    the set is then read twice (`assay.score(..., background=other)` takes the weights from another set).
    Several references: the highest measure (refs=max, as bert-score) or the mean (refs=mean). An output without words
    scores 0; an item without references has no score (NaN).
    encoder: minilm (all-MiniLM-L6-v2, int8 weights; offline) or a folder with another model.
    """

    name: ClassVar[str] = "softmatch"
    family: ClassVar[str] = "meaning"
    examples: ClassVar[tuple[str, ...]] = ("softmatch",)
    measure: str = "f"
    idf: bool = False
    refs: str = "max"
    encoder: str = "minilm"

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept bertscore, with a warning that says what differs."""
        return {} if stand_in(name) else None

    def __post_init__(self) -> None:
        check_choice(self.name, "measure", self.measure, ("precision", "recall", "f"))
        check_choice(self.name, "refs", self.refs, ("max", "mean"))
        super().__post_init__()

    @property
    def whole_set(self) -> bool:
        return self.idf

    def prepare(self, texts: Iterable[list[str]]) -> SoftMatch:
        ready, holding, references = replace(self), Counter[str](), 0
        for strings in texts:
            references += len(strings)
            for text in strings:
                holding.update(set(encoder(self.encoder).pieces(text)))
        table = {piece: float(np.log((references + 1) / (n + 1))) for piece, n in holding.items()}  # Eq. 4
        object.__setattr__(ready, "_table", (table, float(np.log(references + 1))))
        return ready

    def values(self, batch: Batch) -> Floats:
        pairs = batch.outputs.remember(
            ("soft match", replace(self, measure="f", refs="max", own="skip")), self._pairs(batch)
        )
        values = self._measure(pairs)
        table = np.full((len(batch), int(pairs.place.max(initial=-1)) + 1), np.nan)
        table[pairs.output, pairs.place] = values
        return pool_table(table if self.keep_own else without_own(table, batch), self.refs)

    def _pairs(self, batch: Batch) -> Callable[[], PiecePairs]:
        return lambda: greedy_pairs(batch, encoder(self.encoder), self._weigh, cache=default_cache())

    def _measure(self, pairs: PiecePairs) -> Floats:
        if self.measure == "f":
            total = pairs.precision + pairs.recall
            product = 2 * pairs.precision * pairs.recall
            f: Floats = np.divide(product, total, out=np.zeros(len(total)), where=total > 0)  # Eq. 3
            return f
        return pairs.precision if self.measure == "precision" else pairs.recall

    def _weigh(self, pieces: Sequence[str]) -> Floats:
        """Return weights that add up to 1; all alike where no piece tells anything."""
        weights = np.ones(len(pieces))
        if self.idf:
            table: tuple[dict[str, float], float] | None = getattr(self, "_table", None)
            if table is None:
                raise InputError("softmatch(idf=true) reads all references first: use assay.score, or prepare it first")
            weights = np.array([table[0].get(piece, table[1]) for piece in pieces])
        total = weights.sum()
        return weights / total if total > 0 else np.full(len(pieces), 1 / max(1, len(pieces)))
