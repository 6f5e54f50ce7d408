"""Scorers by several learners, next to each of their features alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

import numpy as np

from .. import stats
from ..data.alignment import orient_values
from ..data.result import Result
from ..errors import UndefinedWarning
from ..meta import Correlation
from ..meta.minimums import MIN_SYSTEMS
from .dataset import TrainingSet
from .fit import TrainedScorer, correlate_levels, train
from .models import Model
from .second_set import best_feature


@dataclass(frozen=True)
class BestFeature:
    """The scorer against its best single feature, on topics it has not seen, within items.

    `low` and `high` are the 95% interval of the difference (bootstrap over systems and items); p of "it is better" is
    by swaps of whole systems. With fewer than 6 systems these are NaN.
    """

    kind: ClassVar[str] = "best_feature"
    learner: str
    feature: str
    value: float
    difference: float
    low: float
    high: float
    pvalue: float
    method: str
    resamples: int
    seed: int | None


@dataclass(frozen=True, eq=False)
class ScorerComparison(Result, question="learning", kind="scorer_comparison", shared=("dimension",)):
    """Scorers by several learners, next to each of their features alone (the best first) and the test against it."""

    dimension: str
    resamples: int
    seed: int
    scorers: tuple[TrainedScorer, ...]
    best_features: tuple[BestFeature, ...]
    single_features: tuple[Correlation, ...]

    def best(self) -> TrainedScorer:
        """Return the scorer with the highest correlation."""
        return max(self.scorers, key=lambda s: s.correlations[0].value)


def compare_scorers(
    training_set: TrainingSet,
    learners: Sequence[Model],
    *,
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    follow: Callable[[str], Callable[[Sequence[int]], Iterable[int]]] = lambda name: iter,
) -> ScorerComparison:
    """Train a scorer by each learner, and compare them with their features; `follow(learner)` passes the topics on."""
    scorers = [
        train(
            training_set,
            learner,
            normalize=normalize,
            resamples=resamples,
            seed=seed,
            threads=threads,
            follow=follow(learner.name),
        )
        for learner in learners
    ]
    tests = [compare_best_feature(one, resamples=resamples, seed=seed) for one in scorers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # a dash in the table
        alone = [
            list(correlate_levels(scores, scorers[0].human, resamples, seed))
            for scores in scorers[0].feature_scores.values()
        ]
    alone.sort(key=lambda own: (np.isnan(own[0].value), -own[0].value))
    return ScorerComparison(
        dimension=training_set.dimension,
        resamples=resamples,
        seed=seed,
        scorers=tuple(scorers),
        best_features=tuple(test for test in tests if test is not None),
        single_features=tuple(c for one in alone for c in one),
    )


def compare_best_feature(
    trained: TrainedScorer, *, method: str = "pearson", resamples: int = 1000, seed: int = 0
) -> BestFeature | None:
    """Test the scorer against the feature that does best alone; None where no feature correlates.

    The permutation test swaps whole systems, which keeps its level where scorer and feature lean towards systems. The
    best feature is found on the very outputs it is tested on, the scorer is not: the test favours the feature.
    """
    best = best_feature(trained.human, trained.feature_scores, method=method)
    if best is None:
        return None
    name, value = best
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        tables = (
            trained.human.values,
            trained.predicted.values,
            orient_values(trained.feature_scores[name]),
        )
        options: dict[str, Any] = {"level": "item", "method": method, "resamples": resamples, "seed": seed}
        test = stats.permutation(*tables, over="systems", alternative="greater", **options)
        interval = stats.metric_difference(*tables, **options)[1:]
    if len(trained.human.systems) < MIN_SYSTEMS:  # with fewer no swap of systems reaches .05
        return BestFeature(trained.learner, name, value, test.difference, nan, nan, nan, method, resamples, seed)
    return BestFeature(trained.learner, name, value, test.difference, *interval, test.pvalue, method, resamples, seed)
