"""Which system is better: rankings with intervals, paired tests, groups that do not differ."""

from .compare import Comparison, Ranked, compare, is_better
from .pair import PairComparison

__all__ = ["Comparison", "PairComparison", "Ranked", "compare", "is_better"]
