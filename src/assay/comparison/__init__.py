"""Which system is better: rankings with intervals, paired tests, groups that do not differ."""

from .compare import Comparison, Comparisons, RankedSystem, compare, is_better
from .gate import Gate, GateDecision, add_margin, check_gate
from .pair import PairComparison
from .rankings import RankingComparison, compare_rankings

__all__ = [
    "Comparison",
    "Comparisons",
    "Gate",
    "GateDecision",
    "PairComparison",
    "RankedSystem",
    "RankingComparison",
    "add_margin",
    "check_gate",
    "compare",
    "compare_rankings",
    "is_better",
]
