"""learn: from a judged set and features to a scorer, tested on topics and systems it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any, ClassVar

import numpy as np

from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError
from ..meta import Correlation, correlate_metric
from ..metrics import Fitted
from ..metrics.learned import Learned, scorer
from .cross_validation import MIN_SYSTEMS, cross_validate, cross_validate_systems, fit
from .dataset import TrainingSet, build_training_set
from .examples import Examples
from .models import Model, model
from .monotonicity import Monotonicity, probe_monotonicity
from .second_set import SecondSet, best_feature, evaluate_second_set

LEVELS = (("item", "pearson"), ("item", "spearman"), ("system", "pearson"))  # level and method of each correlation


@dataclass(frozen=True)
class UnseenSystems:
    """A correlation with people over systems that were left out of the fit, in `folds` groups."""

    kind: ClassVar[str] = "unseen_systems"
    level: str
    method: str
    value: float
    low: float
    high: float
    folds: int
    outliers: tuple[str, ...] = ()
    without_outliers: float = nan


@dataclass(frozen=True, eq=False)
class TrainedScorer(Result, question="learning", kind="trained_scorer", shared=("dimension", "learner")):
    """A scorer fitted to all topics, and how well its kind predicts topics it has not seen.

    `features` are signatures; `rows_fitted` counts the outputs it was fitted to, `left_out` those that lack a feature;
    `people` says what was done with texts by people, if there are any; `path` is the folder it was saved in.
    `predicted` holds the cross-validated scores, `human` the human scores and `feature_scores` each feature alone, all
    of the same outputs; `correlations` are those of `predicted` with `human`. `unseen_systems` are the correlations
    where systems were left out of the fit instead of topics, `monotonicity` shows whether the scorer rises when outputs
    become references, and `second_set` holds the test on other data, if there is one.
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
    unseen_systems: tuple[UnseenSystems, ...] = ()
    monotonicity: Monotonicity | None = None
    second_set: tuple[SecondSet, ...] = ()
    path: str = ""


def learn(
    data: EvalSet,
    *,
    dimension: str,
    features: Sequence[str] = ("best",),
    scores: Sequence[Scores] = (),
    learner: str | Model = "ridge",
    also: Sequence[str] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    leaked: str = "exclude",
    topic: str = "item",
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    test_set: EvalSet | None = None,
    test_dimension: str | None = None,
) -> TrainedScorer:
    """Fit a scorer to the human scores of a dimension, and test its kind on topics and systems left out of the fit.

    features: metrics, or a set by name (best, full: those of S3). scores: outside scores that are features too (an LLM
    judge's). learner: ridge, rank, svr, robust, nnls, cca. also: further dimensions, which cca takes into account.
    raters: only these, by name or pattern (expert*). people=include keeps the people among the systems,
    leaked=include the systems that repeat a reference on half of their items. topic: what is
    left out together, an item or a group. normalize=mean brings every topic's judgments to one mean; none does not.
    test_set: a second judged set to test the scorer on, by test_dimension where its dimension has another name.
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
        leaked=leaked,
        topic=topic,
        threads=threads,
    )
    trained = train(training_set, built, normalize=normalize, resamples=resamples, seed=seed, threads=threads)
    if test_set is None:
        return trained
    return evaluate_transfer(
        trained,
        test_set,
        dimension=test_dimension,
        scores=scores,
        raters=raters,
        people=people,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )


def train(
    training_set: TrainingSet,
    learner: Model,
    *,
    normalize: str = "mean",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    follow: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> TrainedScorer:
    """Fit and test a scorer on a training set; `follow` passes the topics of the test on, for a progress bar."""
    rows = training_set.examples()
    _refuse_undirected(training_set, learner)
    fitted = fit(rows, learner, normalize=normalize)
    _refuse_constant(fitted, training_set.dimension, learner)
    unseen = training_set.unseen if training_set.whole_set else None
    crossed = cross_validate(rows, learner, normalize=normalize, without=unseen, follow=follow)
    human = training_set.targets[0]
    correlations = tuple(correlate_levels(crossed.scores, human, resamples, seed))
    record = {
        **training_set.record(),
        "model": learner.signature(),
        "normalize": normalize,
        "rows": len(rows),
        "left_out": rows.left_out,
        "cross_validated": {"folds": crossed.folds, "correlations": [_plain_record(c) for c in correlations]},
    }
    learned = scorer(training_set.inputs, fitted, training_set.metrics, record)
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
        unseen_systems=tuple(_unseen_systems(rows, learner, human, normalize, resamples, seed)),
        monotonicity=probe_monotonicity(learned, training_set.data, human.systems, threads=threads),
    )


def _unseen_systems(
    rows: Examples, learner: Model, human: Scores, normalize: str, resamples: int, seed: int
) -> Iterable[UnseenSystems]:
    """Correlate the predictions of systems that were left out; nothing where there are too few systems."""
    if len(np.unique(rows.cell[0])) < MIN_SYSTEMS:
        return
    crossed = cross_validate_systems(rows, learner, normalize=normalize)
    for c in correlate_levels(crossed.scores, human, resamples, seed):
        yield UnseenSystems(c.level, c.method, c.value, c.low, c.high, crossed.folds, c.outliers, c.without_outliers)


def _refuse_undirected(training_set: TrainingSet, learner: Model) -> None:
    """Raise where a monotone learner has a feature of which neither more nor less is better."""
    if not getattr(learner, "monotone", False):
        return
    for scores, own in zip(training_set.features, training_set.metrics, strict=True):
        if own is not None and not own.directed:
            raise InputError(
                f"feature {scores.name!r} has no direction (neither more nor less of it is better), and "
                f"{learner.name} rises with every feature: leave it out, or use the learner "
                f"'{learner.name}(monotone=false)'"
            )


def _refuse_constant(fitted: Fitted, dimension: str, learner: Model) -> None:
    """Raise where a monotone learner gave every feature the weight 0."""
    weights = getattr(fitted.predictor, "weights", None)
    if getattr(learner, "monotone", False) and weights is not None and not weights.any():
        raise InputError(
            f"no feature rises with {dimension!r}, so there is nothing to learn: is a lower judgment the better one?"
        )


def evaluate_transfer(
    trained: TrainedScorer,
    data: EvalSet,
    *,
    dimension: str | None = None,
    scores: Sequence[Scores] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> TrainedScorer:
    """Return the scorer with its test on a second set, against the feature that was best on the first."""
    best = best_feature(trained.human, trained.feature_scores)
    if best is None:
        return trained
    rows = evaluate_second_set(
        trained.scorer,
        best[0],
        data,
        dimension=dimension or trained.dimension,
        features=tuple(trained.feature_scores),
        scores=scores,
        raters=raters,
        people=people,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )
    return replace(trained, second_set=rows)


def correlate_levels(scores: Scores, human: Scores, resamples: int, seed: int) -> Iterable[Correlation]:
    """Correlate scores with people within items (Pearson, Spearman) and at system level."""
    for level, method in LEVELS:
        yield correlate_metric(scores, human, level=level, method=method, resamples=resamples, seed=seed, without=())


def _plain_record(c: Correlation) -> dict[str, Any]:
    """Return what a scorer's file keeps of a correlation; JSON has no NaN."""
    numbers = {"value": c.value, "low": c.low, "high": c.high}
    plain = {key: None if np.isnan(value) else value for key, value in numbers.items()}
    return {"level": c.level, "method": c.method, **plain, "n": c.n, "groups": c.groups}
