"""Which metric agrees best with people? Pairwise and soft accuracy, ties, and ranks of metrics that do not differ.

Kocmi 2021 (pairwise accuracy), Deutsch 2022 (restricted pairs) and 2023 (acc_eq), Thompson 2024 (soft accuracy),
DiIanni and Deutsch 2025 (PDP), Perrella 2024 (sentinels).
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning
from ._correlation import find_outliers
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from ._item_level import choose_levels, find_problem
from .minimums import MIN_FOR_OUTLIERS, MIN_SYSTEMS

MEASURES = ("accuracy", "soft_accuracy", "acc_eq", "pdp", "near_pairs", "correlation")


@dataclass(frozen=True)
class RankedMetric:
    """One metric. `rank` counts groups by correlation at the level, `rank_acc_eq` by acc_eq; 1 is the best.

    Metrics of a group are not significantly worse than each other. `quarter` is the difference that the quarter of
    system pairs that the metric finds nearest do not exceed. `difference` is the correlation less that of the best
    metric, with the interval of `correlate` (at other levels a bootstrap over systems and items). Ranks are 0 where
    no test was made. `without_outliers` is the correlation at system level over systems that are no `outliers` of the
    ranking (NaN at other levels).
    """

    kind: ClassVar[str] = "ranked_metric"
    metric: str
    accuracy: float
    soft_accuracy: float
    acc_eq: float
    epsilon: float
    pdp: float
    near_pairs: float
    quarter: float
    correlation: float
    rank: int
    rank_acc_eq: int
    sentinel: bool = False
    difference: float = nan
    difference_low: float = nan
    difference_high: float = nan
    without_outliers: float = nan


@dataclass(frozen=True)
class MetricRanking(Result, question="accuracy", kind="metric_ranking", shared=("human",)):
    """Metrics by their correlation with people, the best first; `pairs` counts system pairs."""

    human: str
    ranking: tuple[RankedMetric, ...]
    systems: int
    items: int
    pairs: int
    level: str
    method: str
    over: str
    alpha: float
    resamples: int
    seed: int
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()
    outliers: tuple[str, ...] = ()
    instead: str = ""  # why systems were correlated where items were asked for

    def winners(self) -> tuple[str, ...]:
        """Return the metrics of the first rank by correlation, without sentinels."""
        return tuple(m.metric for m in self.ranking if m.rank == 1 and not m.sentinel)

    def rival(self) -> RankedMetric | None:
        """Return the sentinel that correlates highest, if the best metric is not significantly better than it."""
        blind = next((m for m in self.ranking if m.sentinel and not isnan(m.correlation)), None)
        return None if blind is None or blind.difference_high < 0 else blind

    def sentinel_wins(self) -> dict[str, tuple[str, ...]]:
        """Return, by measure, the sentinels that no metric beats: that measure does not show quality on this data."""
        wins = {}
        for measure in MEASURES:
            values = [getattr(m, measure) for m in self.ranking if not m.sentinel]
            best = max((v for v in values if not isnan(v)), default=nan)
            names = tuple(m.metric for m in self.ranking if m.sentinel and getattr(m, measure) >= best)
            if names:
                wins[measure] = names
        return wins


def rank_metrics(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    sentinels: Mapping[str, Scores] | None = None,
    level: str = "item",
    method: str = "pearson",
    over: str = "systems",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> MetricRanking:
    """Rank metrics by how well they agree with people; sentinels are metrics that cannot see quality and must not win.

    accuracy: share of system pairs in people's order. soft_accuracy: 1 - mean |p_human - p_metric| over pairs. acc_eq:
    pairs of outputs within items, with ties of the metric calibrated at `epsilon` on the same data. pdp: Pearson over
    all differences within items. near_pairs: Kendall's tau over the quarter of system pairs that the metric finds
    nearest.
    Ranks are clusters: a metric opens a new rank if it is significantly worse (one-sided p <= alpha) than any of the
    current one, by the permutation test of the correlation, or for acc_eq by the test over pairs of systems.
    The first swaps whole systems (`over`), as metrics lean towards systems: swapping cells (over="both") then calls
    equal metrics different in 43 to 63 % of cases. Within items needs 20 items with three judged systems; else systems
    are correlated, and `instead` says so. Fewer than 6 systems: no test is made, and ranks are 0.
    """
    blind = dict(sentinels or {})
    refuse_no_metric(metrics)
    if twice := set(blind) & set(metrics):
        raise InputError(f"{sorted(twice)[0]!r} is given both as a metric and as a sentinel")
    scores = {**metrics, **blind}
    problem = find_problem(human, metrics.values(), systems=systems, without=without)
    (level,), instead = choose_levels([level], problem)
    people, *ours = align_scores(human, *scores.values(), systems=systems, without=without)
    h, ms = orient_values(people), np.stack([orient_values(s) for s in ours])
    at_h, at_ms = _take_corpus_scores(people, ours, h, ms, level)
    correlation = stats.correlate_stack(at_h, at_ms, level=level, method=method)
    options = {"resamples": resamples, "seed": seed}
    tests = stats.permutation_matrix(at_h, at_ms, level=level, method=method, over=over, **options)  # type: ignore[arg-type]
    ties = stats.acc_eq_matrix(h, ms, **options)  # type: ignore[arg-type]
    soft = stats.soft_pairwise_accuracy(h, ms, **options)  # type: ignore[arg-type]
    means = [(orient_means(people), orient_means(s)) for s in ours]
    accuracies = [stats.pairwise_accuracy(a, b) for a, b in means]
    near = [_quarter(b) for _, b in means]

    def ranks(values: Floats, pvalues: Floats) -> list[int]:
        tested = len(people.systems) >= MIN_SYSTEMS
        return stats.rank_bands(values, pvalues, alpha=alpha).tolist() if tested else [0] * len(values)

    outliers, without_outliers = _leave_out_outliers(people, at_h, at_ms, level, method)
    values = {
        "accuracy": [a.value for a in accuracies],
        "soft_accuracy": soft.values.tolist(),
        "acc_eq": ties.accuracies.tolist(),
        "epsilon": ties.epsilons.tolist(),
        "pdp": stats.pooled_difference_stack(h, ms).tolist(),
        "near_pairs": [
            stats.restricted_kendall(a, b, high=q).value if q == q else nan
            for (a, b), q in zip(means, near, strict=True)
        ],
        "quarter": near,
        "correlation": correlation.tolist(),
        "without_outliers": without_outliers,
        "rank": ranks(correlation, tests.pvalues),
        "rank_acc_eq": ranks(ties.accuracies, ties.pvalues),
        **_differences(
            at_h, at_ms, correlation, len(metrics), level=level, method=method, resamples=resamples, seed=seed
        ),
    }
    columns = [f.name for f in fields(RankedMetric) if f.name in values]
    ranking = [
        RankedMetric(metric=name, sentinel=name in blind, **{column: values[column][i] for column in columns})
        for i, name in enumerate(scores)
    ]
    ranking.sort(key=lambda m: (isnan(m.correlation), -m.correlation if m.correlation == m.correlation else 0.0))
    return MetricRanking(
        human=human.name,
        ranking=tuple(ranking),
        systems=len(people.systems),
        items=len(people.items),
        pairs=accuracies[0].pairs,
        level=level,
        method=method,
        over=over,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
        copies=copies_left_out((human, *metrics.values()), systems, without),
        outliers=outliers,
        instead=instead,
    )


def _take_corpus_scores(
    human: Scores, metrics: Sequence[Scores], h: Floats, ms: Floats, level: str
) -> tuple[Floats, Floats]:
    """Return one score per system where systems are correlated and a metric has corpus scores, as `correlate` does."""
    if level != "system" or all(scores.corpus is None for scores in metrics):
        return h, ms
    columns = [
        _mean_judged(h, own) if scores.corpus is None else orient_means(scores)
        for scores, own in zip(metrics, ms, strict=True)
    ]
    return orient_means(human)[:, None], np.stack(columns)[:, :, None]


def _mean_judged(h: Floats, own: Floats) -> Floats:
    """Return the mean of each system over the outputs that people judged."""
    present = ~(np.isnan(h) | np.isnan(own))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(present, own, 0.0).sum(axis=1) / present.sum(axis=1))


def _leave_out_outliers(
    human: Scores, h: Floats, ms: Floats, level: str, method: str
) -> tuple[tuple[str, ...], list[float]]:
    """Return the outliers among the systems, and the correlations at system level without them."""
    if level != "system" or len(h) < MIN_FOR_OUTLIERS:
        return (), [nan] * len(ms)
    names = {outlier.system for outlier in find_outliers(human)}
    rest = np.array([system not in names for system in human.systems])
    values = stats.correlate_stack(h[rest], ms[:, rest], level=level, method=method).tolist()
    return tuple(system for system in human.systems if system in names), values


def _differences(
    h: Floats, ms: Floats, correlation: Floats, metrics: int, *, level: str, method: str, resamples: int, seed: int
) -> dict[str, list[float]]:
    """Return each metric's correlation less the best one's (the first `metrics` are not sentinels), with intervals."""
    missing = [nan] * len(ms)
    if np.isnan(correlation[:metrics]).all():
        return {"difference": missing, "difference_low": missing, "difference_high": missing}
    best = int(np.nanargmax(correlation[:metrics]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        if level == "system" and not method.startswith("ndcg"):
            columns = _jackknife_differences(h, ms, best, metrics, method, seed)
        else:
            columns = stats.differences_from(h, ms, best, level=level, method=method, resamples=resamples, seed=seed)
    for column in columns:
        column[best] = 0.0
    return {
        name: column.tolist()
        for name, column in zip(("difference", "difference_low", "difference_high"), columns, strict=True)
    }


def _jackknife_differences(
    h: Floats, ms: Floats, best: int, metrics: int, method: str, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return the differences of `correlate`; those of sentinels are simultaneous over metrics and sentinels."""
    common = np.logical_and.reduce([(~(np.isnan(h) | np.isnan(m))).any(axis=1) for m in ms])
    parts = [stats.jackknife(h[common], m[common], method=method) for m in ms]
    rows = list(stats.contrast_correlations(parts[:metrics], best=best, seed=seed))
    if metrics < len(parts):
        rows += stats.contrast_correlations(parts, best=best, seed=seed)[metrics:]
    table = np.array([(row.difference, row.low, row.high) for row in rows])
    return table[:, 0], table[:, 1], table[:, 2]


def _quarter(means: Floats) -> float:
    """Return the metric difference that a quarter of the system pairs do not exceed."""
    some = means[~np.isnan(means)]
    first, second = np.triu_indices(len(some), 1)
    return float(np.quantile(np.abs(some[first] - some[second]), 0.25)) if len(first) else nan
