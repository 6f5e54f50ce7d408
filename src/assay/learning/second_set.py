"""Test a scorer on a second judged set, against the single feature that was best on the set it was fitted to."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import orient_values
from ..data.evalset import EvalSet
from ..data.scores import Floats, Scores
from ..errors import UndefinedWarning
from ..metrics.learned import Learned
from .dataset import build_training_set
from .examples import Examples

LEVELS = ("item", "system")


@dataclass(frozen=True)
class SecondSet:
    """A scorer and one of its features on a set that neither was fitted to nor chosen by, at one level.

    `difference` is the scorer's correlation less the feature's, with its interval and two-sided p by a paired bootstrap
    over systems and items. `outside` counts the `outputs` with a feature beyond its range in training.
    """

    kind: ClassVar[str] = "second_set"
    learner: str
    dimension: str
    level: str
    method: str
    value: float
    feature: str
    feature_value: float
    difference: float
    low: float
    high: float
    pvalue: float
    systems: int
    items: int
    outputs: int
    outside: int
    resamples: int
    seed: int


def best_feature(human: Scores, features: Mapping[str, Scores], *, method: str = "pearson") -> tuple[str, float] | None:
    """Return the feature that correlates best within items by itself, and its correlation; None where none does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        values = {
            name: stats.correlate(human.values, orient_values(s), level="item", method=method).value
            for name, s in features.items()
        }
    known = {name: value for name, value in values.items() if not np.isnan(value)}
    return max(known.items(), key=lambda pair: pair[1]) if known else None


def evaluate_second_set(
    scorer: Learned,
    feature: str,
    data: EvalSet,
    *,
    dimension: str,
    features: Sequence[str],
    scores: Sequence[Scores] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    method: str = "pearson",
    resamples: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> tuple[SecondSet, ...]:
    """Compare a scorer with one of its features on another judged set, within items and at system level.

    `features` are the names of all its features in their order, outside columns (`scores`) last; `feature` is one of
    them: the best alone on the set that the scorer was fitted to.
    """
    computed = [name for name, own in zip(features, scorer.features, strict=True) if not own.outside]
    test_set = build_training_set(
        data,
        dimension=dimension,
        features=computed,
        scores=[s for s in scores if s.name in scorer.outside],
        raters=raters,
        people=people,
        threads=threads,
    )
    rows = test_set.examples()
    return tuple(
        _compare_at(level, scorer, feature, list(features).index(feature), rows, method, resamples, seed)
        for level in LEVELS
    )


def _compare_at(
    level: str, scorer: Learned, feature: str, column: int, rows: Examples, method: str, resamples: int, seed: int
) -> SecondSet:
    predicted = scorer.fitted.predict(rows.x)
    tables = np.stack([rows.table(predicted), rows.table(rows.x[:, column])])
    human = rows.table(rows.y[:, 0])
    both = stats.bootstrap_stack(human, tables, level=level, method=method, resamples=resamples, seed=seed)
    low, high, pvalue = _paired_bootstrap(both.samples[:, 0] - both.samples[:, 1])
    return SecondSet(
        learner=str(scorer.record["model"]),
        dimension=rows.target,
        level=level,
        method=method,
        value=float(both.values[0]),
        feature=feature,
        feature_value=float(both.values[1]),
        difference=float(both.values[0] - both.values[1]),
        low=low,
        high=high,
        pvalue=pvalue,
        systems=len(np.unique(rows.cell[0])),
        items=len(np.unique(rows.cell[1])),
        outputs=len(rows),
        outside=int(scorer.fitted.outside(rows.x).sum()),
        resamples=resamples,
        seed=seed,
    )


def _paired_bootstrap(differences: Floats) -> tuple[float, float, float]:
    """Return the central 95% of the resampled differences, and twice the share of them on the rarer side of 0."""
    known = differences[~np.isnan(differences)]
    if not len(known):
        return np.nan, np.nan, np.nan
    low, high = np.percentile(known, [2.5, 97.5])
    rarer = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return float(low), float(high), min(1.0, 2 * (1 + rarer) / (1 + len(known)))
