"""Units: what an overlap metric counts, from the texts of a batch or from what is known of their items and systems."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from .. import _core
from ..text import TextReading
from ..units.surface import Ngram, SkipBigram, Subsequence, SurfaceUnit
from .bags import Counts, Tokens, count_overlap

if TYPE_CHECKING:
    from .batch import Batch

_MAX_GAP = 10


class OverlapUnit(Hashable, Protocol):
    """Something that can be counted in outputs and references; equal units are counted once in a batch."""

    @property
    def takes_alternatives(self) -> bool:
        """Whether it can be counted in references with alternatives (lattices)."""

    def count(self, batch: Batch, *, keep_own: bool) -> Counts:
        """Count matches and totals of every pair of output and reference."""


@dataclass(frozen=True)
class WordUnit:
    """N-grams, skip-bigrams or subsequences of the words that a reading gives."""

    shape: SurfaceUnit | Subsequence
    reading: TextReading

    @property
    def takes_alternatives(self) -> bool:
        if isinstance(self.shape, SkipBigram):
            return self.shape.gap <= _MAX_GAP  # a walk's state is where the first word was, within the gap
        return self.shape.spec is not None

    def count(self, batch: Batch, *, keep_own: bool) -> Counts:
        if isinstance(self.shape, Subsequence) and self.shape.union:
            whole = self.shape.weight == 1  # 64 cells at a time
            tokens = (texts.tokens(self.reading) for texts in (batch.outputs, batch.references))
            outputs, references = tokens if whole else batch.first_tokens(self.reading)
            return _core.union_lcs(outputs, references, batch.layout(keep_own), self.shape.weight)
        request = CountRequest(self, keep_own)
        return batch.count_together([request])[request]


class CountRequest(NamedTuple):
    """Counts of words that a metric will ask for; `keep_own` keeps people's own references in."""

    unit: WordUnit
    keep_own: bool = False


class Bags(NamedTuple):
    """Outputs and references as bags with common ids, and the weight of each id (none: all weigh 1)."""

    outputs: Tokens
    references: Tokens
    weights: Sequence[float] = ()


class BagUnit:
    """A unit that makes its own bags.

    They may come from the texts, or from what is known of each output's item and system (`batch.keys`), as the content
    units that people have marked.
    """

    @property
    def takes_alternatives(self) -> bool:
        return False

    @property
    def shape(self) -> SurfaceUnit:
        """How many ids in a row are one unit."""
        return Ngram(1)

    @abstractmethod
    def bags(self, batch: Batch) -> Bags:
        """Return the bags of the batch's outputs and references."""

    def count(self, batch: Batch, *, keep_own: bool) -> Counts:
        outputs, references, weights = self.bags(batch)
        return count_overlap(outputs, references, batch.layout(keep_own), shape=self.shape, weights=weights)
