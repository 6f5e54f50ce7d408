"""Do raters put the outputs in the same order? Kendall's tau and W within items, and a test of a common order."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import nan

import numpy as np

from .. import stats
from ..data.minimums import MINIMUMS
from ..data.rankings import Rankings
from ..data.ratings import Floats
from ..data.result import Result
from ..data.statement import Statement
from ..errors import InputError, UndefinedWarning

_ALPHA = 0.05  # of the test of a common order


@dataclass(frozen=True)
class MeanWithInterval:
    """A mean over items and its bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RankingAgreement(Result, question="agreement", kind="ranking_agreement"):
    """How far rankings of the same item agree, and whether all rankings together show an order of the systems.

    `tau` is the mean tau-b of two raters' rankings of an item, over `compared_items`; `w` is the mean of Kendall's W
    over the `complete_items`, on which all raters ranked the same two or more systems, and `chance` what it would be
    if they ranked at random. `order`: "kendall-w" if every ranking holds every system, else "skillings-mack", with the
    statistic's value (`order_w`, NaN for Skillings-Mack), chi-square, degrees of freedom and p-value.
    """

    dimension: str
    raters: tuple[str, ...]
    systems: int
    rankings: int
    items: int
    compared_items: int
    complete_items: int
    tau: MeanWithInterval
    w: MeanWithInterval
    chance: float
    order: str
    order_w: float
    chi_square: float
    df: int
    pvalue: float
    confidence: float
    resamples: int
    seed: int

    def statements(self) -> tuple[Statement, ...]:
        """Say how far two raters agree on an item, and whether all rankings together show an order."""
        counts = {"raters": len(self.raters), "rankings": self.rankings, "systems": self.systems}
        agree = Statement(
            "undefined" if np.isnan(self.tau.value) else "agreement",
            self.raters,
            quantity=self.dimension,
            estimand="Kendall's tau-b of two rankings of an item",
            estimate=self.tau.value,
            low=self.tau.low,
            high=self.tau.high,
            confidence=self.confidence,
            counts={**counts, "items": self.compared_items},
        )
        order = Statement(
            "undefined" if np.isnan(self.pvalue) else "better" if self.pvalue < _ALPHA else "not shown to differ",
            (),
            quantity=self.dimension,
            estimand="common order",
            estimate=self.order_w,
            test=self.order,
            p=self.pvalue,
            counts={**counts, "items": self.items, "clusters": self.items},
        )
        minimum = MINIMUMS["agreement"]
        return (
            agree if agree.claim == "undefined" else agree.hold_to(minimum),
            order if order.claim == "undefined" else order.hold_to(MINIMUMS["comparison"]),
        )


def ranking_agreement(
    rankings: Rankings, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> RankingAgreement:
    """Measure how far raters agree on the order of outputs; ties and rankings of some of the systems are used.

    Intervals are bootstrapped over items. Of two rankings, the systems in both are compared; where one of the two has
    nothing but ties there, tau is 0, and 1 where both have. The test of a common order takes all rankings for
    independent. Systems that were never ranked together, not even through others, are refused by name.

    >>> order = np.array([[1, 2, 3], [1, 2, 3], [1, 3, 2], [1, 2, 3.0]])
    >>> result = ranking_agreement(Rankings(order, tuple("ABC"), tuple("1122"), ("ann", "bob") * 2, "rank"))
    >>> round(result.tau.value, 3), round(result.w.value, 3), result.chance, result.order, round(result.order_w, 3)
    (0.667, 0.875, 0.5, 'kendall-w', 0.812)
    """
    ours = rankings.select(rankings.systems)
    if len(ours.systems) < 2:
        raise InputError(f"no rater ranked two systems by {rankings.dimension!r}")
    by_item: dict[str, list[int]] = {}
    for row, item in enumerate(ours.items):
        by_item.setdefault(item, []).append(row)
    taus = np.array([_mean_tau(ours, rows) for rows in by_item.values()])
    concordance = np.array([_item_w(ours, rows) for rows in by_item.values()]).reshape(-1, 2)
    defined = ~np.isnan(concordance[:, 0])
    order = _common_order(ours)
    return RankingAgreement(
        dimension=ours.dimension,
        raters=tuple(dict.fromkeys(ours.raters)),
        systems=len(ours.systems),
        rankings=len(ours.items),
        items=len(by_item),
        compared_items=int((~np.isnan(taus)).sum()),
        complete_items=int(defined.sum()),
        tau=_mean_of(taus, resamples, confidence, seed),
        w=_mean_of(concordance[:, 0], resamples, confidence, seed),
        chance=float((1 / concordance[defined, 1]).mean()) if defined.any() else nan,
        order="skillings-mack" if isinstance(order, stats.SkillingsMack) else "kendall-w",
        order_w=nan if isinstance(order, stats.SkillingsMack) else order.value,
        chi_square=order.statistic,
        df=order.df,
        pvalue=order.pvalue,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )


def _common_order(rankings: Rankings) -> stats.Concordance | stats.SkillingsMack:
    with warnings.catch_warnings():  # the view says that it is undefined
        warnings.simplefilter("ignore", UndefinedWarning)
        if rankings.complete == len(rankings.items):
            return stats.kendall_w(rankings.values)
        return stats.skillings_mack(rankings.values, names=rankings.systems)


def _mean_tau(rankings: Rankings, rows: list[int]) -> float:
    """Return the mean tau-b of the item's rankings by two raters, NaN if there are none."""
    taus = list(_taus(rankings, rows))
    return float(np.mean(taus)) if taus else nan


def _taus(rankings: Rankings, rows: list[int]) -> Iterator[float]:
    for a, b in combinations(rows, 2):
        x, y = rankings.values[a], rankings.values[b]
        both = ~(np.isnan(x) | np.isnan(y))
        if rankings.raters[a] != rankings.raters[b] and both.sum() > 1:
            yield _tau(x[both], y[both])


def _tau(x: Floats, y: Floats) -> float:
    first, second = np.triu_indices(len(x), 1)
    sx, sy = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    untied = float(np.abs(sx).sum() * np.abs(sy).sum())
    if untied == 0:
        return float(not sx.any() and not sy.any())
    return float((sx * sy).sum() / np.sqrt(untied))


def _item_w(rankings: Rankings, rows: list[int]) -> tuple[float, int]:
    """Return Kendall's W of an item's rankings, the first by each rater, and their number; NaN if there is none."""
    firsts = list({rankings.raters[row]: row for row in reversed(rows)}.values())
    table = rankings.values[firsts]
    common = table[:, ~np.isnan(table).any(axis=0)]
    if len(firsts) < 2 or common.shape[1] < 2 or common.shape[1] < (~np.isnan(table)).any(axis=0).sum():
        return nan, len(firsts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        return stats.kendall_w(common).value, len(firsts)


def _mean_of(values: Floats, resamples: int, confidence: float, seed: int) -> MeanWithInterval:
    known = values[~np.isnan(values)]
    if not len(known):
        return MeanWithInterval(nan, nan, nan)
    if resamples == 0 or len(known) < 2:
        return MeanWithInterval(float(known.mean()), nan, nan)
    means = stats.bootstrap_means(known[None], resamples=resamples, confidence=confidence, seed=seed)
    return MeanWithInterval(float(known.mean()), float(means.low[0]), float(means.high[0]))
