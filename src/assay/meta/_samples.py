"""What random samples of items or references say, by their size: the Result of `stability`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from .. import stats
from ..data._phrases import coefficient, number
from ..data.alignment import orient_values
from ..data.result import Shown
from ..data.scores import Floats, Scores

_NOUNS = {"topics": "items", "references": "references", "halves": "items"}


@dataclass(frozen=True)
class Size:
    """Correlations of random samples of one size: mean, standard deviation and central 95%."""

    size: int
    mean: float
    sd: float
    low: float
    high: float
    draws: int


@dataclass(frozen=True)
class Stability(Shown):
    """Correlation by the size of the sample. `actual` is with all there is, `resampled` that with systems drawn anew.

    `smallest` is the smallest size whose mean correlation is within `tolerance` of all, None if none is. `anova` tests
    whether the sizes differ in their means (None where there are fewer than two).
    """

    what: str
    metric: str
    human: str
    sizes: tuple[Size, ...]
    actual: float
    resampled: Size | None
    smallest: int | None
    tolerance: float
    anova: stats.Anova | None
    method: str
    draws: int
    seed: int

    @property
    def n(self) -> int:
        """How many there are in all."""
        return self.sizes[-1].size

    @property
    def value(self) -> float:
        """The correlation with all there is."""
        return self.actual

    def sentence(self) -> str:
        """The answer in words."""
        noun, last, letter = _NOUNS[self.what], self.sizes[-1], coefficient(self.method)
        if self.what == "halves":
            return (
                f"Two studies of {last.size} different items each would rank systems by {self.human} alike at "
                f"{letter} = {number(last.mean)}."
            )
        said = f"{self.metric} reaches {letter} = {number(self.actual)} with {self.human} on all {last.size} {noun}"
        if self.smallest is None or self.smallest == last.size:
            return f"{said}; no smaller number tried stays within {number(self.tolerance)} of that."
        mean = next(s.mean for s in self.sizes if s.size == self.smallest)
        return (
            f"{said}; {self.smallest} {'is' if self.smallest == 1 else 'are'} enough to stay within "
            f"{number(self.tolerance)} of that on average ({number(mean)})."
        )


def gathered(
    what: str,
    metric: Scores,
    human: Scores,
    groups: Mapping[int, Floats],
    full: Floats | None,
    method: str,
    draws: int,
    tolerance: float,
    seed: int,
) -> Stability:
    """The Result of correlations by size; `full` is the metric with all there is."""
    actual, resampled = nan, None
    if full is not None:
        h = orient_values(human)
        actual = stats.correlate(h, full, method=method, paired_items=False).value
        drawn = stats.bootstrap_stack(
            h, full[None], method=method, over="systems", resamples=draws, seed=seed, paired_items=False
        )
        resampled = _size(max(groups), drawn.samples[:, 0])
    made = tuple(_size(size, values) for size, values in groups.items())
    near = [s.size for s in made if s.mean >= actual - tolerance]
    varying = [values for values in groups.values() if np.nanmax(values, initial=-2) > np.nanmin(values, initial=2)]
    if resampled is not None:
        varying = [*varying, drawn.samples[:, 0]]
    return Stability(
        what=what,
        metric=metric.name,
        human=human.name,
        sizes=made,
        actual=actual,
        resampled=resampled,
        smallest=min(near, default=None),
        tolerance=tolerance,
        anova=stats.anova(varying) if len(varying) > 1 else None,
        method=method,
        draws=draws,
        seed=seed,
    )


def _size(size: int, values: Floats) -> Size:
    some = values[~np.isnan(values)]
    if not len(some):
        return Size(size, nan, nan, nan, nan, 0)
    low, high = (float(v) for v in np.percentile(some, [2.5, 97.5]))
    return Size(size, float(some.mean()), float(some.std()), low, high, len(some))
