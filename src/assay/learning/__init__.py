"""Training scorers: from judged sets and features to a metric in a file, with cross-validated figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .dataset import TrainingSet as TrainingSet
    from .dataset import build_training_set as build_training_set
    from .dataset import fingerprint as fingerprint
    from .dataset import human_scores as human_scores
    from .fit import TrainedScorer as TrainedScorer
    from .fit import UnseenSystems as UnseenSystems
    from .fit import evaluate_transfer as evaluate_transfer
    from .fit import learn as learn
    from .fit import train as train
    from .monotonicity import Monotonicity as Monotonicity
    from .monotonicity import probe_monotonicity as probe_monotonicity
    from .scorer_comparison import BestFeature as BestFeature
    from .scorer_comparison import ScorerComparison as ScorerComparison
    from .scorer_comparison import compare_best_feature as compare_best_feature
    from .scorer_comparison import compare_scorers as compare_scorers
    from .second_set import SecondSet as SecondSet
    from .selection import ScorerSelections as ScorerSelections
    from .selection import SelectedScorer as SelectedScorer
    from .selection import evaluate_scorer as evaluate_scorer
    from .selection import select_scorer as select_scorer
    from .selection import worst_raters as worst_raters

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".dataset": "TrainingSet build_training_set fingerprint human_scores",
            ".fit": "TrainedScorer UnseenSystems evaluate_transfer learn train",
            ".monotonicity": "Monotonicity probe_monotonicity",
            ".scorer_comparison": "BestFeature ScorerComparison compare_best_feature compare_scorers",
            ".second_set": "SecondSet",
            ".selection": "ScorerSelections SelectedScorer evaluate_scorer select_scorer worst_raters",
        },
    )
