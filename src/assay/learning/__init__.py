"""Training scorers: from judged sets and features to a metric in a file, with cross-validated figures."""

from .dataset import TrainingSet, build_training_set, fingerprint, human_scores
from .fit import TrainedScorer, UnseenSystems, evaluate_transfer, learn, train
from .monotonicity import Monotonicity, probe_monotonicity
from .scorer_comparison import BestFeature, ScorerComparison, compare_best_feature, compare_scorers
from .second_set import SecondSet
from .selection import ScorerSelections, SelectedScorer, evaluate_scorer, select_scorer, worst_raters

__all__ = [
    "BestFeature",
    "Monotonicity",
    "ScorerComparison",
    "ScorerSelections",
    "SecondSet",
    "SelectedScorer",
    "TrainedScorer",
    "TrainingSet",
    "UnseenSystems",
    "build_training_set",
    "compare_best_feature",
    "compare_scorers",
    "evaluate_scorer",
    "evaluate_transfer",
    "fingerprint",
    "human_scores",
    "learn",
    "probe_monotonicity",
    "select_scorer",
    "train",
    "worst_raters",
]
