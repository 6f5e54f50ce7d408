"""What is counted: surface units, dependency triples, and the batch that counts them."""

from .batch import Batch, Counts
from .dependency import Triple, triples
from .surface import Ngram, SkipBigram, Subsequence, SurfaceUnit, unit_named

__all__ = ["Batch", "Counts", "Ngram", "SkipBigram", "Subsequence", "SurfaceUnit", "Triple", "triples", "unit_named"]
