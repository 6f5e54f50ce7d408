"""Does a metric say what people say? Correlation at a level, with its interval (Peyrard 2017, 3; Owczarzak 2009, 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from .. import stats
from ..data._phrases import coefficient, interval, number, plural
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.result import Shown
from ..data.scores import Scores
from ..errors import InputError

_POINTS = {"system": "system", "item": "system", "per-system": "item", "pooled": "output"}
_WHERE = {
    "system": "over {n}",
    "item": "within items, averaged over {groups} items of {n}",
    "per-system": "within systems, averaged over {groups} systems of {n}",
    "pooled": "over {n}",
}


@dataclass(frozen=True)
class Correlation(Shown):
    """How a metric correlates with people. n is the points of one correlation, groups how many were averaged."""

    metric: str
    human: str
    value: float
    low: float
    high: float
    n: int
    level: str
    method: str
    groups: int
    skipped: int
    interval: str | None
    over: str
    confidence: float
    resamples: int
    seed: int | None
    corpus: bool = False
    turned: bool = False

    def sentence(self) -> str:
        """The answer in words."""
        place = _WHERE[self.level].format(n=plural(self.n, _POINTS[self.level]), groups=self.groups)
        if isnan(self.value):
            return f"{self.metric} has no {self.method} correlation with {self.human} at {self.level} level ({place})."
        turned = "; sign turned, as lower is better" if self.turned else ""
        value = f"{coefficient(self.method)} = {number(self.value)}{interval(self.low, self.high)}"
        return f"{self.metric} correlates with {self.human} at {value} ({self.level} level, {place}{turned})."


def correlate(
    metric: Scores,
    human: Scores,
    *,
    level: str = "system",
    method: str = "pearson",
    interval: str | None = "bootstrap",
    over: str = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Correlation:
    """Correlate a metric with people, matched by the ids of systems and items.

    level: system (means over items), item or summary (within each item, then averaged), per-system, pooled. method:
    pearson, spearman, kendall, kendall-c, ndcg. interval: bootstrap (percentiles; `over` systems, inputs or both),
    fisher (levels with one correlation only), None. Where lower is better the sign is turned. At system level
    a metric with corpus scores is correlated by these, with an interval over systems. Fewer than three points or a
    constant side: NaN with an UndefinedWarning.

    >>> human = Scores(np.array([[1.0, 2, 1], [2, 3, 3], [4, 3, 5], [5, 5, 4]]), tuple("ABCD"), tuple("123"), "human")
    >>> metric = Scores(human.values / 10, human.systems, human.items, "m")
    >>> print(correlate(metric, human, interval="fisher").sentence())
    m correlates with human at r = 1.000 [1.000, 1.000] (system level, over 4 systems).
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    corpus = ours.corpus is not None and level == "system"
    if corpus:  # one corpus score and one mean judgment per system: only systems can be drawn anew
        m, h, over = orient_means(ours)[:, None], orient_means(theirs)[:, None], "systems"
    else:
        m, h = orient_values(ours), orient_values(theirs)
    found = stats.correlate(h, m, level=level, method=method)
    low, high = nan, nan
    if not isnan(found.value) and interval is not None:
        if interval == "fisher":
            low, high = _fisher(found, confidence)
        elif interval == "bootstrap":
            drawn = stats.bootstrap(
                h, m, level=level, method=method, over=over, resamples=resamples, confidence=confidence, seed=seed
            )
            low, high = drawn.low, drawn.high
        else:
            raise InputError(f"interval must be bootstrap, fisher or None, got {interval!r}")
    drew = interval == "bootstrap"
    return Correlation(
        metric=metric.name,
        human=human.name,
        value=found.value,
        low=low,
        high=high,
        n=found.n,
        level=found.level,
        method=method,
        groups=found.groups,
        skipped=found.skipped,
        interval=interval,
        over=over if drew else "",
        confidence=confidence,
        resamples=resamples if drew else 0,
        seed=seed if drew else None,
        corpus=corpus,
        turned=not metric.higher_is_better,
    )


def _fisher(found: stats.LevelCorrelation, confidence: float) -> tuple[float, float]:
    if found.level not in ("system", "pooled"):
        raise InputError(
            f"a Fisher interval is for one correlation; at {found.level} level many are averaged: use bootstrap"
        )
    made = stats.fisher(found.value, found.n, method=found.method, confidence=confidence)
    return made.low, made.high


def correlations(
    metric: Scores,
    human: Scores,
    *,
    level: str = "item",
    method: str = "pearson",
    without: Collection[str] | None = None,
) -> dict[str, float]:
    """The correlation within each item (or system), by its id; NaN where there is none.

    >>> human = Scores(np.array([[1.0, 2], [2, 3], [3, 3]]), tuple("ABC"), tuple("12"), "human")
    >>> metric = Scores(np.array([[1.0, 3], [2, 2], [3, 1]]), tuple("ABC"), tuple("12"), "m")
    >>> {item: round(r, 3) for item, r in correlations(metric, human).items()}
    {'1': 1.0, '2': -0.866}
    """
    ours, theirs = align_scores(metric, human, without=without)
    values = stats.group_coefficients(orient_values(theirs), orient_values(ours)[None], level=level, method=method)[0]
    names = {"item": ours.items, "summary": ours.items, "per-system": ours.systems}.get(level)
    if names is None:
        raise InputError(f"level must be item or per-system here, got {level!r}")
    return dict(zip(names, np.asarray(values).tolist(), strict=True))
