"""AVG_SIM: the cosine of mean word vectors (Peyrard et al. 2017, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..matching.batch import Batch
from ..matching.ngram_bags import NgramUnit, against_references
from ..matching.pooling import pool_table, without_own
from ..matching.soft import WordRows, word_rows
from ..text import TextReading
from ..text.stems import resolve_stop_list
from ..text.vectors.words import word_vectors
from ._base import Floats, OwnReferences

_TEXTS = 256  # with vectors of their words in memory at a time


@dataclass(frozen=True, kw_only=True)
class AverageSimilarity(OwnReferences):
    """AVG_SIM: cosine of the mean word vectors of output and reference.

    (1) A text's vector is the mean of the vectors of its words, every occurrence counted; stop words (stop: short,
    smart or none) and words without a vector are left out. (2) The score is the cosine of the two vectors. A text
    without such words has the cosine 0.
    Several references: the mean. An item without references has no score (NaN).
    vectors: distilled (from the sentence encoder), glove, or a file of word vectors.
    """

    name: ClassVar[str] = "avgsim"
    family: ClassVar[str] = "meaning"
    examples: ClassVar[tuple[str, ...]] = ("avgsim",)
    vectors: str = "distilled"
    tokenizer: str = "rouge"
    stop: str | bool = "short"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stop", resolve_stop_list(self.stop))
        TextReading(self.tokenizer)
        super().__post_init__()

    @classmethod
    def alias(cls, name: str) -> dict[str, str] | None:
        """Accept AVG_SIM, as the paper writes it."""
        return {} if name.upper() in ("AVG_SIM", "AVG-SIM") else None

    def values(self, batch: Batch) -> Floats:
        reading = TextReading(self.tokenizer)
        bags = against_references(batch, NgramUnit(1, reading, str(self.stop)), keep_own=self.keep_own)
        rows = word_rows(batch, reading, word_vectors(self.vectors))
        outputs, references = _means(bags.outputs, rows), _means(bags.others, rows)
        cosines = _cosines(batch, outputs, references)
        return pool_table(cosines if self.keep_own else without_own(cosines, batch), "mean")


def _means(bags: _core.Tokens, rows: WordRows) -> NDArray[np.float64]:
    """Return a row of length 1 for each text, or zeros."""
    starts, words = bags.starts, rows.row[bags.ids]
    sums = np.zeros((len(bags), rows.vectors.shape[1]))
    for first in range(0, len(bags), _TEXTS):
        ends = starts[first : first + _TEXTS + 1]
        full = np.flatnonzero(np.diff(ends))  # reduceat knows no empty run
        if len(full):
            vectors = rows.vectors[words[ends[0] : ends[-1]]]  # an unknown word's row is zeros
            sums[first + full] = np.add.reduceat(vectors, ends[full] - ends[0], axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return sums / np.where(lengths > 0, lengths, 1)


def _cosines(batch: Batch, outputs: Floats, references: Floats) -> Floats:
    """Return output x reference of its item; NaN where there is no such reference."""
    first = np.searchsorted(batch.reference_item, np.arange(batch.items + 1))
    many = np.diff(first)[batch.item]
    output = np.repeat(np.arange(len(batch)), many)
    place = np.arange(len(output)) - np.repeat(np.cumsum(many) - many, many)
    table = np.full((len(batch), int(many.max(initial=0))), np.nan)
    table[output, place] = np.einsum("ij,ij->i", outputs[output], references[first[batch.item][output] + place])
    return table
