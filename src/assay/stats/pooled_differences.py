"""Differences between outputs of the same item, pooled over items: for sets in which few systems share items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, Bools, at_least, fraction, scale_free_stack, warn_undefined
from .differences import item_deviations
from .intervals import percentiles
from .resampling import Seed, batches, generator, indices, seed_number, weights


@dataclass(frozen=True)
class PooledStack:
    """Pooled correlations of metrics, the shares of pairs in people's order, and resamples of both over items.

    `samples` and `agreement_samples` are resamples x metrics. `items` counts those with two outputs or more, `pairs`
    the pairs of outputs that people put in an order.
    """

    values: Array
    low: Array
    high: Array
    samples: Array
    agreements: Array
    agreement_samples: Array
    items: int
    outputs: int
    pairs: int
    confidence: float
    resamples: int
    seed: int | None

    def compare(self, a: int, b: int) -> tuple[float, float, float, float]:
        """Return the difference of the correlations of two metrics, its interval, and its two-sided p-value.

        The test divides by the standard error of the resampled differences (t with items - 1 degrees of freedom).
        """
        from scipy.special import stdtr

        difference, samples = float(self.values[a] - self.values[b]), self.samples[:, a] - self.samples[:, b]
        samples = samples[~np.isnan(samples)]
        error = float(samples.std(ddof=1)) if len(samples) > 1 else np.nan
        low, high = percentiles(samples[:, None], self.confidence, drawn=self.items)
        if a == b or difference == 0:
            return 0.0, float(low[0]), float(high[0]), 1.0
        p = float(2 * stdtr(self.items - 1, -abs(difference) / error)) if error > 0 and self.items > 1 else np.nan
        return difference, float(low[0]), float(high[0]), p


def pooled_differences(
    h: ArrayLike, ms: ArrayLike, *, confidence: float = 0.95, resamples: int = 1000, seed: Seed = 0
) -> PooledStack:
    """Correlate, for each metric, all score differences within items with people's, with a bootstrap over items.

    The correlation is Pearson's over all ordered pairs of outputs of an item (`pooled_difference_pearson`): it does not
    matter which systems they are of, so that many authors with a few outputs each are no hindrance. Items are drawn
    with all their outputs, whose differences are not independent. Outputs that people or any metric did not score are
    left out for all metrics. No item with two outputs, or no differences: NaN with an UndefinedWarning.

    >>> h = [[3, 1], [1, 2], [2, 2]]
    >>> result = pooled_differences(h, [[[.9, .1], [.2, .2], [.3, .1]]], resamples=100)
    >>> result.values.round(3), result.agreements.round(3), result.pairs
    (array([0.829]), array([0.9]), 5)
    """
    human, metrics = scale_free_stack(h, ms)
    at_least(resamples, "resamples", 1)
    present = ~(np.isnan(human) | np.isnan(metrics).any(axis=0))
    several = present.sum(axis=0) > 1
    human, metrics, present = human[:, several], metrics[:, :, several], present[:, several]
    sums = _item_sums(human, metrics, present)
    one = np.ones((1, int(several.sum())))
    values, agreements = (part[0] for part in _combine(sums, one))
    if np.isnan(values).any():
        warn_undefined(f"pooled difference correlation of {int(np.isnan(values).sum())} metric(s): no differences")
    rng = generator(seed)
    sizes = batches(resamples, one.size) if one.size else ()
    drawn = [_combine(sums, weights(indices(rng, one.size, count), one.size)) for count in sizes]
    empty = np.full((resamples, len(metrics)), np.nan)
    samples, agreed = (np.concatenate([d[i] for d in drawn]) if drawn else empty for i in (0, 1))
    low, high = percentiles(samples, fraction(confidence, "confidence"), drawn=one.size)
    return PooledStack(
        values=values,
        low=low,
        high=high,
        samples=samples,
        agreements=agreements,
        agreement_samples=agreed,
        items=one.size,
        outputs=int(present.sum()),
        pairs=int(sums[3][0].sum()),
        confidence=confidence,
        resamples=resamples,
        seed=seed_number(seed),
    )


def _item_sums(human: Array, metrics: Array, present: Bools) -> tuple[Array, Array, Array, Array, Array]:
    """Return by metric and item the sums of dh dm, dm^2 and dh^2, the pairs that people order, and those in order."""
    shape = np.broadcast_to(present, metrics.shape)
    n = shape.sum(axis=1)
    dh, dm = (item_deviations(np.broadcast_to(v, metrics.shape), shape, n) for v in (human, metrics))
    cov, vm, vh = (n * (a * b).sum(axis=1) for a, b in ((dh, dm), (dm, dm), (dh, dh)))
    ordered, right = np.zeros(n.shape), np.zeros(n.shape)
    for item in range(human.shape[1]):
        there = present[:, item]
        first, second = np.triu_indices(int(there.sum()), 1)
        x, y = human[there, item], metrics[:, there, item]
        sx, sy = np.sign(x[first] - x[second]), np.sign(y[:, first] - y[:, second])
        ordered[:, item] = (sx != 0).sum()
        right[:, item] = ((sx * sy > 0) + 0.5 * ((sx != 0) & (sy == 0))).sum(axis=1)
    return cov, vm, vh, ordered, right


def _combine(sums: tuple[Array, ...], drawn: Array) -> tuple[Array, Array]:
    """Return correlations and shares of pairs in people's order (a tie is half a pair), draws x metrics."""
    cov, vm, vh, ordered, right = (drawn @ part.T for part in sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where((vm > 0) & (vh > 0), np.clip(cov / np.sqrt(vm * vh), -1.0, 1.0), np.nan)
        return r, np.where(ordered > 0, right / ordered, np.nan)
