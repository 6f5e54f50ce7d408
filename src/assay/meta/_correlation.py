"""Correlation of one metric with people at a level, with its interval (Peyrard 2017, 3; Owczarzak 2009, 5)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import AssayWarning, InputError, UndefinedWarning
from ..stats.vectorized_correlation import fewest_points
from ._inputs import copies_left_out
from .minimums import MIN_FOR_OUTLIERS, OUTLIER_THRESHOLD

_CONSISTENT = 1.483  # makes the median absolute deviation a standard deviation for normal scores


@dataclass(frozen=True)
class Correlation(Result, question="correlation", kind="correlation"):
    """How a metric correlates with people. n is the points of one correlation, groups how many were averaged.

    At system level the interval is over systems, by the jackknife: that of systems like these, with as many items like
    these. NaN with fewer than 6 systems (8 for rank coefficients); a one-sided bound with |r| = 1. There
    `without_outliers` is the same over the systems that are no `outliers` by people's means (the value itself if there
    is none; NaN with fewer than 10 systems, and at other levels). `with_copies` is the value with systems that have the
    same texts as another counted again (NaN where none was left out).
    """

    metric: str
    human: str
    value: float
    low: float
    high: float
    n: int
    level: str
    method: str
    groups: int
    skipped: int
    interval: str | None
    over: str
    confidence: float
    resamples: int
    seed: int | None
    corpus: bool = False
    higher_is_better: bool = True
    fewest: int = 3  # points of a group below which it is skipped
    outliers: tuple[str, ...] = ()
    without_outliers: float = nan
    with_copies: float = nan


def correlate_metric(
    metric: Scores,
    human: Scores,
    *,
    level: str = "system",
    method: str = "pearson",
    interval: str | None = "auto",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Correlation:
    """Correlate one metric with people; see `correlate` for the parameters."""
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    corpus = ours.corpus is not None and level == "system"
    h, m = level_tables(theirs, ours, level)
    correlation = stats.correlate(h, m, level=level, method=method)
    interval = _choose_interval(interval, correlation)
    over = "systems" if correlation.level == "system" and (corpus or interval != "bootstrap") else over
    low, high = nan, nan
    if not isnan(correlation.value) and interval is not None:
        if interval == "fisher":
            low, high = _fisher(correlation, confidence)
        elif interval == "jackknife":
            jackknife = stats.jackknife(h, m, method=method, confidence=confidence)
            low, high = jackknife.low, jackknife.high
        else:
            bootstrap = stats.bootstrap(
                h, m, level=level, method=method, over=over, resamples=resamples, confidence=confidence, seed=seed
            )
            low, high = bootstrap.low, bootstrap.high
    resampled = interval == "bootstrap"
    outliers, without_outliers = _leave_out_outliers(correlation, theirs, h, m)
    return Correlation(
        metric=metric.name,
        human=human.name,
        value=correlation.value,
        low=low,
        high=high,
        n=correlation.n,
        level=correlation.level,
        method=method,
        groups=correlation.groups,
        skipped=correlation.skipped,
        interval=interval,
        over=over if interval in ("bootstrap", "jackknife") else "",
        confidence=confidence,
        resamples=resamples if resampled else 0,
        seed=seed if resampled else None,
        corpus=corpus,
        higher_is_better=metric.higher_is_better,
        fewest=fewest_points(method, correlation.level),
        outliers=outliers,
        without_outliers=without_outliers,
        with_copies=_count_copies(metric, human, ours.systems, level, method, systems, without),
    )


def _count_copies(
    metric: Scores,
    human: Scores,
    counted: Sequence[str],
    level: str,
    method: str,
    systems: Sequence[str] | None,
    without: Collection[str] | None,
) -> float:
    """Return the correlation with the systems that were left out as copies of another; NaN where there are none."""
    copies = {copy.system for copy in copies_left_out((metric, human), systems, without)}
    if not copies:
        return nan
    both = [s for s in human.systems if s in metric.systems and (s in counted or s in copies)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        ours, theirs = align_scores(metric, human, systems=both)
        return stats.correlate(*level_tables(theirs, ours, level), level=level, method=method).value


def level_tables(human: Scores, metric: Scores, level: str) -> tuple[Floats, Floats]:
    """Return both as systems x items, or as one column where systems are correlated by corpus scores."""
    if metric.corpus is not None and level == "system":
        return orient_means(human)[:, None], orient_means(metric)[:, None]
    return orient_values(human), orient_values(metric)


def _choose_interval(interval: str | None, correlation: stats.LevelCorrelation) -> str | None:
    """Return how the interval is made: by the jackknife at system level (NDCG has none), else by the bootstrap."""
    jackknifed = correlation.level == "system" and not correlation.method.startswith("ndcg")
    if interval == "auto":
        return "jackknife" if jackknifed else "bootstrap"
    if interval == "jackknife" and not jackknifed:
        raise InputError(
            f"the jackknife is for correlations over systems, not {correlation.method} {correlation.level}"
        )
    if interval not in ("jackknife", "bootstrap", "fisher", None):
        raise InputError(f"interval must be auto, jackknife, bootstrap, fisher or None, got {interval!r}")
    return interval


def _leave_out_outliers(
    correlation: stats.LevelCorrelation, human: Scores, h: Floats, m: Floats
) -> tuple[tuple[str, ...], float]:
    """Return the systems that are outliers by people, and the correlation at system level without them."""
    if correlation.level != "system" or correlation.n < MIN_FOR_OUTLIERS:
        return (), nan
    judged = np.asarray((~(np.isnan(h) | np.isnan(m))).any(axis=1))
    systems = [s for s, there in zip(human.systems, judged.tolist(), strict=True) if there]
    names = {outlier.system for outlier in find_outliers(human.select(systems))}
    if not names:
        return (), correlation.value
    rest = np.array([s not in names for s in human.systems])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        value = stats.correlate(h[rest], m[rest], level="system", method=correlation.method).value
    return tuple(s for s in human.systems if s in names), value


def _fisher(correlation: stats.LevelCorrelation, confidence: float) -> tuple[float, float]:
    if correlation.level not in ("system", "pooled"):
        raise InputError(
            f"a Fisher interval is for one correlation; at {correlation.level} level many are averaged: use bootstrap"
        )
    interval = stats.fisher(correlation.value, correlation.n, method=correlation.method, confidence=confidence)
    return interval.low, interval.high


def item_correlations(
    metric: Scores,
    human: Scores,
    *,
    level: str = "item",
    method: str = "pearson",
    without: Collection[str] | None = None,
) -> dict[str, float]:
    """Return the correlation within each item (or system), by its id; NaN where there is none.

    >>> human = Scores(np.array([[1.0, 2], [2, 3], [3, 3]]), tuple("ABC"), tuple("12"), "human")
    >>> metric = Scores(np.array([[1.0, 3], [2, 2], [3, 1]]), tuple("ABC"), tuple("12"), "m")
    >>> {item: round(r, 3) for item, r in item_correlations(metric, human).items()}
    {'1': 1.0, '2': -0.866}
    """
    ours, theirs = align_scores(metric, human, without=without)
    values = stats.group_coefficients(orient_values(theirs), orient_values(ours)[None], level=level, method=method)[0]
    names = {"item": ours.items, "summary": ours.items, "per-system": ours.systems}.get(level)
    if names is None:
        raise InputError(f"level must be item or per-system here, got {level!r}")
    return dict(zip(names, np.asarray(values).tolist(), strict=True))


@dataclass(frozen=True)
class OutlierSystem:
    """A system far from the others: its mean human score, and its distance from the median in deviations."""

    kind: ClassVar[str] = "outlier"
    system: str
    mean: float
    deviation: float


def find_outliers(human: Scores, *, threshold: float = OUTLIER_THRESHOLD) -> tuple[OutlierSystem, ...]:
    """Find systems with a mean human score more than `threshold` median absolute deviations from the median.

    Fewer than 10 systems, or no deviation: none.

    >>> means = [0.1, 0.2, 0.15, 0.12, 0.18, 0.16, 0.14, 0.11, 0.19, -2.0]
    >>> scores = Scores(np.array(means)[:, None], tuple("ABCDEFGHIJ"), ("1",), "quality")
    >>> [(o.system, round(o.deviation, 1)) for o in find_outliers(scores)]
    [('J', -41.3)]
    """
    means = {s: m for s, m in zip(human.systems, human.means().tolist(), strict=True) if not isnan(m)}
    values = np.array(list(means.values()))
    if len(values) < MIN_FOR_OUTLIERS:
        return ()
    median = float(np.median(values))
    deviation = _CONSISTENT * float(np.median(np.abs(values - median)))
    if deviation == 0:
        return ()
    distances = {system: (mean - median) / deviation for system, mean in means.items()}
    far = [OutlierSystem(s, means[s], d) for s, d in distances.items() if abs(d) > threshold]
    return tuple(sorted(far, key=lambda outlier: -abs(outlier.deviation)))
