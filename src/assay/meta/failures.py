"""On how many items does a metric fail? Peyrard et al. (2017), section 4.3 and Table 3."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

from ..data.alignment import align_scores
from ..data.result import Result
from ..data.scores import Scores
from ._correlation import item_correlations

THRESHOLDS: Mapping[str, float] = {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}  # section 4.3


@dataclass(frozen=True)
class Failures(Result, question="correlation", kind="failures"):
    """The share of items on which a metric correlates with people below a threshold, and which they are."""

    metric: str
    human: str
    method: str
    threshold: float
    value: float
    n: int
    undefined: int
    items: tuple[str, ...]


def failures(
    metric: Scores,
    human: Scores,
    *,
    thresholds: Mapping[str, float] = THRESHOLDS,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> dict[str, Failures]:
    """Return, by method, the share of items below its threshold.

    The defaults are those of the paper: r < .65, rho < .55, NDCG < .85. An item without a correlation (fewer than
    three outputs, or all scored alike) is counted apart, not as a failure; none left: NaN.

    >>> import numpy as np
    >>> human = Scores(np.array([[1.0, 2], [2, 3], [3, 3]]), tuple("ABC"), tuple("12"), "human")
    >>> metric = Scores(np.array([[1.0, 3], [2, 2], [3, 1]]), tuple("ABC"), tuple("12"), "m")
    >>> result = failures(metric, human, thresholds={"pearson": 0.65})["pearson"]
    >>> result.value, result.items
    (0.5, ('2',))
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    return {method: _failures(ours, theirs, method, threshold) for method, threshold in thresholds.items()}


def _failures(metric: Scores, human: Scores, method: str, threshold: float) -> Failures:
    by_item = item_correlations(metric, human, level="item", method=method, without=())  # aligned already
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
