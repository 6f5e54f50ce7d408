"""Compare systems that people ranked: worths by Plackett-Luce or, for pairs, Bradley-Terry, with tests and groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.rankings import Rankings
from ..data.result import Result
from ..data.scores import Floats
from ..errors import InputError, UnknownName
from ._groups import adjust_row, group_systems, square_matrix


@dataclass(frozen=True)
class RankedWorth:
    """One system: its worth, the chance to be put first of all if none tie; its mean rank where all were ranked."""

    kind: ClassVar[str] = "worth"
    system: str
    worth: float
    low: float
    high: float
    mean_rank: float
    n: int
    group: int


@dataclass(frozen=True)
class WorthPair:
    """Two systems: how often the better is put above the other, of the times that they do not tie."""

    kind: ClassVar[str] = "worth_pair"
    better: str
    worse: str
    preference: float
    low: float
    high: float
    pvalue: float
    adjusted: float
    significant: bool


@dataclass(frozen=True)
class RankingComparison(Result, question="comparison", kind="ranking", shared=("metric",)):
    """Systems from best to worst by rankings, with tests of each against the reference and against the next.

    The reference is the best system, or the baseline if one is given. `groups` are made from the top: a new group
    begins where a system is significantly worse than a member of the group above. `unranked` are systems that nobody
    ranked. `tied` and `partial` count the rankings with ties and those that lack a system; `undefined` the resamples
    in which some systems were not ranked together.
    """

    metric: str
    model: str
    ranking: tuple[RankedWorth, ...]
    reference: str
    baseline: bool
    pairs: tuple[WorthPair, ...]
    groups: tuple[tuple[str, ...], ...]
    unranked: tuple[str, ...]
    alpha: float
    confidence: float
    tests: int
    rankings: int
    items: int
    raters: int
    tied: int
    partial: int
    prior: float
    resamples: int
    undefined: int
    seed: int | None

    def pair(self, first: str, second: str) -> WorthPair:
        """Return the test of two systems; those of the reference and of neighbours are kept."""
        return next(p for p in self.pairs if {p.better, p.worse} == {first, second})

    @property
    def neighbours(self) -> tuple[WorthPair, ...]:
        """Each system's test against the next in the ranking."""
        return tuple(self.pair(a.system, b.system) for a, b in pairwise(self.ranking))


