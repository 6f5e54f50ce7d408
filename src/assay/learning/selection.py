"""CLASSY's three sets: fit to one, choose by the second, fit again to that, predict a third (Owczarzak 2012, 4)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .. import stats
from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning, ignore_undefined
from ..meta import Correlation, correlate_metric
from ..metrics.learned import Learned, scorer
from ..raters import rank_raters
from ..scoring.score import score
from .dataset import TrainingSet, human_scores
from .examples import Examples
from .models import model
from .subsets import select_features

LEARNERS = ("robust", "nnls", "cca")


@dataclass(frozen=True, eq=False)
class SelectedScorer(Result, question="learning", kind="selected_scorer", shared=("dimension", "dropped_raters")):
    """The features and learner that predict the second set best, fitted to it, and the test on a third set.

    `value` is the correlation on the second set by which they were selected, out of `fits`; `greedy` if by forward
    steps. `topics` counts those of the first two sets that were used, `left_out` names the others. `test` holds the
    correlations with people on the third set; `path` is the folder it was saved in.
    """

    dimension: str
    dropped_raters: tuple[str, ...]
    learner: str
    features: tuple[str, ...]
    value: float
    level: str
    method: str
    fits: int
    greedy: bool
    topics: tuple[int, int]
    left_out: tuple[str, ...]
    scorer: Learned = field(repr=False)
    test: tuple[Correlation, ...] = ()
    path: str = ""


@dataclass(frozen=True, eq=False)
class ScorerSelections(Result, question="learning", kind="scorer_selections"):
    """The scorers selected with all raters and without some."""

    selections: tuple[SelectedScorer, ...]


def select_scorer(
    first: TrainingSet,
    second: TrainingSet,
    *,
    learners: Sequence[str] = LEARNERS,
    level: str = "system",
    method: str = "pearson",
    normalize: str = "none",
    without: Collection[str] = (),
    dropped_raters: Sequence[str] = (),
    exhaustive: int = 12,
) -> SelectedScorer:
    """Fit every set of features by every learner to the first set, select by the second, and fit again to the second.

    The best is the one with scores that correlate most with people on the second set, at this level by this method.
    `without` names topics of both sets that are left out, those of `dropped_raters`.
    """
    if first.inputs != second.inputs:
        raise InputError("the sets to fit and to select by must have the same features")

    def criterion(predicted: Floats, rows: Examples) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedWarning)
            return stats.correlate(rows.table(rows.y[:, 0]), rows.table(predicted), level=level, method=method).value

    rows = [training_set.examples(without) for training_set in (first, second)]
    models = [model(learner) for learner in learners]
    best = select_features(rows[0], rows[1], models, criterion, normalize=normalize, exhaustive=exhaustive)
    record = {
        **second.record(),
        "model": best.model,
        "normalize": normalize,
        "rows": len(rows[1]),
        "left_out": rows[1].left_out,
        "chosen": {
            "fitted_to": first.record()["data"],
            "by": f"{method} at {level} level",
            "value": best.value,
            "fits": best.tried,
            "of": [f.signature for f in first.inputs],
            "without": sorted(without),
        },
    }
    places = list(best.features)
    learned = scorer([second.inputs[i] for i in places], best.fitted, [second.metrics[i] for i in places], record)
    return SelectedScorer(
        dimension=second.dimension,
        dropped_raters=tuple(dropped_raters),
        learner=best.model,
        features=best.names,
        value=best.value,
        level=level,
        method=method,
        fits=best.tried,
        greedy=best.greedy,
        topics=(len(np.unique(rows[0].topic)), len(np.unique(rows[1].topic))),
        left_out=tuple(t for t in dict.fromkeys((*first.topics, *second.topics)) if t in set(without)),
        scorer=learned,
    )


def evaluate_scorer(
    selected: SelectedScorer,
    data: EvalSet,
    *,
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    scores: Sequence[Scores] = (),
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> SelectedScorer:
    """Return the scorer with its test on a third set: by the measure it was selected by, of systems, and of items."""
    learned = selected.scorer.with_scores(scores) if selected.scorer.outside else selected.scorer
    predicted = score(data, learned, threads=threads)
    human = human_scores(data, selected.dimension, raters)
    without = () if people == "include" else data.people
    measures = dict.fromkeys([(selected.level, selected.method), ("system", "pearson"), ("item", "pearson")])
    correlations = tuple(
        correlate_metric(predicted, human, level=level, method=method, resamples=resamples, seed=seed, without=without)
        for level, method in measures
    )
    return replace(selected, test=correlations)


def worst_raters(
    data: Sequence[EvalSet], dimension: str, worst: int, *, by: str = "consistency"
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the least consistent raters of these sets together, worst first, and the items that they judged.

    by: consistency (alpha on texts judged twice, as in the paper), rest, severity or mean, as in `rank_raters`;
    raters without a number stay in.
    """
    items = [replace(item, id=f"{k}/{item.id}") for k, one in enumerate(data) for item in one]
    with ignore_undefined():  # a rater who cannot be ranked stays
        ranking = rank_raters(EvalSet(items, allow_missing=True), dimension, by=by)
    if worst >= len(ranking.raters):
        raise InputError(
            f"leaving out {worst} of {len(ranking.raters)} raters of {dimension!r} who can be ranked by {by} leaves "
            "none"
        )
    names = ranking.worst(worst)
    judged_by = {
        i.id for one in data for i in one for j in i.judgments if j.rater in names and j.dimension == dimension
    }
    return names, frozenset(judged_by)
