"""Compare two systems: difference with its interval, effect size, share of items won, and what would decide it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from ..data.alignment import orient_values
from ..data.facets import repeated_item
from ..data.minimums import MINIMUMS
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..data.statement import Claim, Statement
from ..stats.contrasts import MIN_COMMON
from ._power import detectable_by_deviation, detectable_by_error, items_by_error, items_needed
from .evidence import ITEM_TESTS, Evidence


@dataclass(frozen=True)
class PairComparison(Result, question="comparison", kind="pair"):
    """Two systems, by all the scores of both.

    `better` has the better score. `difference` is its lead, from `low` to `high`: an interval that is simultaneous with
    those of the other pairs, at the level of the test; `significant`, `adjusted` <= alpha and an interval without 0 are
    the same. `step_down` is Holm's p-value, which has no interval. `effect` is the lead in standard deviations of the
    item differences; `won`, `tied` and `lost` are shares of the `n` items that both have, of the `items` of each, which
    are repeats of `inputs` different ones and were drawn in `clusters`.
    `carried_by` is the number of units (items; of corpus scores in clusters, clusters) without which there would be no
    difference. `detectable` is the difference that the test finds with power 0.8 with the items at hand; `needed` the
    number of items at which it would find the difference that people notice, NaN where none is given, and
    `raters_needed` the number of raters at least, where ratings were tested and with the raters at hand no number of
    items is enough. `unnoticed` says that the lead is smaller than what people notice.
    """

    metric: str
    better: str
    worse: str
    scores: tuple[float, float]
    difference: float
    low: float
    high: float
    error: float
    effect: float
    won: float
    tied: float
    lost: float
    n: int
    items: tuple[int, int]
    inputs: int
    clusters: int
    pvalue: float
    sacrebleu: float  # p by sacreBLEU's formula, where corpus scores are resampled
    adjusted: float
    step_down: float
    significant: bool
    against_ranks: bool  # the means favour one system, the test's own statistic the other
    carried_by: int | None
    units: int
    test: str
    tests: int
    alpha: float
    detectable: float
    needed: float
    notice: float | None
    raters: int = 0  # of the tested ratings
    raters_needed: float = nan
    judges: str = ""

    def statements(self) -> tuple[Statement, ...]:
        """Say whether one is better; with too few clusters, or items on which they differ, that there is too little."""
        turned = self.difference < 0
        low, high = (-self.high, -self.low) if turned else (self.low, self.high)
        own = min(self.clusters, *self.items)  # of the system that has fewer
        counts = {
            "items": own if self.clusters == self.inputs else self.inputs,
            "clusters": own,
            **({"raters": self.raters} if self.raters else {}),
        }
        minimum = MINIMUMS["comparison"]
        if self.test in ("shares", "mcnemar"):
            counts["discordant pairs"] = round((1 - self.tied) * self.n) if self.n else 0
            minimum = MINIMUMS["pass/fail"]
        claim: Claim = "better" if self.significant else "not shown to differ"
        if isnan(self.pvalue):
            few = own > 0 and not isnan(self.difference) and minimum.lacks(counts)
            claim = "too little evidence" if few else "undefined"
        elif self.difference == 0:
            claim = "equal"
        statement = Statement(
            claim,
            (self.better,),
            (self.worse,),
            self.metric,
            estimand="lead",
            estimate=abs(self.difference),
            low=low,
            high=high,
            confidence=1 - self.alpha,
            test=self.test,
            p=self.adjusted,
            counts=counts,
            higher_is_better=not turned,
            judges=self.judges,
        )
        if claim in ("equal", "undefined"):
            return (statement,)
        weighed = statement.hold_to(MINIMUMS["comparison"])
        return (weighed.hold_to(minimum) if weighed.enough else weighed,)

    @property
    def value(self) -> float:
        """The difference of the scores."""
        return self.difference

    @property
    def unnoticed(self) -> bool:
        """The difference is smaller than what people notice."""
        return self.notice is not None and abs(self.difference) < self.notice

    @property
    def shares_few(self) -> bool:
        """The two have too few items in common to look at single ones."""
        return self.n < min(MIN_COMMON, *self.items)

    @property
    def carried_by_few(self) -> bool:
        """A tenth of the items or fewer carry the difference."""
        return self.carried_by is not None and 10 * self.carried_by <= self.units


def compare_pair(
    scores: Scores,
    evidence: Evidence,
    i: int,
    k: int,
    *,
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
    significant = bool(evidence.better[i, k])
    items = tuple(int((~np.isnan(values[s])).sum()) for s in (i, k))
    needed, raters_needed = _count_needed(evidence, i, k, notice, differences, alpha=alpha / tests, n=sum(items) / 2)
    carried_by, units = _count_carriers(evidence.units[i], evidence.units[k])
    low, high = float(evidence.lead_low[i, k]), float(evidence.lead_high[i, k])
    return PairComparison(
        metric=scores.name,
        better=scores.systems[i],
        worse=scores.systems[k],
        scores=_pair_scores(scores, evidence, i, k),
        difference=lead if scores.higher_is_better else -lead,
        low=low if scores.higher_is_better else -high,
        high=high if scores.higher_is_better else -low,
        error=float(evidence.error[i, k]),
        effect=effect,
        won=_share(differences > 0),
        tied=_share(differences == 0),
        lost=_share(differences < 0),
        n=len(differences),
        items=(items[0], items[1]),
        inputs=_count_inputs(scores, i, k),
        clusters=_count_labels(scores, i, k),
        pvalue=float(evidence.pvalue[i, k]),
        sacrebleu=nan if evidence.sacrebleu is None else float(evidence.sacrebleu[i, k]),
        adjusted=float(evidence.adjusted[i, k]),
        step_down=float(evidence.step_down[i, k]),
        significant=significant,
        against_ranks=bool(evidence.favours[i, k] < 0),
        carried_by=carried_by,
        units=units,
        test=evidence.test,
        tests=tests,
        alpha=alpha,
        detectable=_find_detectable(evidence, i, k, differences, alpha / tests),
        needed=needed,
        notice=notice,
        raters=0 if evidence.basis is None else round(evidence.basis.design.raters),
        raters_needed=raters_needed,
        judges=scores.judges,
    )


def _find_detectable(evidence: Evidence, i: int, k: int, differences: Floats, alpha: float) -> float:
    """Return the difference that the test finds with power 0.8; NaN of a test that resamples corpus scores."""
    error, critical = float(evidence.error[i, k]), float(evidence.critical[i, k])
    if not isnan(critical):
        return detectable_by_error(error, critical)
    if evidence.test not in ITEM_TESTS:
        return nan
    return detectable_by_deviation(_deviate(differences), len(differences), alpha=alpha, test=evidence.test)


def _count_needed(
    evidence: Evidence, i: int, k: int, notice: float | None, differences: Floats, *, alpha: float, n: float
) -> tuple[float, float]:
    """Return how many items find the difference that people notice, and how many raters where no number would."""
    if not notice:
        return nan, nan
    needed, raters = _solve_needed(evidence, i, k, notice, differences, alpha=alpha, n=n)
    return max(needed, float(MINIMUMS["comparison"].counts["clusters"])), raters  # NaN stays


def _solve_needed(
    evidence: Evidence, i: int, k: int, notice: float, differences: Floats, *, alpha: float, n: float
) -> tuple[float, float]:
    if evidence.basis is not None:
        return evidence.basis.count_needed(notice, alpha)
    error, critical = float(evidence.error[i, k]), float(evidence.critical[i, k])
    if not isnan(critical):
        return items_by_error(n, notice, error, critical), nan
    deviation = _deviate(differences)
    if evidence.test not in ITEM_TESTS or not deviation > 0:
        return nan, nan
    return items_needed(notice / deviation, alpha=alpha, test=evidence.test), nan


def _deviate(differences: Floats) -> float:
    return float(differences.std(ddof=1)) if len(differences) > 1 else nan


def _count_inputs(scores: Scores, i: int, k: int) -> int:
    """Count the items of both, repeats of one as one."""
    used = np.flatnonzero(~np.isnan(scores.values[[i, k]]).all(axis=0)).tolist()
    if scores.runs is None:
        return len(used)
    return len({repeated_item(scores.items[c], scores.runs[c]) for c in used})


def _count_labels(scores: Scores, i: int, k: int) -> int:
    """Count the clusters that the items of both were drawn in."""
    if scores.clusters is None:
        return _count_inputs(scores, i, k)
    used = np.flatnonzero(~np.isnan(scores.values[[i, k]]).all(axis=0)).tolist()
    return len({scores.clusters[c] for c in used})


def _count_carriers(first: Floats, second: Floats) -> tuple[int | None, int]:
    """Return the least number of units without which the lead of the first would be gone, of how many.

    Of two systems with the same units it is exact: the largest differences are left out. Else each score counts by how
    far it moves the mean of its system.

    >>> _count_carriers(np.array([9.0, 0, 1, 0, 0]), np.array([0.0, 1, 0, 1, 1]))
    (1, 5)
    """
    there, other = ~np.isnan(first), ~np.isnan(second)
    if not there.any() or not other.any():
        return None, 0
    if np.array_equal(there, other):
        moves = (first - second)[there]
        lead = float(moves.sum())
    else:
        moves = np.nan_to_num((first - first[there].mean()) / there.sum())
        moves = moves - np.nan_to_num((second - second[other].mean()) / other.sum())
        moves = moves[there | other]
        lead = float(first[there].mean() - second[other].mean())
    if not lead > 0:
        return None, len(moves)
    sums = np.cumsum(-np.sort(-moves))
    enough = sums >= lead * (1 - 1e-12)
    return (int(enough.argmax()) + 1 if enough.any() else len(moves)), len(moves)


def _pair_scores(scores: Scores, evidence: Evidence, i: int, k: int) -> tuple[float, float]:
    """Return the scores of both: those of the table, or where a test looks at common items only, on these."""
    common = ~np.isnan(scores.values[i] - scores.values[k])
    whole = all(np.array_equal(common, ~np.isnan(scores.values[s])) for s in (i, k))
    if whole or not np.isnan(evidence.critical[i, k]):
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
