"""How large must a difference be before people agree? Figures 1 and 2 of Owczarzak et al. (2012, accuracy)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data._phrases import interval, number, percent, plural
from ..data.alignment import align_scores, orient_means
from ..data.result import Shown
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning

FEWEST = 20  # pairs at least as far apart, below which 95% agreement says nothing


@dataclass(frozen=True)
class Bin:
    """A bar of Figure 2: the pairs whose metric difference lies in [low, high), and how many people order alike."""

    low: float
    high: float
    pairs: int
    agree: int


@dataclass(frozen=True)
class Noticeable(Shown, rows=False):
    """The smallest difference of a metric from which people agree often enough; NaN if there is none.

    `value` speaks of pairs that far apart or farther, `local` of pairs just that far apart.
    """

    metric: str
    human: str
    value: float
    low: float
    high: float
    local: float
    n: int
    above: int
    agreement: float
    overall: float
    share: float
    bins: tuple[Bin, ...]
    resamples: int
    undefined: int
    seed: int

    def sentence(self) -> str:
        """The answer in words."""
        if np.isnan(self.value):
            return (
                f"On this data no difference in {self.metric} is large enough for {self.human} to agree "
                f"{percent(self.share)} of the time ({percent(self.overall)} over all {plural(self.n, 'pair')})."
            )
        return (
            f"Two systems must differ by {number(self.value)}{interval(self.low, self.high)} in {self.metric} before "
            f"{self.human} agrees {percent(self.share)} of the time on which is better (it does on "
            f"{percent(self.agreement)} of the {plural(self.above, 'pair')} that far apart or farther, and on "
            f"{percent(self.overall)} of all {self.n:,}; of pairs just so far apart it is that many from "
            f"{number(self.local)} on)."
        )


def noticeable(
    metric: Scores,
    human: Scores,
    *,
    share: float = 0.95,
    fewest: int = FEWEST,
    bins: int = 10,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Noticeable:
    """The difference in the metric's system scores from which people put the two systems in the same order.

    Estimator: the smallest observed difference t such that, of all pairs of systems at least t apart in the metric,
    people order at least `share` alike (a tie of people is no agreement); at least `fewest` pairs must be that far
    apart. The interval is the percentile bootstrap over systems: pairs of two different drawn systems, each as often as
    drawn. It says how t would vary with other systems, not with other items. No such t: NaN with an UndefinedWarning.
    `local` is where the isotonic fit of agreement on the size of the difference reaches the share.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(12, 1)) + np.zeros((12, 30))
    >>> names, ids = tuple("ABCDEFGHIJKL"), tuple(map(str, range(30)))
    >>> m = Scores(h + rng.normal(size=(12, 1)) / 3, names, ids, "m")
    >>> found = noticeable(m, Scores(h, names, ids, "people"))
    >>> round(found.value, 2), found.above, found.n
    (0.46, 45, 66)
    """
    if not 0 < share <= 1:
        raise InputError(f"share must be above 0 and at most 1, got {share}")
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    found = Pairs(orient_means(theirs), orient_means(ours))
    value, above, agreement = found.threshold(np.ones(found.count), share, fewest)
    drawn = _bootstrap(found, share, fewest, resamples, seed)
    some = drawn[~np.isnan(drawn)]
    low, high = (float(v) for v in np.percentile(some, [2.5, 97.5])) if len(some) else (nan, nan)
    if np.isnan(value):
        low = high = nan
        warnings.warn(
            f"no difference in {metric.name} from which {human.name} agrees on {percent(share)} of at least {fewest} "
            f"pairs ({len(found.size)} pairs in all): NaN",
            UndefinedWarning,
            stacklevel=2,
        )
    return Noticeable(
        metric=metric.name,
        human=human.name,
        value=value,
        low=low,
        high=high,
        local=found.local(share) if not np.isnan(value) else nan,
        n=len(found.size),
        above=above,
        agreement=agreement,
        overall=float(found.same.mean()) if len(found.same) else nan,
        share=share,
        bins=found.bins(bins),
        resamples=resamples,
        undefined=resamples - len(some),
        seed=seed,
    )


class Pairs:
    """Pairs of systems from the farthest apart to the nearest, and whether people order them alike."""

    def __init__(self, human: Floats, metric: Floats) -> None:
        self.count = len(metric)
        first, second = np.triu_indices(self.count, 1)
        dm, dh = metric[first] - metric[second], human[first] - human[second]
        there = np.nonzero(~np.isnan(dm + dh))[0]
        order = there[np.argsort(-np.abs(dm[there]), kind="stable")]
        self.first, self.second = first[order], second[order]
        self.size: Floats = np.abs(dm[order])
        self.same: NDArray[np.bool_] = (np.sign(dm[order]) == np.sign(dh[order])) & (dm[order] != 0)
        self._last = np.append(self.size[1:] != self.size[:-1], True)  # equal differences go together

    def threshold(self, weights: Floats, share: float, fewest: int) -> tuple[float, int, float]:
        """The smallest difference with enough agreement above it, the pairs above it and their agreement."""
        weight = weights[self.first] * weights[self.second]
        total, right = np.cumsum(weight), np.cumsum(weight * self.same)
        good = self._last & (total >= fewest) & (right >= share * total - 1e-9) & (weight > 0)
        if not good.any():
            return nan, 0, nan
        at = int(np.nonzero(good)[0][-1])
        return float(self.size[at]), int(total[at]), float(right[at] / total[at])

    def local(self, share: float) -> float:
        """The smallest difference at which the agreement of pairs like it reaches the share; NaN if nowhere."""
        size, fit = self.size[::-1], isotonic(self.same[::-1].astype(np.float64))
        reached = np.nonzero(fit >= share - 1e-9)[0]
        return float(size[reached[0]]) if len(reached) else nan

    def bins(self, count: int) -> tuple[Bin, ...]:
        """Equal steps from 0 to the largest difference."""
        if not len(self.size) or self.size[0] == 0:
            return ()
        edges = np.linspace(0, self.size[0], count + 1)
        place = np.minimum(np.searchsorted(edges, self.size, side="right") - 1, count - 1)
        return tuple(
            Bin(float(edges[b]), float(edges[b + 1]), int((place == b).sum()), int(self.same[place == b].sum()))
            for b in range(count)
        )


def _bootstrap(pairs: Pairs, share: float, fewest: int, resamples: int, seed: int) -> Floats:
    rng = stats.generator(seed)
    n = pairs.count
    drawn = [np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64) for _ in range(resamples)]
    return np.array([pairs.threshold(weights, share, fewest)[0] for weights in drawn])


def isotonic(values: Floats) -> Floats:
    """The nearest sequence that never falls, by pooling adjacent violators.

    >>> isotonic(np.array([0.0, 1.0, 0.0, 1.0])).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    sums: list[float] = []
    counts: list[int] = []
    for value in values.tolist():
        sums.append(value)
        counts.append(1)
        while len(sums) > 1 and sums[-2] / counts[-2] >= sums[-1] / counts[-1]:
            total, count = sums.pop(), counts.pop()
            sums[-1] += total
            counts[-1] += count
    return np.repeat(np.array(sums) / np.array(counts), counts) if sums else np.empty(0)
