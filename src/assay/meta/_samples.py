"""What random samples of items or references say, by their size: the Result of `stability`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.result import Result
from ..data.scores import Floats, Scores
from ._correlation import correlate_metric, level_tables


@dataclass(frozen=True)
class SampledCorrelation:
    """Correlations of random samples of one size: mean, standard deviation and central 95%."""

    kind: ClassVar[str] = "sampled_correlation"
    size: int
    mean: float
    sd: float
    low: float
    high: float
    draws: int


@dataclass(frozen=True)
class Stability(Result, question="stability", kind="stability", shared=("what", "metric", "human")):
    """Correlation by the size of the sample: of items, of references, or of two disjoint halves of the items.

    `actual` is with all there is, `resampled` that with systems drawn anew. `smallest` is the smallest size with a mean
    correlation is within `tolerance` of all, None if none is. `anova` tests whether the sizes differ in their means
    (None where there are fewer than two).
    """

    what: str
    metric: str
    human: str
    sizes: tuple[SampledCorrelation, ...]
    actual: float
    resampled: SampledCorrelation | None
    smallest: int | None
    tolerance: float
    anova: stats.Anova | None
    method: str
    draws: int
    seed: int
    outliers: tuple[str, ...] = ()
    without_outliers: float = nan  # `actual` over the systems that are not outliers by people

    @property
    def n(self) -> int:
        """The largest size: how many there are in all."""
        return self.sizes[-1].size

    @property
    def value(self) -> float:
        """The correlation with all there is."""
        return self.actual


def summarize_samples(
    what: str,
    metric: Scores,
    human: Scores,
    groups: Mapping[int, Floats],
    method: str,
    draws: int,
    tolerance: float,
    seed: int,
) -> Stability:
    """Return the stability from correlations by size; with all there is it is that of `correlate`."""
    actual, resampled, without_outliers = nan, None, nan
    outliers: tuple[str, ...] = ()
    if what != "halves":
        whole = correlate_metric(metric, human, method=method, interval=None, without=())
        actual, outliers, without_outliers = whole.value, whole.outliers, whole.without_outliers
        h, m = level_tables(human, metric, "system")
        bootstrap = stats.bootstrap_stack(h, m[None], method=method, over="systems", resamples=draws, seed=seed)
        resampled = _summarize(max(groups), bootstrap.samples[:, 0])
    sizes = tuple(_summarize(size, values) for size, values in groups.items())
    near = [s.size for s in sizes if s.mean >= actual - tolerance]
    varying = [values for values in groups.values() if np.nanmax(values, initial=-2) > np.nanmin(values, initial=2)]
    if resampled is not None:
        varying = [*varying, bootstrap.samples[:, 0]]
    return Stability(
        what=what,
        metric=metric.name,
        human=human.name,
        sizes=sizes,
        actual=actual,
        resampled=resampled,
        smallest=min(near, default=None),
        tolerance=tolerance,
        anova=stats.anova(varying) if len(varying) > 1 else None,
        method=method,
        draws=draws,
        seed=seed,
        outliers=outliers,
        without_outliers=without_outliers,
    )


def _summarize(size: int, values: Floats) -> SampledCorrelation:
    some = values[~np.isnan(values)]
    if not len(some):
        return SampledCorrelation(size, nan, nan, nan, nan, 0)
    low, high = (float(v) for v in np.percentile(some, [2.5, 97.5]))
    return SampledCorrelation(size, float(some.mean()), float(some.std()), low, high, len(some))
