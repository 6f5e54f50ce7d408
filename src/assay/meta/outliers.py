"""Outliers: systems so far from the rest that they alone make a high correlation (Mathur et al. 2020, section 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import ClassVar

import numpy as np

from ..data.alignment import align_scores
from ..data.result import Result
from ..data.scores import Scores
from ._correlation import correlate_metric
from ._inputs import leaked_left_out, people_left_out, refuse_no_metric, signatures_of

THRESHOLD = 2.5  # of |mean - median| / (1.483 MAD), as in the paper
FEWEST = 10  # systems; with fewer, the median deviation says too little
_CONSISTENT = 1.483  # makes the median absolute deviation a standard deviation for normal scores


@dataclass(frozen=True)
class OutlierSystem:
    """A system far from the others: its mean human score, and its distance from the median in deviations."""

    kind: ClassVar[str] = "outlier"
    system: str
    mean: float
    deviation: float


@dataclass(frozen=True)
class OutlierEffect:
    """A metric's correlation with people over all systems, and over those that are no outliers."""

    kind: ClassVar[str] = "outlier_effect"
    metric: str
    value: float
    without: float


@dataclass(frozen=True)
class Outliers(Result, question="outliers", kind="outliers", shared=("human", "method")):
    """The outliers among the systems, and what metrics correlate with and without them."""

    human: str
    method: str
    systems: tuple[OutlierSystem, ...]
    effects: tuple[OutlierEffect, ...]
    n: int
    threshold: float
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()


def find_outliers(human: Scores, *, threshold: float = THRESHOLD) -> tuple[OutlierSystem, ...]:
    """Find systems whose mean human score is more than `threshold` median absolute deviations from the median.

    Fewer than 10 systems, or no deviation: none.

    >>> means = [0.1, 0.2, 0.15, 0.12, 0.18, 0.16, 0.14, 0.11, 0.19, -2.0]
    >>> scores = Scores(np.array(means)[:, None], tuple("ABCDEFGHIJ"), ("1",), "quality")
    >>> [(o.system, round(o.deviation, 1)) for o in find_outliers(scores)]
    [('J', -41.3)]
    """
    means = {s: m for s, m in zip(human.systems, human.means().tolist(), strict=True) if not isnan(m)}
    values = np.array(list(means.values()))
    if len(values) < FEWEST:
        return ()
    median = float(np.median(values))
    deviation = _CONSISTENT * float(np.median(np.abs(values - median)))
    if deviation == 0:
        return ()
    distances = {system: (mean - median) / deviation for system, mean in means.items()}
    far = [OutlierSystem(s, means[s], d) for s, d in distances.items() if abs(d) > threshold]
    return tuple(sorted(far, key=lambda outlier: -abs(outlier.deviation)))


def measure_outliers(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    method: str = "pearson",
    threshold: float = THRESHOLD,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Outliers:
    """Correlate metrics with people at system level, with outliers and without."""
    refuse_no_metric(metrics)
    named = {name: replace(scores, name=name) for name, scores in metrics.items()}
    aligned = align_scores(human, *named.values(), systems=systems, without=without)
    outliers = find_outliers(aligned[0], threshold=threshold)
    rest = [s for s in aligned[0].systems if s not in {o.system for o in outliers}]
    effects = []
    for name, scores in zip(named, aligned[1:], strict=True):
        value, inliers = (
            correlate_metric(
                scores, aligned[0], level="system", method=method, interval=None, systems=subset, without=()
            ).value
            for subset in (list(aligned[0].systems), rest)
        )
        effects.append(OutlierEffect(name, value, inliers))
    return Outliers(
        human=human.name,
        method=method,
        systems=outliers,
        effects=tuple(sorted(effects, key=lambda e: (isnan(e.without), -e.without))),
        n=len(aligned[0].systems),
        threshold=threshold,
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
    )
