"""Scoring: an evaluation set, or a stream of them, and metrics to Scores."""

from .references import reference_subsets, reference_tables, score_own_references
from .score import Block, Collector, prepared, score, score_stream, signed

__all__ = [
    "Block",
    "Collector",
    "prepared",
    "reference_subsets",
    "reference_tables",
    "score",
    "score_own_references",
    "score_stream",
    "signed",
]
