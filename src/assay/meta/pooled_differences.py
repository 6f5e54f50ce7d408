"""Do metrics see the differences between outputs of one item? For sets of many authors with few outputs each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_values
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Scores
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from .dominate import comparable_pairs


@dataclass(frozen=True)
class PooledMetric:
    """One metric: the correlation of all differences within items, and the share of pairs in people's order.

    A tie of the metric counts as half a pair. `difference` is from the best metric, with its interval and two-sided
    p-value over items.
    """

    kind: ClassVar[str] = "pooled_metric"
    metric: str
    value: float
    low: float
    high: float
    agreement: float
    agreement_low: float
    agreement_high: float
    difference: float
    difference_low: float
    difference_high: float
    pvalue: float


@dataclass(frozen=True)
class PooledDifferences(Result, question="pooled_differences", kind="pooled_differences", shared=("human",)):
    """Metrics by the correlation of all score differences within items, the best first.

    `systems` are those with a judged output, `pairs` the pairs of outputs of an item that people put in an order.
    `comparable` counts the pairs of systems with enough items in common to be compared alone, of `system_pairs`.
    """

    human: str
    ranking: tuple[PooledMetric, ...]
    systems: int
    items: int
    outputs: int
    pairs: int
    comparable: int
    system_pairs: int
    confidence: float
    resamples: int
    seed: int
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()


def pool_differences(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> PooledDifferences:
    """Correlate the score differences of all pairs of outputs within items, pooled over items, with people's.

    It does not matter which systems the outputs are of, so no two need to share more than one item. Intervals draw
    items with all their outputs; those of differences between metrics, and their tests, also count what outputs of one
    system have in common (`stats.pooled_differences`).

    >>> rng = np.random.default_rng(0)
    >>> h = np.where(rng.random((40, 60)) < 0.1, rng.normal(size=(40, 60)), np.nan)
    >>> names, ids = tuple(f"author{i}" for i in range(40)), tuple(map(str, range(60)))
    >>> metric = Scores(h + 0.5 * rng.normal(size=h.shape), names, ids, "m")
    >>> result = pool_differences({"m": metric}, Scores(h, names, ids, "meaning"))
    >>> round(result.ranking[0].value, 2), result.comparable
    (0.87, 7)
    """
    refuse_no_metric(metrics)
    people, *ours = align_scores(human, *metrics.values(), systems=systems, without=without)
    table = np.stack([orient_values(s) for s in ours])
    pooled = stats.pooled_differences(
        orient_values(people), table, confidence=confidence, resamples=resamples, seed=seed
    )
    known = [k for k, value in enumerate(pooled.values.tolist()) if not isnan(value)]
    best = max(known, key=lambda k: pooled.values[k], default=0)
    rows = [_row(name, pooled, k, best) for k, name in enumerate(metrics)]
    comparable, pairs = comparable_pairs(people)
    return PooledDifferences(
        human=human.name,
        ranking=tuple(sorted(rows, key=lambda row: (isnan(row.value), -row.value))),
        systems=len(people.systems),
        items=pooled.items,
        outputs=pooled.outputs,
        pairs=pooled.pairs,
        comparable=comparable,
        system_pairs=pairs,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
        copies=copies_left_out((human, *metrics.values()), systems, without),
    )


def _row(name: str, pooled: stats.PooledStack, k: int, best: int) -> PooledMetric:
    tail = 50 * (1 - pooled.confidence)
    drawn = pooled.agreement_samples[:, k]
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.percentile(drawn, [tail, 100 - tail]).tolist() if len(drawn) else (np.nan, np.nan)
    return PooledMetric(
        name,
        float(pooled.values[k]),
        float(pooled.low[k]),
        float(pooled.high[k]),
        float(pooled.agreements[k]),
        low,
        high,
        *pooled.compare(k, best),
    )
