"""Scoring: an evaluation set, or a stream of parts of one, under some metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .collector import Collector as Collector
    from .references import reference_subsets as reference_subsets
    from .references import reference_tables as reference_tables
    from .references import score_own_references as score_own_references
    from .score import score as score
    from .stream import ScoreBlock as ScoreBlock
    from .stream import full_signature as full_signature
    from .stream import prepare_metrics as prepare_metrics
    from .stream import score_stream as score_stream

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".references": "reference_subsets reference_tables score_own_references",
            ".collector": "Collector",
            ".score": "score",
            ".stream": "ScoreBlock full_signature prepare_metrics score_stream",
        },
    )
