"""Which system is better: rankings with intervals, paired tests, groups that do not differ."""

from .compare import Comparison, Comparisons, RankedSystem, compare, is_better
from .pair import PairComparison

__all__ = ["Comparison", "Comparisons", "PairComparison", "RankedSystem", "compare", "is_better"]
