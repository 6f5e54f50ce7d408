"""Which system is better: rankings with intervals, paired tests, groups that do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .compare import Comparison as Comparison
    from .compare import Comparisons as Comparisons
    from .compare import RankedSystem as RankedSystem
    from .compare import compare as compare
    from .compare import is_better as is_better
    from .gate import Gate as Gate
    from .gate import GateDecision as GateDecision
    from .gate import add_margin as add_margin
    from .gate import check_gate as check_gate
    from .pair import PairComparison as PairComparison
    from .rankings import RankingComparison as RankingComparison
    from .rankings import compare_rankings as compare_rankings

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".compare": "Comparison Comparisons RankedSystem compare is_better",
            ".gate": "Gate GateDecision add_margin check_gate",
            ".pair": "PairComparison",
            ".rankings": "RankingComparison compare_rankings",
        },
    )
