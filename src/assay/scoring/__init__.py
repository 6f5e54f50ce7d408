"""Scoring: an evaluation set, or a stream of them, and metrics to Scores."""

from .score import Block, Collector, prepared, reference_subsets, score, score_stream, signed

__all__ = ["Block", "Collector", "prepared", "reference_subsets", "score", "score_stream", "signed"]
