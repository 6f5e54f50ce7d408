"""Compare systems that people ranked: worths by Plackett-Luce or, for pairs, Bradley-Terry, with tests and bands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.minimums import MINIMUMS
from ..data.rankings import Rankings
from ..data.result import Result
from ..data.statement import Statement
from ..errors import InputError, UnknownName
from ..stats.adjusted_contrasts import adjust_contrasts
from ..stats.contrasts import list_pairs


@dataclass(frozen=True)
class RankedWorth:
    """One system: its worth, the chance to be put first of all if none tie; its mean rank where all were ranked.

    Systems that share a letter of their bands do not differ significantly; with a baseline there are no letters.
    """

    kind: ClassVar[str] = "worth"
    system: str
    worth: float
    low: float
    high: float
    mean_rank: float
    n: int
    bands: str


@dataclass(frozen=True)
class WorthPair:
    """Two systems: how often the better is put above the other, of the times that they do not tie.

    `low` to `high` is simultaneous with the intervals of the other pairs; significant, `adjusted` <= alpha and an
    interval above one half are the same. `step_down` is Holm's p-value, which has no interval.
    """

    kind: ClassVar[str] = "worth_pair"
    better: str
    worse: str
    preference: float
    low: float
    high: float
    pvalue: float
    adjusted: float
    step_down: float
    significant: bool


@dataclass(frozen=True)
class RankingComparison(Result, question="comparison", kind="ranking", shared=("metric",)):
    """Systems from best to worst by rankings, with tests of each against the reference and against the next.

    The reference is the best system, or the baseline if one is given; then only comparisons with it are made. `bands`
    are the largest sets of systems without a significant difference among them, and may overlap. `clusters` are what
    was drawn: items, or what they were drawn with. `unranked` are systems that no one ranked. `tied` and `partial`
    count the rankings with ties and those that lack a system; `undefined` the resamples in which some systems were not
    ranked together.
    """

    metric: str
    model: str
    ranking: tuple[RankedWorth, ...]
    reference: str
    baseline: bool
    pairs: tuple[WorthPair, ...]
    bands: tuple[tuple[str, ...], ...]
    unranked: tuple[str, ...]
    alpha: float
    confidence: float
    tests: int
    rankings: int
    items: int
    clusters: int
    smallest: float
    raters: int
    tied: int
    partial: int
    prior: float
    resamples: int
    undefined: int
    seed: int | None
    untied: int = 0  # clusters with a ranking in which two systems do not tie
    judges: str = "human"

    def statements(self) -> tuple[Statement, ...]:
        """Say which system is ranked first, or above which it is not shown to be; of a baseline, how each compares."""
        if self.baseline:
            others = [r.system for r in self.ranking if r.system != self.reference]
            return tuple(self._state(self.pair(self.reference, other)) for other in others)
        first = self._state(self.neighbours[0])
        leaders = self.leaders()
        if not first.enough or first.claim == "undefined" or len(self.ranking) == 2:
            return (first,)
        if len(leaders) == 1:
            return (replace(first, claim="best", others=tuple(r.system for r in self.ranking[1:])),)
        return (replace(first, claim="not shown to differ", others=leaders[1:]),)

    def _state(self, pair: WorthPair) -> Statement:
        statement = Statement(
            "undefined" if isnan(pair.adjusted) else "better" if pair.significant else "not shown to differ",
            (pair.better,),
            (pair.worse,),
            self.metric,
            estimand="share of times put above, less one half",
            estimate=pair.preference - 0.5,
            low=pair.low - 0.5,
            high=pair.high - 0.5,
            confidence=1 - self.alpha,
            test=self.model,
            p=pair.adjusted,
            counts={
                "systems": len(self.ranking),
                "items": self.items,
                "clusters": self.clusters,
                "rankings": self.rankings,
                "raters": self.raters,
                "untied prompts": self.untied,
            },
            judges=self.judges,
        )
        few = statement.hold_to(MINIMUMS["comparison"])
        return few.hold_to(MINIMUMS["win rate"]) if few.enough else few

    def leaders(self) -> tuple[str, ...]:
        """Return the first system, and those that it is not significantly above: they share a band with it."""
        first = self.ranking[0].system
        close = {name for band in self.bands if first in band for name in band}
        return tuple(r.system for r in self.ranking if r.system in close)

    def pair(self, first: str, second: str) -> WorthPair:
        """Return the test of two systems; those of the reference and of neighbours are kept."""
        return next(p for p in self.pairs if {p.better, p.worse} == {first, second})

    @property
    def neighbours(self) -> tuple[WorthPair, ...]:
        """Each system's test against the next in the ranking; none where all are compared with a baseline."""
        if self.baseline:
            return ()
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

    Worths are fitted as in `stats.plackett_luce`, with its weak prior. Items, or the clusters they were drawn in, are
    resampled, not rankings: those of one item are not independent. Two systems are compared by the difference of their
    log worths over its bootstrap standard error (t with clusters - 1 degrees of freedom); no p-value is below
    2^(1 - clusters), that of a sign test if all agree. Intervals and p-values are simultaneous over all pairs of
    systems, or those with the baseline.

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
        items=ours.units,
        names=ours.systems,
        prior=prior,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    order = sorted(range(len(ours.systems)), key=lambda i: (-fit.worth[i], ours.systems[i]))
    at = None if baseline is None else ours.systems.index(baseline)
    contrasts = _contrast_worths(fit, at, alpha)
    better = (contrasts.adjusted <= alpha) & (contrasts.difference > 0)
    bands = stats.find_bands(order if at is None else [], better | better.T)
    letters = stats.letter_bands(len(order), bands)
    reference = order[0] if at is None else at
    compared = [(reference, i) for i in order if i != reference]
    if at is None:
        compared += [(a, b) for a, b in pairwise(order) if reference not in (a, b)]
    return RankingComparison(
        metric=ours.dimension,
        model="Bradley-Terry" if ((~np.isnan(ours.values)).sum(axis=1) == 2).all() else "Plackett-Luce",
        ranking=tuple(_rank(ours, fit, i, letters[i]) for i in order),
        reference=ours.systems[reference],
        baseline=baseline is not None,
        pairs=tuple(_pair(ours, contrasts, a, b, alpha) for a, b in compared),
        bands=tuple(tuple(ours.systems[i] for i in band) for band in bands),
        unranked=tuple(s for s in selection if s not in ours.systems),
        alpha=alpha,
        confidence=confidence,
        tests=len(list_pairs(len(order), at)),
        rankings=fit.n,
        items=len(set(ours.items)),
        clusters=contrasts.clusters,
        smallest=contrasts.smallest,
        raters=len(set(ours.raters)),
        tied=ours.tied,
        partial=len(ours.items) - ours.complete,
        prior=prior,
        resamples=fit.resamples,
        undefined=fit.undefined,
        seed=fit.seed,
        untied=_count_untied(ours),
        judges=ours.judges,
    )


