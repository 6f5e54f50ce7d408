"""How large must a difference be before people agree? Figures 1 and 2 of Owczarzak et al. (2012, accuracy)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.alignment import align_scores, orient_means
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning
from ._inputs import people_left_out, refuse_no_metric, signatures_of

FEWEST = 20  # pairs at least as far apart, below which 95% agreement says nothing


@dataclass(frozen=True)
class DifferenceBin:
    """A bar of Figure 2: the pairs whose metric difference lies in [low, high), and how many people order alike."""

    kind: ClassVar[str] = "difference_bin"
    low: float
    high: float
    pairs: int
    same_order: int


@dataclass(frozen=True)
class NoticeableDifference(Result, question="noticeable", kind="noticeable_difference", shared=("metric", "human")):
    """The smallest difference of a metric from which people agree often enough; NaN if there is none.

    `value` is about pairs that far apart or farther (`above` of the `n` pairs, ordered alike with the share
    `agreement`; `overall` is that of all pairs), `local` about pairs exactly that far apart.
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
    fewest: int
    bins: tuple[DifferenceBin, ...]
    resamples: int
    undefined: int
    seed: int


@dataclass(frozen=True)
class NoticeableDifferences(Result, question="noticeable", kind="noticeable_differences", shared=("human",)):
    """The noticeable difference of each metric; `left_out` are the people among the systems."""

    human: str
    differences: tuple[NoticeableDifference, ...]
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]


def noticeable_difference(
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
) -> NoticeableDifference:
    """Find the difference in the metric's system scores from which people put the two systems in the same order.

    Estimator: the smallest observed difference t such that, of all pairs of systems at least t apart in the metric,
    people order at least `share` alike (a tie of people is no agreement); at least `fewest` pairs must be that far
    apart. The interval is the percentile bootstrap over systems: pairs of two different drawn systems, each as often as
    drawn. It says how t would vary with other systems, not with other items. No such t: NaN with an UndefinedWarning.
    `local` is where the isotonic fit of agreement on the size of the difference reaches the share.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(12, 1)) + np.zeros((12, 30))
    >>> names, ids = tuple("ABCDEFGHIJKL"), tuple(map(str, range(30)))
    >>> m = Scores(h + rng.normal(size=(12, 1)) / 3, names, ids, "m")
    >>> result = noticeable_difference(m, Scores(h, names, ids, "people"))
    >>> round(result.value, 2), result.above, result.n
    (0.46, 45, 66)
    """
    if not 0 < share <= 1:
        raise InputError(f"share must be above 0 and at most 1, got {share}")
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    pairs = SystemPairs(orient_means(theirs), orient_means(ours))
    value, above, agreement = pairs.threshold(np.ones(pairs.count), share, fewest)
    drawn = _bootstrap(pairs, share, fewest, resamples, seed)
    some = drawn[~np.isnan(drawn)]
    low, high = (float(v) for v in np.percentile(some, [2.5, 97.5])) if len(some) else (nan, nan)
    if np.isnan(value):
        low = high = nan
        warnings.warn(
            f"no difference in {metric.name} from which {human.name} agrees on {100 * share:.3g}% of at least {fewest} "
            f"pairs ({len(pairs.size)} pairs in all): NaN",
            UndefinedWarning,
            stacklevel=2,
        )
    return NoticeableDifference(
        metric=metric.name,
        human=human.name,
        value=value,
        low=low,
        high=high,
        local=pairs.local(share) if not np.isnan(value) else nan,
        n=len(pairs.size),
        above=above,
        agreement=agreement,
        overall=float(pairs.same.mean()) if len(pairs.same) else nan,
        share=share,
        fewest=fewest,
        bins=pairs.bins(bins),
        resamples=resamples,
        undefined=resamples - len(some),
        seed=seed,
    )


def noticeable_differences(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    share: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    without: Collection[str] | None = None,
) -> NoticeableDifferences:
    """Find the noticeable difference of several metrics."""
    refuse_no_metric(metrics)
    return NoticeableDifferences(
        human=human.name,
        differences=tuple(
            noticeable_difference(
                replace(scores, name=name), human, share=share, resamples=resamples, seed=seed, without=without
            )
            for name, scores in metrics.items()
        ),
        left_out=people_left_out((human, *metrics.values()), None, without),
        signatures=signatures_of(metrics),
    )


class SystemPairs:
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
        """Return the smallest difference with enough agreement above it, the pairs above it and their agreement."""
        weight = weights[self.first] * weights[self.second]
        total, right = np.cumsum(weight), np.cumsum(weight * self.same)
        good = self._last & (total >= fewest) & (right >= share * total - 1e-9) & (weight > 0)
        if not good.any():
            return nan, 0, nan
        at = int(np.nonzero(good)[0][-1])
        return float(self.size[at]), int(total[at]), float(right[at] / total[at])

    def local(self, share: float) -> float:
        """Return the smallest difference at which the agreement of pairs like it reaches the share; NaN if nowhere."""
        size, fit = self.size[::-1], isotonic(self.same[::-1].astype(np.float64))
        reached = np.nonzero(fit >= share - 1e-9)[0]
        return float(size[reached[0]]) if len(reached) else nan

    def bins(self, count: int) -> tuple[DifferenceBin, ...]:
        """Count the pairs in equal steps from 0 to the largest difference."""
        if not len(self.size) or self.size[0] == 0:
            return ()
        edges = np.linspace(0, self.size[0], count + 1)
        place = np.minimum(np.searchsorted(edges, self.size, side="right") - 1, count - 1)
        return tuple(
            DifferenceBin(
                float(edges[b]), float(edges[b + 1]), int((place == b).sum()), int(self.same[place == b].sum())
            )
            for b in range(count)
        )


def _bootstrap(pairs: SystemPairs, share: float, fewest: int, resamples: int, seed: int) -> Floats:
    rng = stats.generator(seed)
    n = pairs.count
    drawn = [np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64) for _ in range(resamples)]
    return np.array([pairs.threshold(weights, share, fewest)[0] for weights in drawn])


def isotonic(values: Floats) -> Floats:
    """Return the nearest sequence that never falls, by pooling adjacent violators.

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