def compare_rankings(
    rankings: Rankings,
    baseline: str | None = None,
    *,
    prior: float = 0.5,
    alpha: float = 0.05,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] = (),
) -> RankingComparison:
    """Order systems by how people ranked them; ties and rankings of some of the systems are used as they are.

    Worths are fitted as in `stats.plackett_luce`, with its weak prior. Items are resampled, not rankings: those of one
    item are not independent. Two systems are compared by the difference of their log worths over its bootstrap
    standard error (t with items - 1 degrees of freedom); no p-value is below 2^(1 - items), that of a sign test if all
    items agree. p-values are adjusted by Holm's method over the pairs of systems.

    >>> order = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3], [1, 2, 2], [1, 2, 3.0]])
    >>> result = compare_rankings(Rankings(order, tuple("ABC"), tuple("123456"), ("ann",) * 6, "rank"))
    >>> [row.system for row in result.ranking], result.model, result.tied
    (['A', 'B', 'C'], 'Plackett-Luce', 1)
    """
    selection = [s for s in (rankings.systems if systems is None else systems) if s not in set(without)]
    for name in selection:
        if name not in rankings.systems:
            raise UnknownName("system", name, rankings.systems)
    ours = rankings.select(selection)
    if len(ours.systems) < 2:
        raise InputError(f"no rater ranked two of the systems by {rankings.dimension!r}")
    if baseline is not None and baseline not in ours.systems:
        raise UnknownName("baseline system", baseline, ours.systems)
    fit = stats.plackett_luce(
        ours.values,
        items=ours.items,
        names=ours.systems,
        prior=prior,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    order = sorted(range(len(ours.systems)), key=lambda i: (-fit.worth[i], ours.systems[i]))
    pvalues = _test_pairs(fit)
    adjusted = stats.holm(pvalues[np.triu_indices(len(order), 1)], alpha=alpha)
    square = square_matrix(adjusted.pvalues, len(order))
    better = np.where(fit.worth[:, None] > fit.worth[None], square, nan)
    groups = group_systems(ours.systems, order, better, alpha)
    reference = order[0] if baseline is None else ours.systems.index(baseline)
    others = [i for i in order if i != reference]
    own = square[reference] if baseline is None else adjust_row(pvalues[reference], others, alpha)
    rows = [(reference, i, own[i]) for i in others]
    rows += [(a, b, square[a, b]) for a, b in pairwise(order) if reference not in (a, b)]
    return RankingComparison(
        metric=ours.dimension,
        model="Bradley-Terry" if ((~np.isnan(ours.values)).sum(axis=1) == 2).all() else "Plackett-Luce",
        ranking=tuple(_rank(ours, fit, i, groups) for i in order),
        reference=ours.systems[reference],
        baseline=baseline is not None,
        pairs=tuple(_pair(ours, fit, a, b, float(pvalues[a, b]), float(p), alpha) for a, b, p in rows),
        groups=groups,
        unranked=tuple(s for s in selection if s not in ours.systems),
        alpha=alpha,
        confidence=confidence,
        tests=adjusted.tests,
        rankings=fit.n,
        items=fit.items,
        raters=len(set(ours.raters)),
        tied=ours.tied,
        partial=len(ours.items) - ours.complete,
        prior=prior,
        resamples=fit.resamples,
        undefined=fit.undefined,
        seed=fit.seed,
    )


def _test_pairs(fit: stats.PlackettLuce) -> Floats:
    """Return the p-values of all differences of log worths; NaN without resamples."""
    from scipy.special import stdtr

    samples = fit.samples[~np.isnan(fit.samples).any(axis=1)]
    if len(samples) < 2:
        return np.full((len(fit.worth),) * 2, nan)
    difference = fit.log_worth[:, None] - fit.log_worth[None]
    error = (samples[:, :, None] - samples[:, None]).std(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(difference == 0, 0.0, np.abs(difference) / error)
    pvalues: Floats = np.maximum(2 * stdtr(fit.items - 1, -t), 2.0 ** (1 - fit.items))
    return np.minimum(pvalues, 1.0)


def _rank(rankings: Rankings, fit: stats.PlackettLuce, i: int, groups: tuple[tuple[str, ...], ...]) -> RankedWorth:
    complete = rankings.complete == len(rankings.items)
    return RankedWorth(
        system=rankings.systems[i],
        worth=float(fit.worth[i]),
        low=float(fit.low[i]),
        high=float(fit.high[i]),
        mean_rank=float(stats.midranks(rankings.values)[:, i].mean()) if complete else nan,
        n=int((~np.isnan(rankings.values[:, i])).sum()),
        group=next(g for g, names in enumerate(groups, start=1) if rankings.systems[i] in names),
    )


def _pair(
    rankings: Rankings, fit: stats.PlackettLuce, a: int, b: int, pvalue: float, adjusted: float, alpha: float
) -> WorthPair:
    if fit.worth[a] < fit.worth[b]:
        a, b = b, a
    samples = fit.samples[:, a] - fit.samples[:, b]
    samples = samples[~np.isnan(samples)]
    tail = 50 * (1 - fit.confidence)
    low, high = np.percentile(samples, [tail, 100 - tail]) if len(samples) else (nan, nan)
    return WorthPair(
        better=rankings.systems[a],
        worse=rankings.systems[b],
        preference=_preference(float(fit.log_worth[a] - fit.log_worth[b])),
        low=_preference(float(low)),
        high=_preference(float(high)),
        pvalue=pvalue,
        adjusted=adjusted,
        significant=adjusted < alpha,
    )


def _preference(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
