"""Differences between outputs of the same item, pooled over items: for sets in which few systems share items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .blocks import BlockJob, BlockKernel, resample
from .checks import Array, Bools, Ints, at_least, fraction, scale_free_stack, warn_undefined
from .differences import BLOCK, item_deviations
from .intervals import percentiles
from .resampling import Seed, batches, generator, indices, seed_number, weights


@dataclass(frozen=True)
class PooledStack:
    """Pooled correlations of metrics, the shares of pairs in people's order, and resamples of both over items.

    `samples` and `agreement_samples` are resamples x metrics; `human` and `metrics` the scores of items with two
    outputs or more, missing for all where one is. `items` counts those with two outputs or more, `pairs`
    the pairs of outputs that people put in an order.
    """

    values: Array
    low: Array
    high: Array
    samples: Array
    agreements: Array
    agreement_samples: Array
    human: Array
    metrics: Array
    items: int
    outputs: int
    pairs: int
    confidence: float
    resamples: int
    seed: int | None

    def compare(self, a: int, b: int) -> tuple[float, float, float, float]:
        """Return the difference of the correlations of two metrics, its interval, and its two-sided p-value.

        Its variance is that of the resampled items, and what outputs of one system for different items have in common:
        metrics may lean towards systems. t has as many degrees of freedom as there are items less one, or systems less
        two, whichever is fewer.
        """
        from scipy.special import stdtr, stdtrit

        difference, samples = float(self.values[a] - self.values[b]), self.samples[:, a] - self.samples[:, b]
        samples = samples[~np.isnan(samples)]
        if a == b:
            return 0.0, 0.0, 0.0, 1.0
        systems = int((~np.isnan(self.human)).any(axis=1).sum())
        df = min(self.items - 1, systems - 2)
        if df < 1 or len(samples) < 2 or np.isnan(difference):
            return difference, np.nan, np.nan, np.nan
        variance = float(samples.var(ddof=1)) + _system_variance(self.human, self.metrics[a], self.metrics[b], systems)
        half = float(stdtrit(df, (1 + self.confidence) / 2) * np.sqrt(variance))
        t = 0.0 if difference == 0 else abs(difference) / np.sqrt(variance) if variance > 0 else np.inf
        return difference, difference - half, difference + half, float(2 * stdtr(df, -t))


def pooled_differences(
    h: ArrayLike, ms: ArrayLike, *, confidence: float = 0.95, resamples: int = 1000, seed: Seed = 0
) -> PooledStack:
    """Correlate, for each metric, all score differences within items with people's, with a bootstrap over items.

    The correlation is Pearson's over all ordered pairs of outputs of an item (`pooled_difference_pearson`): it does not
    matter which systems they are of, so that many authors with a few outputs each are not a hindrance. Items are
    drawn with all their outputs, as their differences are not independent. Outputs that people or any metric did not
    score are left out for all metrics. No item with two outputs, or no differences: NaN with an UndefinedWarning.

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
    job = BlockJob(pool_blocks, dict(zip(_SUMS, sums, strict=True)))
    blocks = resample(job, [generator(seed)], batches(resamples, one.size) if one.size else ())
    both = np.concatenate(blocks) if blocks else np.full((resamples, 2 * len(metrics)), np.nan)
    samples, agreed = both[:, : len(metrics)], both[:, len(metrics) :]
    low, high = percentiles(samples, fraction(confidence, "confidence"), drawn=one.size)
    return PooledStack(
        values=values,
        low=low,
        high=high,
        samples=samples,
        agreements=agreements,
        agreement_samples=agreed,
        human=np.where(present, human, np.nan),
        metrics=np.where(present, metrics, np.nan),
        items=one.size,
        outputs=int(present.sum()),
        pairs=int(sums[3][0].sum()),
        confidence=confidence,
        resamples=resamples,
        seed=seed_number(seed),
    )


def pool_blocks(**sums: Array) -> BlockKernel:
    """Return the kernel of correlations and of shares of pairs in order, by drawn items: draws x (2 x metrics)."""
    n = sums["cov"].shape[1]
    parts = tuple(sums[name] for name in _SUMS)
    return BlockKernel(
        lambda streams, count: (weights(indices(streams[0], n, count), n),),
        lambda drawn: np.concatenate(_combine(parts, drawn), axis=1),
        n,
    )


_SUMS = ("cov", "vm", "vh", "ordered", "right")


