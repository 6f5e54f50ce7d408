"""Which system is better: rankings with intervals, paired tests, groups that do not differ."""

from .compare import Comparison, Comparisons, RankedSystem, compare, is_better
from .pair import PairComparison
from .rankings import RankingComparison, compare_rankings

__all__ = [
    "Comparison",
    "Comparisons",
    "PairComparison",
    "RankedSystem",
    "RankingComparison",
    "compare",
    "compare_rankings",
    "is_better",
]
