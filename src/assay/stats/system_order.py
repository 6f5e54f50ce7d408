"""Does an assessor order systems as people do? The share of the pairs that people separate, with its interval."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UndefinedWarning
from .checks import Array, at_least, floats, fraction, same_shape
from .differences import system_pairs
from .intervals import percentiles
from .multiple_testing import holm
from .resampling import Resamples, Seed, batches, seed_number
from .system_tests import paired_matrix


@dataclass(frozen=True)
class OrderedShare:
    """Share of the separated pairs that the assessor puts in people's order; a tie of the assessor is not in order."""

    value: float
    low: float
    high: float
    pairs: int  # that people separate
    possible: int  # pairs of systems
    resamples: int
    seed: int | None


def ordered_share(
    h: ArrayLike,
    m: ArrayLike,
    *,
    alpha: float = 0.05,
    test: str = "wilcoxon",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> OrderedShare:
    """Return the share of pairs of systems in people's order, among those that people separate (paired test, Holm).

    h and m are systems x items; means are over the cells that both have. The interval draws systems and items with
    replacement; a pair counts as often as its two systems were drawn, and both orders are those in the drawn items.
    No separated pair: NaN.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(6, 50)) + np.arange(6)[:, None]
    >>> result = ordered_share(h, h + rng.normal(size=(6, 50)), resamples=200)
    >>> result.value, result.pairs, result.possible
    (1.0, 15, 15)
    """
    human, own = floats(h, "h", ndim=2), floats(m, "m", ndim=2)
    same_shape("h", human, "m", own)
    fraction(alpha, "alpha")
    at_least(resamples, "resamples", 1)
    pairs = _separated_pairs(human, alpha, test)
    possible = len(human) * (len(human) - 1) // 2
    if not len(pairs):
        return OrderedShare(float("nan"), float("nan"), float("nan"), 0, possible, resamples, seed_number(seed))
    both = ~(np.isnan(human) | np.isnan(own))
    columns = [np.where(both, x, 0.0).T for x in (human, own)] + [both.T.astype(np.float64)]
    draws = Resamples(seed, shape=(human.shape[0], human.shape[1]), over="both")
    samples = np.concatenate(
        [_shares(*draws.weights(count), columns, pairs) for count in batches(resamples, human.size + len(pairs))]
    )
    value = _shares(np.ones((1, len(human))), np.ones((1, human.shape[1])), columns, pairs)[0]
    drawn = min(len(human), int(both.any(axis=0).sum()))
    low, high = percentiles(samples[:, None], confidence, drawn=drawn)
    return OrderedShare(float(value), float(low[0]), float(high[0]), len(pairs), possible, resamples, seed_number(seed))


def _separated_pairs(human: Array, alpha: float, test: str) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    pairs = system_pairs(len(human))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # an undefined pair is not separated
        pvalues = paired_matrix(human, test=test).pvalue
    return np.asarray(pairs[holm(pvalues[pairs[:, 0], pairs[:, 1]], alpha=alpha).rejected])


def _shares(
    systems: Array, items: Array, columns: list[Array], pairs: np.ndarray[tuple[int, int], np.dtype[np.int64]]
) -> Array:
    """Return the share in each draw of systems and items (rows of weights)."""
    human, own, counts = (items @ column for column in columns)
    first, second = pairs[:, 0], pairs[:, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        human, own = human / counts, own / counts
        dh, dm = human[:, first] - human[:, second], own[:, first] - own[:, second]
        weight = systems[:, first] * systems[:, second] * ~np.isnan(dh)
        near = np.abs(dm) <= 1e-12 * np.maximum(np.abs(own[:, first]), 1e-300)  # a tie, whatever the rounding
        same = (np.sign(dh) == np.sign(dm)) & ~near
        return np.asarray((weight * same).sum(axis=1) / weight.sum(axis=1))