def _item_sums(human: Array, metrics: Array, present: Bools) -> tuple[Array, Array, Array, Array, Array]:
    """Return by metric and item the sums of dh dm, dm^2 and dh^2, the pairs that people order, and those in order."""
    shape = np.broadcast_to(present, metrics.shape)
    n = shape.sum(axis=1)
    dh, dm = (item_deviations(np.broadcast_to(v, metrics.shape), shape, n) for v in (human, metrics))
    cov, vm, vh = (n * (a * b).sum(axis=1) for a, b in ((dh, dm), (dm, dm), (dh, dh)))
    ordered, right = np.zeros(n.shape), np.zeros(n.shape)
    for some, members in _item_blocks(present):
        x = np.take_along_axis(human[:, some], members, axis=0)
        above = x[:, None] > x[None]  # where an output is missing, nothing is above or below it
        ordered[:, some] = above.sum(axis=(0, 1))
        for k, metric in enumerate(metrics):
            y = np.take_along_axis(np.where(present, metric, np.nan)[:, some], members, axis=0)
            tied = y[:, None] == y[None]
            right[k, some] = (above & (y[:, None] > y[None])).sum(axis=(0, 1)) + (above & tied).sum(axis=(0, 1)) / 2
    return cov, vm, vh, ordered, right


def _item_blocks(present: Bools) -> Iterator[tuple[slice, Ints]]:
    """Yield slices of the items with the systems of their outputs first: slots x items, as many slots as are needed.

    Slots beyond the outputs of an item hold systems without one: their scores are missing.
    """
    slots = int(present.sum(axis=0).max(initial=0))
    order = np.argsort(~present, axis=0, kind="stable")[:slots]
    size = max(1, BLOCK // max(slots * slots, 1))
    for start in range(0, present.shape[1], size):
        yield slice(start, start + size), order[:, start : start + size]


def _combine(sums: tuple[Array, ...], drawn: Array) -> tuple[Array, Array]:
    """Return correlations and shares of pairs in people's order (a tie is half a pair), draws x metrics."""
    cov, vm, vh, ordered, right = (drawn @ part.T for part in sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where((vm > 0) & (vh > 0), np.clip(cov / np.sqrt(vm * vh), -1.0, 1.0), np.nan)
        return r, np.where(ordered > 0, right / ordered, np.nan)


def _system_variance(h: Array, a: Array, b: Array, systems: int) -> float:
    """Return the part of the variance of r_a - r_b that comes from systems: pairs of different items that share one.

    u is the influence of a pair of outputs on the difference. Products of all two pairs that share a system (with the
    factor of `pair_means` for few systems), less those of one item, which resampled items count already; at least 0.
    """
    vh, *vs = (_pair_products(v, v) for v in (h, a, b))
    if not (vh > 0 and min(vs) > 0) or systems < 4:
        return 0.0
    count, within = len(h), 0.0
    of_system, of_two = np.zeros(count), np.zeros(count * count)
    fits = [(v, np.sqrt(vh * v), _pair_products(h, m) / np.sqrt(vh * v)) for m, v in zip((a, b), vs, strict=True)]
    for some, members in _item_blocks(~np.isnan(h)):
        dh, *dms = (_slot_differences(v[:, some], members) for v in (h, a, b))
        first, second = (
            dh * dm / scale - r / 2 * (dh**2 / vh + dm**2 / v) for dm, (v, scale, r) in zip(dms, fits, strict=True)
        )
        u = np.nan_to_num(first - second)
        sums = u.sum(axis=1)
        of_system += np.bincount(members.ravel(), weights=sums.ravel(), minlength=count)
        two = members[:, None] * count + members[None]
        of_two += np.bincount(two.ravel(), weights=u.ravel(), minlength=count * count)
        within += float((sums**2).sum() - (u**2).sum() / 2)
    shared = float((of_system**2).sum() - (of_two**2).sum() / 2)
    few = systems * (systems - 1) / ((systems - 2) * (systems - 3))
    return max(0.0, few * shared - within)


def _slot_differences(values: Array, members: Ints) -> Array:
    """Return the differences of all outputs of an item: slots x slots x items, NaN where one is missing."""
    x = np.take_along_axis(values, members, axis=0)
    return np.asarray(x[:, None] - x[None])


def _pair_products(a: Array, b: Array) -> float:
    """Sum the products of differences over all pairs of outputs within items."""
    n = (~np.isnan(a)).sum(axis=0)
    da, db = (v - np.nansum(v, axis=0) / np.maximum(n, 1) for v in (a, b))
    return float((n * np.nansum(da * db, axis=0)).sum())
