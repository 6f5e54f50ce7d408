"""Compare two systems: difference, effect size, share of items won, and how many items would decide it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan

import numpy as np

from ..data.alignment import orient_values
from ..data.result import Result
from ..data.scores import Scores
from ._power import items_needed
from .evidence import Evidence


@dataclass(frozen=True)
class PairComparison(Result, question="comparison", kind="pair"):
    """Two systems on the items that both have.

    `better` has the better score. `difference` is its lead, `effect` the lead in standard deviations of the item
    differences; `won`, `tied` and `lost` are shares of items. `needed` is the number of items at which the test would
    find this effect with power 0.8; `raters_needed` the number of raters at least, where ratings were tested and with
    the raters at hand no number of items is enough; `unnoticed` says that the lead is smaller than what people notice.
    """

    metric: str
    better: str
    worse: str
    scores: tuple[float, float]
    difference: float
    effect: float
    won: float
    tied: float
    lost: float
    n: int
    pvalue: float
    sacrebleu: float  # p by sacreBLEU's formula, where corpus scores are resampled
    adjusted: float
    significant: bool
    against_ranks: bool  # the means favour one system, the test's own statistic the other
    test: str
    tests: int
    alpha: float
    needed: float
    notice: float | None
    raters: int = 0  # whose ratings were tested
    raters_needed: float = nan

    @property
    def value(self) -> float:
        """The difference of the scores."""
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
    evidence: Evidence,
    i: int,
    k: int,
    *,
    adjusted: float,
    tests: int,
    alpha: float,
    notice: float | None,
) -> PairComparison:
    """Compare systems i and k, given the evidence on all."""
    if evidence.lead[i, k] < 0:
        i, k = k, i
    values = orient_values(scores)
    differences = (values[i] - values[k])[~np.isnan(values[i] - values[k])]
    lead, effect = float(evidence.lead[i, k]), float(evidence.effect[i, k])
    against = bool(evidence.favours[i, k] < 0)
    significant = bool(adjusted <= alpha) and not against
    settled = significant or effect == inf
    n = len(differences)
    needed, raters_needed = _count_needed(evidence, i, k, alpha / tests, n) if not settled else (float(n), nan)
    return PairComparison(
        metric=scores.name,
        better=scores.systems[i],
        worse=scores.systems[k],
        scores=_pair_scores(scores, evidence, i, k),
        difference=lead if scores.higher_is_better else -lead,
        effect=effect,
        won=_share(differences > 0),
        tied=_share(differences == 0),
        lost=_share(differences < 0),
        n=n,
        pvalue=float(evidence.pvalue[i, k]),
        sacrebleu=nan if evidence.sacrebleu is None else float(evidence.sacrebleu[i, k]),
        adjusted=adjusted,
        significant=significant,
        against_ranks=against,
        test=evidence.test,
        tests=tests,
        alpha=alpha,
        needed=needed,
        notice=notice,
        raters=0 if evidence.basis is None else round(evidence.basis.design.raters),
        raters_needed=raters_needed,
    )


def _count_needed(evidence: Evidence, i: int, k: int, alpha: float, n: int) -> tuple[float, float]:
    """Return how many items would show the difference, and how many raters it takes where no number would."""
    if evidence.basis is None or np.isnan(evidence.lead[i, k]):
        return items_needed(float(evidence.effect[i, k]), alpha=alpha, test=evidence.test), nan
    return evidence.basis.count_needed(float(evidence.lead[i, k]), alpha)


def _pair_scores(scores: Scores, evidence: Evidence, i: int, k: int) -> tuple[float, float]:
    """Return the scores of both on the items that both have; where none is missing, those of the table."""
    common = ~np.isnan(scores.values[i] - scores.values[k])
    if np.array_equal(common, ~np.isnan(scores.values[i])) and np.array_equal(common, ~np.isnan(scores.values[k])):
        return float(evidence.scores[i]), float(evidence.scores[k])
    if not common.any():
        return nan, nan
    statistics = scores.statistics if evidence.sacrebleu is not None else None
    if statistics is None:
        return float(scores.values[i][common].mean()), float(scores.values[k][common].mean())
    first, second = statistics.select([i, k], np.flatnonzero(common).tolist()).scores().tolist()
    return first, second


def _share(which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    return float(which.mean()) if len(which) else nan
