"""Does a metric put two systems, or two outputs, in the order people do? Accuracies over pairs.

Kocmi et al. (2021), Deutsch et al. (2022, 2023), Thompson et al. (2024). Tie calibration is in `ties`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, at_least, floats, same_shape, stack, warn_undefined
from .differences import pair_blocks, subtract_pairs, system_pairs
from .resampling import Seed, generator, seed_number
from .system_tests import FLIPPED, _flips


@dataclass(frozen=True)
class PairwiseAccuracy:
    """Share of pairs in people's order; agreements and pairs can be added up over test sets."""

    value: float
    agreements: int
    pairs: int


@dataclass(frozen=True)
class RestrictedKendall:
    """Kendall's tau over the pairs with a metric difference between low and high."""

    value: float
    concordant: int
    discordant: int
    pairs: int
    low: float
    high: float


@dataclass(frozen=True)
class SoftAccuracy:
    """Soft pairwise accuracy of each metric, and the pairs of systems with items in common."""

    values: Array
    pairs: int
    resamples: int
    seed: int | None


def pairwise_accuracy(h: ArrayLike, m: ArrayLike) -> PairwiseAccuracy:
    """Return the share of pairs of systems with sign(h_i - h_k) = sign(m_i - m_k).

    h and m are one score per system; a pair tied in one of them only is an error of the metric, tied in both is
    agreement. A system that either lacks is left out; no pairs: NaN with an UndefinedWarning.

    >>> pairwise_accuracy([1, 2, 3, 3], [.1, .3, .2, .2])
    PairwiseAccuracy(value=0.6666666666666666, agreements=4, pairs=6)
    """
    dh, dm = _vector_differences(h, m)
    pairs, agreements = len(dh), int((np.sign(dh) == np.sign(dm)).sum())
    if not pairs:
        warn_undefined("pairwise accuracy: fewer than two systems with both scores")
    return PairwiseAccuracy(agreements / pairs if pairs else float("nan"), agreements, pairs)


def restricted_kendall(h: ArrayLike, m: ArrayLike, *, low: float = 0.0, high: float = np.inf) -> RestrictedKendall:
    """Return tau over the pairs of systems with low <= |m_i - m_k| <= high, Deutsch et al. (2022).

    tau = (C - D) / sqrt(pairs untied in h * pairs untied in m), which is tau-b over all pairs. h and m are one score
    per system, and m may be a mean over more items than people judged. No such pairs, or all tied: NaN with an
    UndefinedWarning.

    >>> restricted_kendall([1, 2, 3, 4], [.10, .12, .30, .11], high=.05).value
    0.3333333333333333
    """
    if not 0 <= low <= high:
        raise InputError(f"low and high must satisfy 0 <= low <= high, got {low} and {high}")
    dh, dm = _vector_differences(h, m)
    within = (np.abs(dm) >= low) & (np.abs(dm) <= high)
    order, untied_h, untied_m = np.sign(dh) * np.sign(dm) * within, (dh != 0) & within, (dm != 0) & within
    concordant, discordant = int((order > 0).sum()), int((order < 0).sum())
    scale = float(np.sqrt(float(untied_h.sum()) * float(untied_m.sum())))
    if not scale:
        warn_undefined(
            f"Kendall's tau over {int(within.sum())} pair(s) with a metric difference in [{low}, {high}], untied: none"
        )
    value = (concordant - discordant) / scale if scale else float("nan")
    return RestrictedKendall(value, concordant, discordant, int(within.sum()), low, high)


def soft_pairwise_accuracy(
    h: ArrayLike, ms: ArrayLike, *, paired_items: bool = True, resamples: int = 1000, seed: Seed = 0
) -> SoftAccuracy:
    """Return 1 - mean over pairs of systems of |p_h - p_m|, Thompson et al. (2024).

    p is the one-sided p-value that i is better than k, by flipping the signs of their differences per item at random,
    the same flips for people and all metrics; p = (1 + #{sum* >= sum}) / (resamples + 1). A pair uses only the items
    that both systems have, and with paired_items only those that people and the metric both scored. A pair without
    such items is left out; if none is left, NaN with an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(8, 60)) + np.linspace(0, 1, 8)[:, None]
    >>> ms = [h + rng.normal(size=h.shape), rng.normal(size=h.shape)]
    >>> soft_pairwise_accuracy(h, ms).values.round(2)
    array([0.91, 0.72])
    """
    human, metrics = stack(h, ms)
    at_least(resamples, "resamples", 1)
    start = int(generator(seed).integers(2**62))
    pairs = _sharing_pairs(human)
    gaps = np.empty((len(metrics), len(pairs)))
    for some in pair_blocks(pairs, human.shape[1], block=FLIPPED):
        dh = subtract_pairs(human, pairs[some])
        own = _better(dh, resamples, start)
        for k, metric in enumerate(metrics):
            gaps[k, some] = _gap(dh, subtract_pairs(metric, pairs[some]), own, paired_items, resamples, start)
    present = ~np.isnan(gaps)
    least = min([len(pairs), *present.sum(axis=1).tolist()])
    values = np.array([1 - np.nanmean(gap) if some.any() else np.nan for gap, some in zip(gaps, present, strict=True)])
    if np.isnan(values).any():
        warn_undefined(
            f"soft pairwise accuracy of {int(np.isnan(values).sum())} metric(s): no pair of systems shares an item"
        )
    return SoftAccuracy(values, least, resamples, seed_number(seed))


def _sharing_pairs(human: Array) -> Ints:
    """Return the pairs of systems that share an item."""
    pairs, there = system_pairs(len(human)), (~np.isnan(human)).astype(np.float64)
    return np.asarray(pairs[(there @ there.T)[pairs[:, 0], pairs[:, 1]] > 0], dtype=np.int64)


def _gap(dh: Array, d: Array, own: Array, paired_items: bool, resamples: int, seed: int) -> Array:
    """Return |p_h - p_m| of each pair; `own` is p_h over all the items that people have."""
    if paired_items and np.isnan(dh + d).any():
        both = ~(np.isnan(dh) | np.isnan(d))
        d = np.where(both, d, np.nan)
        if (both != ~np.isnan(dh)).any():
            own = _better(np.where(both, dh, np.nan), resamples, seed)
    return np.abs(own - _better(d, resamples, seed))


def _better(differences: Array, resamples: int, seed: int) -> Array:
    return _flips(differences, "greater", resamples, seed)[1]


def _vector_differences(h: ArrayLike, m: ArrayLike) -> tuple[Array, Array]:
    """Return differences of all pairs of systems that have both scores."""
    x, y = floats(h, "h", ndim=1), floats(m, "m", ndim=1)
    same_shape("h", x, "m", y)
    present = ~(np.isnan(x) | np.isnan(y))
    first, second = np.triu_indices(int(present.sum()), k=1)
    return x[present][first] - x[present][second], y[present][first] - y[present][second]
