"""Do metrics agree with people? Correlation of one or several metrics with human scores."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, ClassVar, overload

from ..data.alignment import align_scores
from ..data.copies import SystemCopy
from ..data.design import Design, find_design
from ..data.result import Result
from ..data.scores import Scores, name_scores
from ..data.sequences import preview
from ..data.statement import Statement
from ..errors import InputError
from ._correlation import Correlation, correlate_metric
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from ._item_level import choose_levels, find_problem
from ._metric_differences import MetricDifference, SentinelDifference, metric_differences, sentinel_differences
from ._statements import state_best
from .differences import DifferenceCorrelations, differences
from .failures import THRESHOLDS, Failures, failures


@dataclass(frozen=True)
class LeakEffect:
    """A metric's correlation with people, by what the outputs that are their own references are scored against.

    `all_references`: also against themselves; `other_references`: against the others only; `without_systems`: the
    correlation over the other systems alone, of which there are `systems_left` (NaN if fewer than three).
    """

    kind: ClassVar[str] = "leak_effect"
    metric: str
    signature: str
    human: str
    level: str
    method: str
    all_references: float
    other_references: float
    without_systems: float
    systems_left: int


@dataclass(frozen=True)
class Correlations(Result, question="correlation", kind="correlations", shared=("human",)):
    """Metrics from the highest correlation to the lowest, with the items on which each fails (where it can be told).

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
    copies: tuple[SystemCopy, ...] = ()
    leak_effects: tuple[LeakEffect, ...] = ()
    metric_differences: tuple[MetricDifference, ...] = ()  # from the best metric of each level
    design: Design | None = None  # of the judged outputs
    sentinels: tuple[SentinelDifference, ...] = ()  # how far the best metric is above them, at the first level
    judges: str = "human"  # the kind of those who judged
    instead: str = ""  # why systems were correlated where items were asked for

    def statements(self) -> tuple[Statement, ...]:
        """Say which metric agrees best with people, or whether one does."""
        if self.human in self.undirected or not self.correlations:
            return ()
        level = self.correlations[0].level
        ranked = [c for c in self.correlations if c.level == level]
        return state_best(ranked, self.metric_differences, self.sentinels, self.design, self.judges)

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
    sentinels: Mapping[str, Scores] | None = ...,
) -> Correlations: ...


def correlate(
    metrics: Scores | Mapping[str, Scores],
    human: Scores,
    *,
    level: str | Sequence[str] = "system",
    method: str = "pearson",
    interval: str | None = "auto",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
    sentinels: Mapping[str, Scores] | None = None,
) -> Correlation | Correlations:
    """Correlate metrics with people, matched by the ids of systems and items.

    metrics: Scores, or the mapping that `assay.score` returns. level: system (means over items), item or summary
    (within each item, then averaged), per-system, pooled; for a mapping also several of them, and there that of systems
    instead of item where fewer than 20 items with three judged systems, or than 100 pairs of outputs that people scored
    differently, are left. method: pearson,
    spearman, kendall, kendall-c, ndcg. interval: auto (jackknife at system level, else bootstrap), jackknife (over
    systems: means carry the noise of their items already), bootstrap (percentiles; `over` systems, inputs or both),
    fisher (levels with one correlation only), None. Where lower is better the sign is reversed. At system level a
    metric with corpus scores is correlated by these. `sentinels` cannot see quality (`sentinel_scores`): the metric
    that agrees best is compared with them. Fewer than three points or a constant side: NaN with an
    UndefinedWarning.

    >>> import numpy as np
    >>> human = Scores(np.array([[1.0, 2, 1], [2, 3, 3], [4, 3, 5], [5, 5, 4]]), tuple("ABCD"), tuple("123"), "human")
    >>> metric = Scores(human.values / 10, human.systems, human.items, "m")
    >>> print(correlate(metric, human, interval="fisher").view().headline)
    Too few systems (4) to say how well m correlates with human: 6 are needed.
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

    if not isinstance(human, Scores):
        raise InputError(
            f"correlate takes human Scores, and got {preview(human)}; give assay.read(data).human(dimension)"
        )
    if isinstance(metrics, Scores):
        return one(metrics, levels[0])
    named = name_scores(metrics, "correlate")
    refuse_no_metric(named)
    problem = find_problem(human, named.values(), systems=systems, without=without)
    levels, instead = choose_levels(levels, problem)
    by_metric = {name: [one(scores, at) for at in levels] for name, scores in named.items()}
    order = sorted(named, key=lambda name: (isnan(by_metric[name][0].value), -by_metric[name][0].value))
    correlations = tuple(c for name in order for c in by_metric[name])
    blind = {name: replace(scores, name=name) for name, scores in (sentinels or {}).items() if name not in named}
    options = {"resamples": resamples, "seed": seed, "systems": systems, "without": without}
    differences_from_best = (
        metric_differences(correlations, named, human, resamples=resamples, seed=seed, systems=systems, without=without)
        if interval
        else ()
    )
    return Correlations(
        human=human.name,
        correlations=correlations,
        failures=() if problem else _failures(named, order, human, method, systems, without),
        differences=tuple(differences(named[name], human, systems=systems, without=without) for name in order),
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        undirected=tuple(scores.name for scores in (human, *named.values()) if scores.undirected),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
        copies=copies_left_out((human, *metrics.values()), systems, without),
        metric_differences=differences_from_best,
        design=find_design(align_scores(human, systems=systems, without=without)[0]),
        sentinels=_compare_sentinels(correlations[0], blind, named, human, method, options) if interval else (),
        judges=human.judges or "human",
        instead=instead,
    )


def _compare_sentinels(
    best: Correlation,
    blind: Mapping[str, Scores],
    named: Mapping[str, Scores],
    human: Scores,
    method: str,
    options: dict[str, Any],
) -> tuple[SentinelDifference, ...]:
    """Correlate what cannot see quality as the best metric, and compare them."""
    systems, without = options["systems"], options["without"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a sentence that is always as long has no correlation
        own = [
            correlate_metric(s, human, level=best.level, method=method, interval=None, systems=systems, without=without)
            for s in blind.values()
        ]
        return sentinel_differences(best, own, {**named, **blind}, human, **options)


def _failures(
    metrics: Mapping[str, Scores],
    order: Sequence[str],
    human: Scores,
    method: str,
    systems: Sequence[str] | None,
    without: Collection[str] | None,
) -> tuple[Failures, ...]:
    """Return on how many items each metric fails by the chosen coefficient, where that has a threshold."""
    if method not in THRESHOLDS:
        return ()
    thresholds = {method: THRESHOLDS[method]}
    return tuple(
        failures(metrics[name], human, thresholds=thresholds, systems=systems, without=without)[method]
        for name in order
    )
