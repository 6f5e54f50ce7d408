"""Is one system better than another? Difference, effect size, share of items won, and what would settle it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, isnan

import numpy as np

from ..data._phrases import number, percent, plural, pvalue
from ..data.alignment import orient_values
from ..data.result import Shown
from ..data.scores import Scores
from ._power import items_needed


@dataclass(frozen=True)
class PairComparison(Shown):
    """Two systems on the items that both have.

    `better` has the better mean. `difference` is its lead, `effect` the lead in standard deviations of the item
    differences, `won`, `tied` and `lost` shares of items. `needed` is the number of items at which the test would find
    this effect four times out of five (see `power`); `unnoticed` that people cannot be counted on to see the lead.
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
    against_ranks: bool
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
        """Items still needed, beyond those there are."""
        return max(self.needed - self.n, 0) if isfinite(self.needed) else self.needed

    def sentence(self) -> str:
        """The answer in words."""
        if isnan(self.pvalue):
            return f"{self.better} and {self.worse} cannot be compared by {self.metric}: {self._why()}."
        if self.difference == 0:
            return f"{self.better} and {self.worse} have the same {self.metric} ({number(self.means[0])}, {self._n()})."
        if self.significant:
            return self._found()
        return (
            f"It is open whether {self.better} is better than {self.worse} by {self.metric}: {self._numbers()}. "
            + self._outlook()
        )

    def _found(self) -> str:
        lead = f"{self.better} is better than {self.worse} by {self.metric}: {self._numbers()}."
        if self.unnoticed and self.notice is not None:
            lead += (
                f" But {number(abs(self.difference))} is less than the {number(self.notice)} from which people agree "
                "with this metric: they may not see it."
            )
        return lead

    def _numbers(self) -> str:
        shares = f"{self.better} ahead on {percent(self.won)}" + (
            f", tied on {percent(self.tied)}" if self.tied else ""
        )
        return (
            f"{number(self.means[0])} against {number(self.means[1])} ({pvalue(self.adjusted)}, {self._n()}, {shares})"
        )

    def _outlook(self) -> str:
        if self.against_ranks:
            return f"The means favour {self.better}, the items one by one favour {self.worse}."
        if not isfinite(self.needed):
            return "There is no effect to plan with."
        if self.further == 0:
            return "As many items again may settle it: an effect like this shows four times out of five in as many."
        return (
            f"If the effect is what it seems ({number(self.effect)} deviations), about {self.further:,.0f} more items "
            "would show it."
        )

    def _n(self) -> str:
        return plural(self.n, "item")

    def _why(self) -> str:
        if self.n == 0:
            return "they have no item in common"
        return f"the {self.test} test is undefined on {self._n()}" + (" without spread" if self.n > 1 else "")


def measured(
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
    """The result of systems i and k, given their test; `ranks` says which side the test's own statistic favours."""
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
