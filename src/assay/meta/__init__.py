"""Questions about metrics and systems, answered as Results: every function takes Scores and returns a sentence."""

from ._pair_decisions import PairAgreement, Share
from ._samples import Size, Stability
from .accuracy import Place, Places, modern
from .correlate import Correlation, correlate, correlations
from .decisions import Agreement, agree
from .differences import DifferenceCorrelations, differences
from .dominate import Dominance, Row, Standing, dominate
from .failures import THRESHOLDS, Failures, failures
from .leak import Leak, Leaks, leak_effect, leaks
from .noticeable import Bin, Noticeable, noticeable
from .stability import halves, references, topics

__all__ = [
    "THRESHOLDS", "Agreement", "Bin", "Correlation", "DifferenceCorrelations", "Dominance",
    "Failures", "Leak", "Leaks", "Noticeable", "PairAgreement", "Place", "Places",
    "Row", "Share", "Size", "Stability", "Standing", "agree", "correlate", "correlations",
    "differences", "dominate", "failures", "halves", "leak_effect", "leaks", "modern",
    "noticeable", "references", "topics",
]  # fmt: skip
