"""What is counted: surface units and dependency triples."""

from .dependency import Triple, triples
from .surface import Ngram, SkipBigram, Subsequence, SurfaceUnit, parse_unit

__all__ = ["Ngram", "SkipBigram", "Subsequence", "SurfaceUnit", "Triple", "parse_unit", "triples"]
