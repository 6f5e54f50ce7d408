"""learn: from a judged set and features to a scorer, tested on topics it has not seen (Peyrard et al. 2017)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from .. import stats
from ..data.alignment import orient_values
from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.scores import Scores
from ..errors import UndefinedWarning
from ..meta import Correlation, correlate_metric
from ..metrics.learned import Learned, scorer
from .cross_validation import cross_validate, fit
from .dataset import TrainingSet, build_training_set
from .models import Model, model

LEVELS = (("item", "pearson"), ("item", "spearman"), ("system", "pearson"))  # level and method of each correlation


@dataclass(frozen=True, eq=False)
class TrainedScorer(Result, question="learning", kind="trained_scorer", shared=("dimension", "learner")):
    """A scorer fitted to all topics, and how well its kind predicts topics it has not seen.

    `features` are signatures; `rows_fitted` counts the outputs it was fitted to, `left_out` those that lack a feature;
    `people` says what was done with texts by people, if there are any; `path` is the folder it was saved in.
    `predicted` holds the cross-validated scores, `human` the human scores and `feature_scores` each feature alone, all
    of the same outputs; `correlations` are those of `predicted` with `human`.
    """

    dimension: str
    learner: str
    features: tuple[str, ...]
    correlations: tuple[Correlation, ...]
    folds: int
    rows_fitted: int
    left_out: int
    people: str
    normalize: str
    scorer: Learned = field(repr=False)
    predicted: Scores = field(repr=False)
    human: Scores = field(repr=False)
    feature_scores: Mapping[str, Scores] = field(repr=False)
    path: str = ""


@dataclass(frozen=True)
class BestFeature:
    """The scorer against its best single feature, on topics it has not seen, within items; p of "it is better"."""

    kind: ClassVar[str] = "best_feature"
    learner: str
    feature: str
    value: float
    difference: float
    pvalue: float
    method: str
    resamples: int
    seed: int | None


@dataclass(frozen=True, eq=False)
class ScorerComparison(Result, question="learning", kind="scorer_comparison", shared=("dimension",)):
    """Scorers by several learners, beside each of their features alone (the best first) and the test against it."""

    dimension: str
    resamples: int
    seed: int
    scorers: tuple[TrainedScorer, ...]
    best_features: tuple[BestFeature, ...]
    single_features: tuple[Correlation, ...]

    def best(self) -> TrainedScorer:
        """Return the scorer with the highest correlation."""
        return max(self.scorers, key=lambda s: s.correlations[0].value)


def learn(
    data: EvalSet,
    *,
    dimension: str,
    features: Sequence[str] = ("best",),
    scores: Sequence[Scores] = (),
    learner: str | Model = "svr",
    also: Sequence[str] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    topic: str = "item",
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> TrainedScorer:
    """Fit a scorer to the human scores of a dimension, and test its kind on topics left out one at a time.

    features: metrics, or a set by name (best, full: those of S3). scores: outside scores that are features too (an LLM
    judge's). learner: svr, ridge, rank, robust, nnls, cca. also: further dimensions, which cca takes into account.
    raters: only these, by name or pattern (expert*). people=include keeps the people among the systems. topic: what is
    left out together, an item or a group. normalize=mean brings every topic's judgments to one mean; none does not.
    """
    built = model(learner)
    training_set = build_training_set(
        data,
        dimension=dimension,
        features=features,
        scores=scores,
        also=also,
        raters=raters,
        people=people,
        topic=topic,
        threads=threads,
    )
    return train(training_set, built, normalize=normalize, resamples=resamples, seed=seed)


def train(
    training_set: TrainingSet,
    learner: Model,
    *,
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    follow: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> TrainedScorer:
    """Fit and test a scorer on a training set; `follow` passes the topics of the test on, for a progress bar."""
    rows = training_set.examples()
    unseen = training_set.unseen if training_set.whole_set else None
    crossed = cross_validate(rows, learner, normalize=normalize, without=unseen, follow=follow)
    human = training_set.targets[0]
    correlations = tuple(_correlate(crossed.scores, human, resamples, seed))
    record = {
        **training_set.record(),
        "model": learner.signature(),
        "normalize": normalize,
        "rows": len(rows),
        "left_out": rows.left_out,
        "cross_validated": {"folds": crossed.folds, "correlations": [_plain_record(c) for c in correlations]},
    }
    learned = scorer(training_set.inputs, fit(rows, learner, normalize=normalize), training_set.metrics, record)
    return TrainedScorer(
        dimension=training_set.dimension,
        learner=learner.signature(),
        features=tuple(feature.signature for feature in training_set.inputs),
        correlations=correlations,
        folds=crossed.folds,
        rows_fitted=len(rows),
        left_out=rows.left_out,
        people=str(record["people"]) if training_set.data.people else "",
        normalize=normalize,
        scorer=learned,
        predicted=crossed.scores,
        human=human,
        feature_scores={s.name: s for s in training_set.features},
    )


def compare_scorers(
    training_set: TrainingSet,
    learners: Sequence[Model],
    *,
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    follow: Callable[[str], Callable[[Sequence[int]], Iterable[int]]] = lambda name: iter,
) -> ScorerComparison:
    """Train a scorer by each learner, and compare them with their features; `follow(learner)` passes the topics on."""
    scorers = [
        train(training_set, learner, normalize=normalize, resamples=resamples, seed=seed, follow=follow(learner.name))
        for learner in learners
    ]
    tests = [compare_best_feature(one, resamples=resamples, seed=seed) for one in scorers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # a dash in the table
        alone = [
            list(_correlate(scores, scorers[0].human, resamples, seed)) for scores in scorers[0].feature_scores.values()
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


def _correlate(scores: Scores, human: Scores, resamples: int, seed: int) -> Iterable[Correlation]:
    for level, method in LEVELS:
        yield correlate_metric(scores, human, level=level, method=method, resamples=resamples, seed=seed, without=())


def _plain_record(c: Correlation) -> dict[str, Any]:
    """Return what a scorer's file keeps of a correlation; JSON has no NaN."""
    numbers = {"value": c.value, "low": c.low, "high": c.high}
    plain = {key: None if np.isnan(value) else value for key, value in numbers.items()}
    return {"level": c.level, "method": c.method, **plain, "n": c.n, "groups": c.groups}


def compare_best_feature(
    trained: TrainedScorer, *, method: str = "pearson", resamples: int = 1000, seed: int = 0
) -> BestFeature | None:
    """Test the scorer against the feature that does best alone (permutation test); None where no feature correlates.

    The best feature is found on the very outputs it is tested on, the scorer is not: the test favours the feature.
    """
    h, predicted = trained.human.values, trained.predicted.values
    oriented = {name: orient_values(scores) for name, scores in trained.feature_scores.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        values = {n: stats.correlate(h, v, level="item", method=method).value for n, v in oriented.items()}
        known = {n: v for n, v in values.items() if not np.isnan(v)}
        if not known:
            return None
        best = max(known, key=lambda n: known[n])
        test = stats.permutation(
            h,
            predicted,
            oriented[best],
            level="item",
            method=method,
            alternative="greater",
            resamples=resamples,
            seed=seed,
        )
    return BestFeature(trained.learner, best, known[best], test.difference, test.pvalue, method, resamples, seed)
