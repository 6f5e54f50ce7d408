"""By how much does one metric correlate better with people than another? Differences from the best, with intervals."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.scores import Floats, Scores
from ..errors import UndefinedWarning
from ._correlation import Correlation
from ._inputs import FEWEST_SYSTEMS


@dataclass(frozen=True)
class MetricDifference:
    """The correlation of a metric less that of the best one, on the outputs that both scored, with its interval.

    The interval is NaN with fewer than 6 systems: the bootstrap draws the same few again and again.
    """

    kind: ClassVar[str] = "metric_difference"
    metric: str
    best: str
    level: str
    difference: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.high < 0 or self.low > 0


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
    """Return, level by level, how far each metric is below the best one, by a bootstrap over systems and items.

    Where one of the two is correlated by corpus scores, systems are drawn alone; the other has its mean over the items
    that people judged, as in its own correlation.
    """
    rows = []
    for level in dict.fromkeys(c.level for c in correlations):
        known = sorted((c for c in correlations if c.level == level and not isnan(c.value)), key=lambda c: -c.value)
        for other in known[1:]:
            best = known[0]
            scores = align_scores(human, metrics[other.metric], metrics[best.metric], systems=systems, without=without)
            corpus = level == "system" and (other.corpus or best.corpus)
            tables = [_system_scores(s, scores[0]) if corpus else orient_values(s) for s in scores]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)
                difference = stats.metric_difference(
                    tables[0],
                    tables[1],
                    tables[2],
                    level=level,
                    method=best.method,
                    over="systems" if corpus else best.over or "both",
                    confidence=best.confidence,
                    resamples=resamples,
                    seed=seed,
                )
            if level in ("system", "item") and len(scores[0].systems) < FEWEST_SYSTEMS:
                difference = (difference[0], nan, nan)
            rows.append(MetricDifference(other.metric, best.metric, level, *difference))
    return tuple(rows)


def _system_scores(scores: Scores, human: Scores) -> Floats:
    """Return one score per system, as a column: the corpus score, or the mean over judged outputs."""
    if scores.corpus is not None:
        return orient_means(scores)[:, None]
    judged = np.where(np.isnan(human.values), nan, orient_values(scores))
    count = (~np.isnan(judged)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = (np.nansum(judged, axis=1) / count)[:, None]
    return means
