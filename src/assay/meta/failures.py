"""On how many items does a metric fail? Peyrard et al. (2017), section 4.3 and Table 3."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import isnan, nan

from ..data._phrases import coefficient, number, percent
from ..data.alignment import align_scores
from ..data.result import Shown
from ..data.scores import Scores
from .correlate import correlations

THRESHOLDS: Mapping[str, float] = {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}  # section 4.3


@dataclass(frozen=True)
class Failures(Shown):
    """The share of items on which a metric correlates with people below a threshold, and which they are."""

    metric: str
    human: str
    method: str
    threshold: float
    value: float
    n: int
    undefined: int
    items: tuple[str, ...]

    def sentence(self) -> str:
        """The answer in words."""
        return (
            f"{self.metric} fails on {percent(self.value)} of {self.n} items: its {coefficient(self.method)} with "
            f"{self.human} is below {number(self.threshold)} there."
        )


def failures(
    metric: Scores,
    human: Scores,
    *,
    thresholds: Mapping[str, float] = THRESHOLDS,
    without: Collection[str] | None = None,
) -> dict[str, Failures]:
    """By method, the share of items below its threshold.

    The defaults are those of the paper: r < .65, rho < .55, NDCG < .85. An item without a correlation (fewer than
    three outputs, or all scored alike) is counted apart, not as a failure; none left: NaN.

    >>> import numpy as np
    >>> human = Scores(np.array([[1.0, 2], [2, 3], [3, 3]]), tuple("ABC"), tuple("12"), "human")
    >>> metric = Scores(np.array([[1.0, 3], [2, 2], [3, 1]]), tuple("ABC"), tuple("12"), "m")
    >>> found = failures(metric, human, thresholds={"pearson": 0.65})["pearson"]
    >>> found.value, found.items
    (0.5, ('2',))
    """
    ours, theirs = align_scores(metric, human, without=without)
    return {method: _failures(ours, theirs, method, threshold) for method, threshold in thresholds.items()}


def _failures(metric: Scores, human: Scores, method: str, threshold: float) -> Failures:
    by_item = correlations(metric, human, level="item", method=method)
    defined = {item: r for item, r in by_item.items() if not isnan(r)}
    below = tuple(item for item, r in defined.items() if r < threshold)
    return Failures(
        metric=metric.name,
        human=human.name,
        method=method,
        threshold=threshold,
        value=len(below) / len(defined) if defined else nan,
        n=len(defined),
        undefined=len(by_item) - len(defined),
        items=below,
    )
