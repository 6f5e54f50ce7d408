"""How large must a difference be before people agree? Figures 1 and 2 of Owczarzak et al. (2012, accuracy)."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.alignment import align_scores, orient_means
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of

MIN_PAIRS = 20  # pairs at least as far apart, below which their agreement on the whole says nothing


@dataclass(frozen=True)
class DifferenceBin:
    """A bar of Figure 2: the pairs with a metric difference in [low, high), and how many people order alike."""

    kind: ClassVar[str] = "difference_bin"
    low: float
    high: float
    pairs: int
    same_order: int


@dataclass(frozen=True)
class NoticeableDifference(Result, question="noticeable", kind="noticeable_difference", shared=("metric", "human")):
    """The difference of a metric at which people agree often enough; NaN if there is none.

    `value` is about pairs that differ by just that much, by the curve fitted to all `n` pairs; `isotonic` is the same
    by a fit that assumes only that agreement never falls. `pooled` is the smallest difference such that pairs that far
    apart *or farther* agree often enough on the whole (`above` of them, with the share `agreement`); `certain` the one
    from which on every pair agrees. `overall` is the agreement of all pairs, `below` that of pairs nearer than `value`.
    """

    metric: str
    human: str
    value: float
    low: float
    high: float
    isotonic: float
    pooled: float
    certain: float
    n: int
    above: int
    agreement: float
    below: float
    overall: float
    share: float
    fewest: int
    bins: tuple[DifferenceBin, ...]
    confidence: float
    systems: int


@dataclass(frozen=True)
class NoticeableDifferences(Result, question="noticeable", kind="noticeable_differences", shared=("human",)):
    """The noticeable difference of each metric; `left_out` are the people among the systems."""

    human: str
    differences: tuple[NoticeableDifference, ...]
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()


def noticeable_difference(
    metric: Scores,
    human: Scores,
    *,
    share: float = 0.95,
    fewest: int = MIN_PAIRS,
    bins: int = 10,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> NoticeableDifference:
    """Find the difference in the metric's system scores at which people put the two systems in the same order.

    The estimate is local (`assay.stats.noticeable_difference`): of pairs that differ by just so much, people order
    `share` alike; a tie of people is not agreement. The interval is the jackknife's over systems: it says how the value
    would vary with other systems, not with other items. Next to it stands the figure that pools all pairs at least so
    far apart (at least `fewest`), which is several times smaller: large differences make up for small ones. The share
    is not reached: NaN with an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(12, 1)) + np.zeros((12, 30))
    >>> names, ids = tuple("ABCDEFGHIJKL"), tuple(map(str, range(30)))
    >>> m = Scores(h + rng.normal(size=(12, 1)) / 3, names, ids, "m")
    >>> result = noticeable_difference(m, Scores(h, names, ids, "people"))
    >>> round(result.value, 2), round(result.pooled, 2), result.above, result.n
    (1.0, 0.46, 45, 66)
    """
    if not 0 < share < 1:
        raise InputError(f"share must be between 0 and 1, got {share}")
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    m, h = orient_means(ours), orient_means(theirs)
    pairs = SystemPairs(h, m)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # one warning, with the names
        local = stats.noticeable_difference(m, h, share=share)
    if isnan(local.value):
        warnings.warn(
            f"no difference in {metric.name} at which {human.name} agrees on {100 * share:.3g}% "
            f"({len(pairs.size)} pairs in all): NaN",
            UndefinedWarning,
            stacklevel=2,
        )
    pooled, above, agreement = pairs.threshold(share, fewest)
    near = pairs.same[pairs.size < local.value]
    return NoticeableDifference(
        metric=metric.name,
        human=human.name,
        value=local.value,
        low=local.low,
        high=local.high,
        isotonic=local.curve.isotonic,
        pooled=pooled,
        certain=pairs.threshold(1.0, 1)[0],
        n=len(pairs.size),
        above=above,
        agreement=agreement,
        below=float(near.mean()) if len(near) else nan,
        overall=float(pairs.same.mean()) if len(pairs.same) else nan,
        share=share,
        fewest=fewest,
        bins=pairs.bins(bins),
        confidence=local.confidence,
        systems=local.systems,
    )


def noticeable_differences(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    share: float = 0.95,
    without: Collection[str] | None = None,
) -> NoticeableDifferences:
    """Find the noticeable difference of several metrics."""
    refuse_no_metric(metrics)
    return NoticeableDifferences(
        human=human.name,
        differences=tuple(
            noticeable_difference(replace(scores, name=name), human, share=share, without=without)
            for name, scores in metrics.items()
        ),
        left_out=people_left_out((human, *metrics.values()), None, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), None, without),
        copies=copies_left_out((human, *metrics.values()), None, without),
    )


class SystemPairs:
    """Pairs of systems from the farthest apart to the nearest, and whether people order them alike."""

    def __init__(self, human: Floats, metric: Floats) -> None:
        first, second = np.triu_indices(len(metric), 1)
        dm, dh = metric[first] - metric[second], human[first] - human[second]
        there = np.nonzero(~np.isnan(dm + dh))[0]
        order = there[np.argsort(-np.abs(dm[there]), kind="stable")]
        self.size: Floats = np.abs(dm[order])
        self.same: NDArray[np.bool_] = (np.sign(dm[order]) == np.sign(dh[order])) & (dm[order] != 0)
        self._last = np.append(self.size[1:] != self.size[:-1], True)  # equal differences go together

    def threshold(self, share: float, fewest: int) -> tuple[float, int, float]:
        """Return the smallest difference with enough agreement above it, the pairs above it and their agreement."""
        total, right = np.arange(1, len(self.same) + 1), np.cumsum(self.same)
        good = self._last & (total >= fewest) & (right >= share * total - 1e-9)
        if not good.any():
            return nan, 0, nan
        at = int(np.nonzero(good)[0][-1])
        return float(self.size[at]), int(total[at]), float(right[at] / total[at])

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
