"""Training scorers: from judged sets and features to a metric in a file, with cross-validated figures."""

from .dataset import TrainingSet, build_training_set, fingerprint, human_scores
from .fit import (
    BestFeature,
    ScorerComparison,
    TrainedScorer,
    compare_best_feature,
    compare_scorers,
    learn,
    train,
)
from .selection import ScorerSelections, SelectedScorer, evaluate_scorer, select_scorer, worst_raters

__all__ = [
    "BestFeature",
    "ScorerComparison",
    "ScorerSelections",
    "SelectedScorer",
    "TrainedScorer",
    "TrainingSet",
    "build_training_set",
    "compare_best_feature",
    "compare_scorers",
    "evaluate_scorer",
    "fingerprint",
    "human_scores",
    "learn",
    "select_scorer",
    "train",
    "worst_raters",
]
