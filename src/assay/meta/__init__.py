"""Questions about metrics and systems, answered as Results: every function takes Scores and returns a sentence."""

from .align import aligned
from .compare import Comparison, Ranked, compare, is_better
from .correlate import Correlation, correlate, correlations
from .differences import DifferenceCorrelations, differences
from .failures import THRESHOLDS, Failures, failures
from .pair import PairComparison
from .power import items_needed

__all__ = [
    "THRESHOLDS", "Comparison", "Correlation", "DifferenceCorrelations", "Failures", "PairComparison", "Ranked",
    "aligned", "compare", "correlate", "correlations", "differences", "failures", "is_better", "items_needed",
]  # fmt: skip
