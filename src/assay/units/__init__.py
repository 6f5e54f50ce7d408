"""What is counted: surface units, and the batch that counts them."""

from .batch import Batch, Counts
from .surface import Ngram, SkipBigram, Subsequence, SurfaceUnit, unit_named

__all__ = ["Batch", "Counts", "Ngram", "SkipBigram", "Subsequence", "SurfaceUnit", "unit_named"]
