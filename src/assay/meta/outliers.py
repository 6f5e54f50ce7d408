"""Outliers: systems so far from the rest that they alone make a high correlation (Mathur et al. 2020, section 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import ClassVar

from ..data.alignment import align_scores
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Scores
from ._correlation import OutlierSystem, correlate_metric, find_outliers
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from .minimums import OUTLIER_THRESHOLD


@dataclass(frozen=True)
class OutlierEffect:
    """A metric's correlation with people over all systems, and over those that are not outliers."""

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
    copies: tuple[SystemCopy, ...] = ()


def measure_outliers(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    method: str = "pearson",
    threshold: float = OUTLIER_THRESHOLD,
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
        copies=copies_left_out((human, *metrics.values()), systems, without),
    )
