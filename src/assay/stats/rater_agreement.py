"""How far raters agree when each item was rated by other people: simulated pairs, and each rater against the rest.

Ratings are items x raters, NaN = not rated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, at_least, choice, floats, fraction, warn_undefined
from .intervals import percentiles
from .kappa import WEIGHTS, _tables, kappas
from .resampling import Seed, batches, generator, seed_number
from .vectorized_correlation import METHODS, coefficients

HALVES = ("up", "even", "down")


@dataclass(frozen=True)
class TwoRaters:
    """Mean agreement and kappa over simulated pairs of raters, each with a percentile interval over simulations."""

    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    items: int
    left_out: int
    weights: str
    half: str
    simulations: int
    confidence: float
    seed: int | None


@dataclass(frozen=True)
class LeaveOneOut:
    """Correlation of each rater with the mean of the others, the items behind each, and the mean over raters."""

    value: float
    per_rater: Array
    items: Ints
    method: str


def two_raters(
    ratings: ArrayLike,
    *,
    weights: str = "quadratic",
    half: str = "up",
    simulations: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> TwoRaters:
    """Simulate two raters as Toutanova et al. (2016), 3.2: one random rater against the rounded mean of the others.

    For each item one rating is drawn as rater A, and the mean of the item's other ratings, rounded to a whole number,
    is rater B; agreement and kappa are computed over all items, and all is done again `simulations` times. The paper
    does not say where .5 goes: half = "up", "even" or "down". The interval is the spread over simulations only, which
    is what the paper reports, not the uncertainty of the sample of items. Items with one rating are left out (and
    counted); ratings must be whole numbers. Nothing left, or kappa always 0/0: NaN with an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> ratings = np.clip(np.rint(rng.normal(2, .5, size=(300, 1)) + rng.normal(0, .5, size=(300, 5))), 1, 3)
    >>> result = two_raters(ratings, simulations=100)
    >>> round(result.agreement, 2), round(result.kappa, 2), result.items
    (0.59, 0.5, 300)
    """
    choice(weights, "weights", WEIGHTS)
    choice(half, "half", HALVES)
    at_least(simulations, "simulations", 1)
    fraction(confidence, "confidence")
    values = floats(ratings, "ratings", ndim=2)
    if (values[~np.isnan(values)] % 1 != 0).any():
        raise InputError("simulated raters need whole-number ratings: the mean of the others is rounded to one of them")
    packed, count = _pack_ratings(values)
    left = len(values) - len(packed)
    if not len(packed):
        warn_undefined(f"simulated raters: none of {len(values)} items was rated twice")
        nan = float("nan")
        return TwoRaters(
            nan, nan, nan, nan, nan, nan, 0, left, weights, half, simulations, confidence, seed_number(seed)
        )
    agreement, kappa = _simulate(packed, count, weights, half, simulations, generator(seed))
    undefined = np.isnan(kappa)
    if undefined.all():
        warn_undefined(f"kappa of simulated raters on {len(packed)} items: all ratings in one category")
    lows, highs = percentiles(np.stack([agreement, kappa], axis=1), confidence, drawn=len(packed))
    means = float(agreement.mean()), float(kappa[~undefined].mean()) if not undefined.all() else float("nan")
    return TwoRaters(
        means[0],
        float(lows[0]),
        float(highs[0]),
        means[1],
        float(lows[1]),
        float(highs[1]),
        len(packed),
        left,
        weights,
        half,
        simulations,
        confidence,
        seed_number(seed),
    )


def _pack_ratings(values: Array) -> tuple[Array, Ints]:
    """Return items rated at least twice with their ratings moved to the left, 0 after them, and how many they are."""
    present = ~np.isnan(values)
    order = np.argsort(~present, axis=1, kind="stable")
    count = present.sum(axis=1).astype(np.int64)
    packed = np.nan_to_num(np.take_along_axis(values, order, axis=1))
    return packed[count >= 2], count[count >= 2]


def _simulate(
    packed: Array, count: Ints, weights: str, half: str, simulations: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return agreement and kappa of each simulation."""
    items, total = np.arange(len(packed)), packed.sum(axis=1)
    present = np.arange(packed.shape[1]) < count[:, None]
    low, high = int(packed[present].min()), int(packed[present].max())
    samples = []
    for draws in batches(simulations, len(packed)):
        pick = (rng.random((draws, len(packed))) * count).astype(np.int64)
        first = packed[items, pick]
        rest = round_half((total - first) / (count - 1), half)
        tables = _tables((first - low).astype(np.int64), (rest - low).astype(np.int64), high - low + 1)
        samples.append(np.stack([np.trace(tables, axis1=1, axis2=2) / len(packed), kappas(tables, weights)[0]]))
    agreement, kappa = np.concatenate(samples, axis=1)
    return agreement, kappa


def round_half(values: ArrayLike, half: str = "up") -> Array:
    """Round to whole numbers; .5 goes up, down, or to the even neighbour.

    >>> [round_half([0.5, 1.5, 2.5], half).tolist() for half in HALVES]
    [[1.0, 2.0, 3.0], [0.0, 2.0, 2.0], [0.0, 1.0, 2.0]]
    """
    x = np.asarray(values, dtype=np.float64)
    if half == "even":
        return np.asarray(np.rint(x))
    return np.asarray(np.floor(x + 0.5) if half == "up" else np.ceil(x - 0.5))


def leave_one_out(ratings: ArrayLike, *, method: str = "pearson") -> LeaveOneOut:
    """Correlate each rater with the mean of all the others on the items both have: Clarke and Lapata (2006), section 6.

    The value is the mean over raters with a defined correlation. A rater with fewer than three such items or with
    constant ratings is NaN, with one UndefinedWarning for all of them.

    >>> result = leave_one_out([[1, 2, 1], [3, 3, 4], [5, 4, 5], [2, 2, 3]])
    >>> result.per_rater.round(3), round(result.value, 3)
    (array([0.983, 0.931, 0.922]), 0.945)
    """
    choice(method, "method", METHODS[:-1])
    values = floats(ratings, "ratings", ndim=2)
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    others = present.sum(axis=1, keepdims=True) - present
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = (filled.sum(axis=1, keepdims=True) - filled) / others
    rest = np.where(present, rest, np.nan)
    per_rater = coefficients(values.T, rest.T, method=method)
    undefined = np.isnan(per_rater)
    if undefined.any():
        warn_undefined(
            f"leave-one-out {method} of rater(s) {np.nonzero(undefined)[0].tolist()[:10]}: fewer than 3 items "
            "rated by others too, or constant ratings"
        )
    value = float(per_rater[~undefined].mean()) if not undefined.all() else float("nan")
    return LeaveOneOut(value, per_rater, (~np.isnan(rest)).sum(axis=0).astype(np.int64), method)
