"""Does a metric see the differences between systems that people see? Toutanova 2016, 4.3.2, and PDP."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.alignment import align_scores, orient_values
from ..data.result import Result
from ..data.scores import Floats, Scores


@dataclass(frozen=True, eq=False)
class DifferenceCorrelations(Result, question="correlation", kind="differences"):
    """Correlation of score differences, per pair of systems; `value` is their mean, `pooled` is PDP.

    `values` and `items` hold, for each of `pairs`, its correlation and the number of its items; `n` counts the pairs
    that have a correlation.
    """

    metric: str
    human: str
    pairs: tuple[tuple[str, str], ...]
    values: Floats
    items: NDArray[np.int64]
    value: float
    pooled: float
    n: int
    method: str


def differences(
    metric: Scores,
    human: Scores,
    *,
    method: str = "pearson",
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> DifferenceCorrelations:
    """Correlate m(A) - m(B) with h(A) - h(B) over items for each pair of systems, and once over all pairs and items.

    The pooled figure is Pearson over all ordered differences within items (pairwise difference Pearson, DiIanni and
    Deutsch 2025) whatever the method. Undefined pairs are NaN, with one UndefinedWarning, and left out of the mean.

    >>> human = Scores(np.array([[3.0, 2, 1, 3], [1, 2, 2, 1], [1, 1, 1, 2]]), tuple("ABC"), tuple("1234"), "human")
    >>> metric = Scores(human.values ** 2, human.systems, human.items, "m")
    >>> result = differences(metric, human)
    >>> result.pairs[0], round(float(result.values[0]), 3), round(result.pooled, 3)
    (('A', 'B'), 0.998, 0.99)
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    m, h = orient_values(ours), orient_values(theirs)
    correlations = stats.difference_correlations(h, m[None], method=method)
    values = correlations.values[0]
    defined = ~np.isnan(values)
    return DifferenceCorrelations(
        metric=metric.name,
        human=human.name,
        pairs=tuple((ours.systems[i], ours.systems[k]) for i, k in correlations.pairs),
        values=values,
        items=correlations.n[0],
        value=float(np.nanmean(values)) if defined.any() else float("nan"),
        pooled=stats.pooled_difference_pearson(h, m),
        n=int(defined.sum()),
        method=method,
    )
