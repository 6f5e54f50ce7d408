"""Compare two systems: difference, effect size, share of items won, and how many items would decide it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, isnan

import numpy as np

from ..data.alignment import orient_values
from ..data.result import Result
from ..data.scores import Scores
from ._power import items_needed


@dataclass(frozen=True)
class PairComparison(Result, question="comparison", kind="pair"):
    """Two systems on the items that both have.

    `better` has the better mean. `difference` is its lead, `effect` the lead in standard deviations of the item
    differences; `won`, `tied` and `lost` are shares of items. `needed` is the number of items at which the test would
    find this effect with power 0.8; `unnoticed` says that the lead is smaller than what people notice.
    """

    metric: str
    better: str
    worse: str
    means: tuple[float, float]
    difference: float
    effect: float
    won: float
    tied: float
    lost: float
    n: int
    pvalue: float
    adjusted: float
    significant: bool
    against_ranks: bool  # the means favour one system, the test's own statistic the other
    test: str
    tests: int
    alpha: float
    needed: float
    notice: float | None

    @property
    def value(self) -> float:
        """The difference of means."""
        return self.difference

    @property
    def unnoticed(self) -> bool:
        """The difference is smaller than what people notice."""
        return self.notice is not None and abs(self.difference) < self.notice

    @property
    def further(self) -> float:
        """The number of items needed beyond those there are."""
        return max(self.needed - self.n, 0) if isfinite(self.needed) else self.needed


def compare_pair(
    scores: Scores,
    i: int,
    k: int,
    *,
    pvalue: float,
    adjusted: float,
    ranks: float,
    test: str,
    alpha: float,
    tests: int,
    notice: float | None,
) -> PairComparison:
    """Compare systems i and k, given their test; the sign of `ranks` says which one the test's statistic favours."""
    values = orient_values(scores)
    both = ~np.isnan(values[i] - values[k])
    d = (values[i] - values[k])[both]
    if len(d) and d.mean() < 0:
        i, k, d, ranks = k, i, -d, -ranks
    n, mean = len(d), float(d.mean()) if len(d) else float("nan")
    sd = float(d.std(ddof=1)) if n > 1 else float("nan")
    effect = sd if isnan(sd) else mean / sd if sd > 1e-13 * abs(mean) else inf if mean else 0.0
    against = ranks < 0
    significant = bool(adjusted <= alpha) and not against
    settled = significant or effect == inf
    needed = float(n) if settled else items_needed(effect, alpha=alpha / tests, test=test)
    return PairComparison(
        metric=scores.name,
        better=scores.systems[i],
        worse=scores.systems[k],
        means=(_mean(scores, i, both), _mean(scores, k, both)),
        difference=mean if scores.higher_is_better else -mean,
        effect=effect,
        won=_share(d > 0),
        tied=_share(d == 0),
        lost=_share(d < 0),
        n=n,
        pvalue=pvalue,
        adjusted=adjusted,
        significant=significant,
        against_ranks=against,
        test=test,
        tests=tests,
        alpha=alpha,
        needed=needed,
        notice=notice,
    )


def _mean(scores: Scores, i: int, both: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    return float(scores.values[i][both].mean()) if both.any() else float("nan")


def _share(which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    return float(which.mean()) if len(which) else float("nan")
