"""Does a metric see the differences between systems that people see? Toutanova 2016, 4.3.2, and PDP."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from .. import stats
from ..data._phrases import coefficient, number, plural
from ..data.alignment import align_scores, orient_values
from ..data.result import Shown
from ..data.scores import Floats, Scores


@dataclass(frozen=True, eq=False)
class DifferenceCorrelations(Shown):
    """Correlation of score differences, per pair of systems; `value` is their mean, `pooled` is PDP."""

    metric: str
    human: str
    pairs: tuple[tuple[str, str], ...]
    values: Floats
    items: tuple[int, ...]
    value: float
    pooled: float
    method: str

    @property
    def n(self) -> int:
        """Pairs of systems with a correlation."""
        return int((~np.isnan(self.values)).sum())

    def sentence(self) -> str:
        """The answer in words."""
        return (
            f"Where two systems differ on an item, {self.metric} follows {self.human} at "
            f"{coefficient(self.method)} = {number(self.value)} on average over {plural(self.n, 'pair')} of systems "
            f"(pooled over pairs and items: {number(self.pooled)})."
        )


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
    >>> found = differences(metric, human)
    >>> found.pairs[0], round(float(found.values[0]), 3), round(found.pooled, 3)
    (('A', 'B'), 0.998, 0.99)
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    m, h = orient_values(ours), orient_values(theirs)
    found = stats.difference_correlations(h, m[None], method=method)
    values = found.values[0]
    return DifferenceCorrelations(
        metric=metric.name,
        human=human.name,
        pairs=tuple((ours.systems[i], ours.systems[k]) for i, k in found.pairs),
        values=values,
        items=tuple(found.n[0].tolist()),
        value=float(np.nanmean(values)) if (~np.isnan(values)).any() else float("nan"),
        pooled=stats.pooled_difference_pearson(h, m),
        method=method,
    )
