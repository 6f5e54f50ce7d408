"""Questions about metrics and systems, answered as Results: every function takes Scores and returns a sentence."""

from .agree import Agreement, agree
from .align import aligned
from .compare import Comparison, Ranked, compare, is_better
from .correlate import Correlation, correlate, correlations
from .decisions import PairAgreement, Share
from .differences import DifferenceCorrelations, differences
from .dominate import Dominance, Row, Standing, dominate
from .failures import THRESHOLDS, Failures, failures
from .leak import Leak, Leaks, leak_effect, leaks
from .modern import Place, Places, modern
from .noticeable import Bin, Noticeable, noticeable
from .pair import PairComparison
from .power import items_needed
from .samples import Size, Stability
from .stability import halves, references, topics

__all__ = [
    "THRESHOLDS", "Agreement", "Bin", "Comparison", "Correlation", "DifferenceCorrelations", "Dominance",
    "Failures", "Leak", "Leaks", "Noticeable", "PairAgreement", "PairComparison", "Place", "Places", "Ranked",
    "Row", "Share", "Size", "Stability", "Standing", "agree", "aligned", "compare", "correlate", "correlations",
    "differences", "dominate", "failures", "halves", "is_better", "items_needed", "leak_effect", "leaks", "modern",
    "noticeable", "references", "topics",
]  # fmt: skip
