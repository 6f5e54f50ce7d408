"""Scoring: an evaluation set, or a stream of parts of one, under some metrics."""

from .references import reference_subsets, reference_tables, score_own_references
from .score import Collector, ScoreBlock, full_signature, prepare_metrics, score, score_stream

__all__ = [
    "Collector",
    "ScoreBlock",
    "full_signature",
    "prepare_metrics",
    "reference_subsets",
    "reference_tables",
    "score",
    "score_own_references",
    "score_stream",
]
