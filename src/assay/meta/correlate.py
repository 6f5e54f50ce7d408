"""Do metrics agree with people? Correlation of one or several metrics with human scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import overload

from ..data.result import Result
from ..data.scores import Scores
from ._correlation import Correlation, correlate_metric
from ._inputs import leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from ._metric_differences import MetricDifference, metric_differences
from .differences import DifferenceCorrelations, differences
from .failures import Failures, failures
from .leak import LeakEffect

FAILED = 0.65  # r within an item below which the metric fails on it (Peyrard 2017, 4.3)


@dataclass(frozen=True)
class Correlations(Result, question="correlation", kind="correlations", shared=("human",)):
    """Metrics from the highest correlation to the lowest, with the items on which each fails.

    `differences` are correlations of the score differences between two systems. `signatures` says what each name
    stands for, `left_out` which people among the systems were left out, `leaked` which systems that repeat references;
    `leak_effects` are the correlations with these.
    """

    human: str
    correlations: tuple[Correlation, ...]
    failures: tuple[Failures, ...]
    differences: tuple[DifferenceCorrelations, ...]
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    undirected: tuple[str, ...] = ()  # people's scale or metrics that may be better where they are lower: not stated
    leaked: tuple[str, ...] = ()
    leak_effects: tuple[LeakEffect, ...] = ()
    metric_differences: tuple[MetricDifference, ...] = ()  # from the best metric of each level

    def __getitem__(self, metric: str) -> Correlation:
        """Return the correlation of one metric (at the first level)."""
        return next(c for c in self.correlations if c.metric == metric)


@overload
def correlate(
    metrics: Scores,
    human: Scores,
    *,
    level: str = ...,
    method: str = ...,
    interval: str | None = ...,
    over: str = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
    systems: Sequence[str] | None = ...,
    without: Collection[str] | None = ...,
) -> Correlation: ...


@overload
def correlate(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    level: str | Sequence[str] = ...,
    method: str = ...,
    interval: str | None = ...,
    over: str = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
    systems: Sequence[str] | None = ...,
    without: Collection[str] | None = ...,
) -> Correlations: ...


def correlate(
    metrics: Scores | Mapping[str, Scores],
    human: Scores,
    *,
    level: str | Sequence[str] = "system",
    method: str = "pearson",
    interval: str | None = "bootstrap",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Correlation | Correlations:
    """Correlate metrics with people, matched by the ids of systems and items.

    metrics: Scores, or the mapping that `assay.score` returns. level: system (means over items), item or summary
    (within each item, then averaged), per-system, pooled; for a mapping also several of them. method: pearson,
    spearman, kendall, kendall-c, ndcg. interval: bootstrap (percentiles; `over` systems, inputs or both), fisher
    (levels with one correlation only), None. Where lower is better the sign is reversed. At system level a metric with
    corpus scores is correlated by these, with an interval over systems. Fewer than three points or a constant side:
    NaN with an UndefinedWarning.

    >>> import numpy as np
    >>> human = Scores(np.array([[1.0, 2, 1], [2, 3, 3], [4, 3, 5], [5, 5, 4]]), tuple("ABCD"), tuple("123"), "human")
    >>> metric = Scores(human.values / 10, human.systems, human.items, "m")
    >>> print(correlate(metric, human, interval="fisher").view().headline)
    Too few systems (4) to say how well m correlates with human: r = 1.000 (95% CI 1.000 to 1.000).
    """
    levels = [level] if isinstance(level, str) else list(level)

    def one(scores: Scores, at: str) -> Correlation:
        return correlate_metric(
            scores,
            human,
            level=at,
            method=method,
            interval=interval,
            over=over,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            systems=systems,
            without=without,
        )

    if isinstance(metrics, Scores):
        return one(metrics, levels[0])
    refuse_no_metric(metrics)
    named = {name: replace(scores, name=name) for name, scores in metrics.items()}
    by_metric = {name: [one(scores, at) for at in levels] for name, scores in named.items()}
    order = sorted(named, key=lambda name: (isnan(by_metric[name][0].value), -by_metric[name][0].value))
    correlations = tuple(c for name in order for c in by_metric[name])
    differences_from_best = (
        metric_differences(correlations, named, human, resamples=resamples, seed=seed, systems=systems, without=without)
        if interval
        else ()
    )
    return Correlations(
        human=human.name,
        correlations=correlations,
        failures=tuple(
            failures(named[name], human, thresholds={"pearson": FAILED}, systems=systems, without=without)["pearson"]
            for name in order
        ),
        differences=tuple(differences(named[name], human, systems=systems, without=without) for name in order),
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        undirected=tuple(scores.name for scores in (human, *named.values()) if scores.undirected),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
        metric_differences=differences_from_best,
    )