def _count_untied(rankings: Rankings) -> int:
    """Count the clusters with a ranking in which two systems do not tie."""
    spread = np.nanmax(rankings.values, axis=1) - np.nanmin(rankings.values, axis=1)
    return len({unit for unit, own in zip(rankings.units, spread.tolist(), strict=True) if own > 0})


def _contrast_worths(fit: stats.PlackettLuce, baseline: int | None, alpha: float) -> stats.Contrasts:
    """Compare log worths, with the covariance of their resamples; NaN without resamples."""
    n = len(fit.worth)
    samples = fit.samples[~np.isnan(fit.samples).any(axis=1)]
    covariance = np.full((n, n), nan) if len(samples) < 2 else np.cov(samples.T)
    own = np.diag(covariance)
    return adjust_contrasts(
        fit.log_worth,
        np.nan_to_num(covariance),
        np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0.0)),
        np.full((n, n), float(fit.items - 1)),
        list_pairs(n, baseline),
        clusters=fit.items,
        smallest=min(2.0 ** (1 - fit.items), 1.0),
        confidence=1 - alpha,
        resamples=max(fit.resamples, 1),
        seed=fit.seed or 0,
    )


def _rank(rankings: Rankings, fit: stats.PlackettLuce, i: int, letters: str) -> RankedWorth:
    complete = rankings.complete == len(rankings.items)
    return RankedWorth(
        system=rankings.systems[i],
        worth=float(fit.worth[i]),
        low=float(fit.low[i]),
        high=float(fit.high[i]),
        mean_rank=float(stats.midranks(rankings.values)[:, i].mean()) if complete else nan,
        n=int((~np.isnan(rankings.values[:, i])).sum()),
        bands=letters,
    )


def _pair(rankings: Rankings, contrasts: stats.Contrasts, a: int, b: int, alpha: float) -> WorthPair:
    if contrasts.difference[a, b] < 0:
        a, b = b, a
    adjusted = float(contrasts.adjusted[a, b])
    return WorthPair(
        better=rankings.systems[a],
        worse=rankings.systems[b],
        preference=_preference(float(contrasts.difference[a, b])),
        low=_preference(float(contrasts.low[a, b])),
        high=_preference(float(contrasts.high[a, b])),
        pvalue=float(contrasts.pvalue[a, b]),
        adjusted=adjusted,
        step_down=float(contrasts.step_down[a, b]),
        significant=adjusted <= alpha,
    )


def _preference(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
