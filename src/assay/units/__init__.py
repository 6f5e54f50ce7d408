"""What is counted: surface units and dependency triples."""

from .dependency import Triple, triples
from .surface import Ngram, SkipBigram, Subsequence, SurfaceUnit, unit_named

__all__ = ["Ngram", "SkipBigram", "Subsequence", "SurfaceUnit", "Triple", "triples", "unit_named"]
