"""By how much does one metric correlate better with people than another? Differences from the best, with intervals."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_values
from ..data.scores import Floats, Scores
from ..errors import UndefinedWarning
from ._correlation import Correlation, level_tables
from .minimums import MIN_SYSTEMS


@dataclass(frozen=True)
class MetricDifference:
    """The correlation of a metric less that of the best one, with its interval and p-value from one procedure.

    At system level both are simultaneous over all pairs of metrics, as the best was chosen by looking at all of them,
    and the interval leaves out 0 where p is below the level, and only there. At other levels the interval is a
    bootstrap over systems and items, on the outputs that both scored, without a p-value. Both are NaN with fewer than 6
    systems (8 for rank coefficients).
    """

    kind: ClassVar[str] = "metric_difference"
    metric: str
    best: str
    level: str
    difference: float
    low: float
    high: float
    pvalue: float = nan

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.high < 0 or self.low > 0


@dataclass(frozen=True)
class SentinelDifference:
    """A measure that cannot see quality: its correlation (`value`), and how far the best metric is above it.

    Interval and p-value as in `MetricDifference`.
    """

    kind: ClassVar[str] = "sentinel_difference"
    sentinel: str
    metric: str
    level: str
    correlation: float
    difference: float
    low: float
    high: float
    pvalue: float


def metric_differences(
    correlations: Sequence[Correlation],
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    resamples: int,
    seed: int,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> tuple[MetricDifference, ...]:
    """Return, level by level, how far each metric is below the best one."""
    rows: list[MetricDifference] = []
    for level in dict.fromkeys(c.level for c in correlations):
        known = sorted((c for c in correlations if c.level == level and not isnan(c.value)), key=lambda c: -c.value)
        if len(known) > 1:
            scores = align_scores(human, *(metrics[c.metric] for c in known), systems=systems, without=without)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)
                if known[0].interval == "jackknife":
                    rows += _jackknife_differences(known, scores, seed)
                else:
                    rows += _bootstrap_differences(known, scores, resamples, seed)
    return tuple(rows)


def sentinel_differences(
    best: Correlation,
    blind: Sequence[Correlation],
    scores: Mapping[str, Scores],
    human: Scores,
    *,
    resamples: int,
    seed: int,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> tuple[SentinelDifference, ...]:
    """Return how far the best metric is above each measure that cannot see quality, the highest of these first."""
    known = sorted((c for c in blind if not isnan(c.value)), key=lambda c: -c.value)
    if not known or isnan(best.value):
        return ()
    tables = align_scores(human, *(scores[c.metric] for c in (best, *known)), systems=systems, without=without)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        jackknifed = best.interval == "jackknife"
        compare = _jackknife_differences if jackknifed else partial(_bootstrap_differences, resamples=resamples)
        rows = list(compare((best, *known), tables, seed=seed))
    return tuple(
        SentinelDifference(c.metric, best.metric, c.level, c.value, -row.difference, -row.high, -row.low, row.pvalue)
        for c, row in zip(known, rows, strict=True)
    )


def _jackknife_differences(
    known: Sequence[Correlation], scores: Sequence[Scores], seed: int
) -> Iterator[MetricDifference]:
    """Yield the differences over the systems that every metric has a score for, test and interval by the jackknife."""
    tables = [level_tables(scores[0], own, "system") for own in scores[1:]]
    common = np.logical_and.reduce([(~(np.isnan(h) | np.isnan(m))).any(axis=1) for h, m in tables])
    own = [stats.jackknife(h[common], m[common], method=known[0].method) for h, m in tables]
    for c, contrast in list(zip(known, stats.contrast_correlations(own, seed=seed), strict=True))[1:]:
        values = (contrast.difference, contrast.low, contrast.high, contrast.pvalue)
        yield MetricDifference(c.metric, known[0].metric, "system", *values)


def _bootstrap_differences(
    known: Sequence[Correlation], scores: Sequence[Scores], resamples: int, seed: int
) -> Iterator[MetricDifference]:
    """Yield the differences with bootstrap intervals; where one side has corpus scores only systems are drawn."""
    best, level = known[0], known[0].level
    for number, other in enumerate(known[1:], 2):
        corpus = level == "system" and (other.corpus or best.corpus)
        three = (scores[0], scores[number], scores[1])
        tables = [_system_scores(s, scores[0]) if corpus else orient_values(s) for s in three]
        difference = stats.metric_difference(
            *(tables[0], tables[1], tables[2]),
            level=level,
            method=best.method,
            over="systems" if corpus else best.over or "both",
            confidence=best.confidence,
            resamples=resamples,
            seed=seed,
        )
        row = MetricDifference(other.metric, best.metric, level, *difference)
        few = level in ("system", "item") and len(scores[0].systems) < MIN_SYSTEMS
        yield replace(row, low=nan, high=nan) if few else row


def _system_scores(scores: Scores, human: Scores) -> Floats:
    """Return one score per system, as a column: the corpus score, or the mean over judged outputs."""
    h, m = level_tables(human, scores, "system")
    return m if scores is not human and scores.corpus is not None else stats.system_means(h, m)[1][:, None]
