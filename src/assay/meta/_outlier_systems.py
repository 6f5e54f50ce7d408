"""Systems so far from the rest by people's scores that they alone can make a high correlation (Mathur et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import ClassVar

import numpy as np

from ..data.scores import Scores
from .minimums import MIN_FOR_OUTLIERS

OUTLIER_THRESHOLD = 2.5  # of |mean - median| / (1.483 MAD), as in the paper
_CONSISTENT = 1.483  # makes the median absolute deviation a standard deviation for normal scores


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
