"""Correlations over systems with intervals by the jackknife, and differences between such correlations.

The points of a correlation at system level are systems: their means over items carry the noise of the items already,
so drawing items anew would count it twice. The estimand is the correlation among systems like these, with as many items
like these. Fisher's z is studentized by the jackknife over systems and referred to t(n - 2): coverage .94 to .98 with 6
to 200 systems of normal quality, where the percentile bootstrap has .88 and less and Fisher's own interval loses .05 to
.10 as soon as a few systems are much worse than the rest (`python tools/levels.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, choice, floats, fraction, scale_free_stack
from .correlation import PERFECT, perfect_bound
from .levels import correlate, level_kernel
from .vectorized_correlation import split_method

if TYPE_CHECKING:
    from .resampling import Seed

_MIN_SYSTEMS = 6  # for an interval: with fewer the jackknife rests on correlations of four points
_MIN_RANKED = 8  # the same for rank coefficients
_DRAWS, _MIN_DRAWS, _MOST_VALUES = 10_000, 2000, 200_000
_NO_SPREAD = 1e-12
_ANGLES = np.linspace(0, 2 * np.pi, 2048, endpoint=False)


@dataclass(frozen=True, eq=False)
class JackknifeCorrelation:
    """A correlation over n systems with its interval; NaN where there are too few.

    `influence` is by system: what leaving it out does to Fisher's z, scaled so that its length is the standard error.
    With |r| = 1 there is no spread to estimate, and the interval is a one-sided bound (`perfect_bound`).
    """

    value: float
    low: float
    high: float
    n: int
    influence: Array
    method: str
    confidence: float

    @property
    def perfect(self) -> bool:
        """Whether the points lie on a line, or in the same order."""
        return abs(self.value) > PERFECT

    def limits(self, critical: float) -> tuple[float, float]:
        """Return the interval at another critical value of t."""
        if self.perfect:
            return self.low, self.high
        half = critical * float(np.linalg.norm(self.influence))
        z = np.arctanh(self.value)
        return float(np.tanh(z - half)), float(np.tanh(z + half))


@dataclass(frozen=True)
class CorrelationContrast:
    """The difference of two correlations over the same systems, with its simultaneous interval and adjusted p-value."""

    difference: float
    low: float
    high: float
    pvalue: float


def fewest_systems(method: str) -> int:
    """Return how many systems an interval of a correlation needs.

    >>> fewest_systems("pearson"), fewest_systems("kendall")
    (6, 8)
    """
    return _MIN_SYSTEMS if split_method(method)[0] == "pearson" else _MIN_RANKED


def jackknife(
    h: ArrayLike,
    m: ArrayLike,
    *,
    method: str = "pearson",
    confidence: float = 0.95,
) -> JackknifeCorrelation:
    """Correlate a metric with people over systems, both systems x items; the interval is over systems.

    tanh(z +- t se), z = atanh r, se the jackknife's over systems, t that of n - 2 degrees of freedom: r is always
    inside. A coefficient that is undefined without one of the systems (all others tie) says nothing: -1 to 1. Fewer
    than 6 systems (8 for rank coefficients): NaN. An undefined correlation: NaN with an UndefinedWarning.

    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(20, 1))
    >>> r = jackknife(quality + rng.normal(size=(20, 30)), quality + rng.normal(size=(20, 30)))
    >>> round(r.low, 2), round(r.value, 2), round(r.high, 2)
    (0.68, 0.89, 0.96)
    """
    from scipy.special import stdtrit

    name = choice(split_method(method)[0], "method", ("pearson", "spearman", "kendall", "kendall-c"))
    fraction(confidence, "confidence")
    human, metrics = scale_free_stack(h, floats(m, "m", ndim=2)[None])
    correlation = correlate(human, metrics[0], method=method)
    value, n, nan = correlation.value, correlation.n, float("nan")
    systems = np.flatnonzero((~(np.isnan(human) | np.isnan(metrics[0]))).any(axis=1))
    if np.isnan(value) or n < fewest_systems(method):
        return JackknifeCorrelation(value, nan, nan, n, np.full(n, nan), method, confidence)
    if abs(value) > PERFECT:
        bound = perfect_bound(n, method=method, confidence=confidence)
        low, high = (bound, 1.0) if value > 0 else (-1.0, -bound)
        return JackknifeCorrelation(value, low, high, n, np.zeros(n), method, confidence)
    weights = np.ones((n, len(human)))
    weights[np.arange(n), systems] = 0
    kernel = level_kernel(human, metrics, level="system", method=method)
    without = kernel(weights, np.ones((n, human.shape[1])))[:, 0]
    if np.isnan(without).any():
        return JackknifeCorrelation(value, -1.0, 1.0, n, np.full(n, nan), method, confidence)
    z = np.arctanh(np.clip(without, -_largest(n, name), _largest(n, name)))
    influence = np.sqrt((n - 1) / n) * (z - z.mean())
    result = JackknifeCorrelation(value, nan, nan, n, influence, method, confidence)
    low, high = result.limits(float(stdtrit(n - 2, (1 + confidence) / 2)))
    return JackknifeCorrelation(value, low, high, n, influence, method, confidence)


def _largest(n: int, name: str) -> float:
    """Return the largest value that a coefficient without one of the points is counted with, half a step below 1."""
    steps = {"spearman": 6 / (n * (n * n - 1)), "kendall": 2 / (n * (n - 1)), "kendall-c": 2 / (n * (n - 1))}
    return float(1 - steps.get(name, 1e-12))


def contrast_correlations(
    correlations: Sequence[JackknifeCorrelation], *, best: int = 0, confidence: float = 0.95, seed: Seed = 0
) -> tuple[CorrelationContrast, ...]:
    """Return every correlation less that of `best`, all over the same systems, in order (the best less itself is 0).

    t is the difference of Fisher's z by its jackknife error. The interval holds the differences of all pairs of
    correlations that are at most c errors from these (an ellipse, as both rest on the same systems), c the quantile of
    max|t| over all pairs of metrics, as the best one was chosen by looking at all. So it leaves out 0 where p is below
    1 - confidence, and only there. NaN where an interval of one of the two is.

    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(20, 1))
    >>> h, good, poor = (quality + s * rng.normal(size=(20, 30)) for s in (1, 1, 9))
    >>> _, worse = contrast_correlations([jackknife(h, good), jackknife(h, poor)])
    >>> round(worse.difference, 2), worse.high < 0, worse.pvalue < 0.05
    (-0.61, True, True)
    """
    fraction(confidence, "confidence")
    quantiles = _MaxT(correlations, seed)
    critical = quantiles.critical(confidence)
    rows = []
    for other in correlations:
        if other is correlations[best]:
            rows.append(CorrelationContrast(0.0, 0.0, 0.0, 1.0))
        else:
            rows.append(_contrast(other, correlations[best], critical, quantiles))
    return tuple(rows)


class _MaxT:
    """The distribution of the largest |t| over all pairs of correlations, from their influences.

    Influences are multiplied by normal draws, the same for all pairs, and studentized anew in each draw: the error by
    the jackknife is uncertain too, and not in the same way for all pairs. Draws are brought to the scale of t by the
    share of all |t*| at or above them, as in `paired_contrasts`.
    """

    def __init__(self, correlations: Sequence[JackknifeCorrelation], seed: Seed) -> None:
        self.n = n = correlations[0].n
        pairs = [a.influence - b.influence for a, b in combinations(correlations, 2)]
        lengths = [float(np.linalg.norm(pair)) for pair in pairs]
        spreads = [pair / length for pair, length in zip(pairs, lengths, strict=True) if length > _NO_SPREAD]
        self.samples: Array | None = None
        if len(spreads) < 2:
            return
        from scipy.special import stdtrit

        from .resampling import generator

        draws = max(_MIN_DRAWS, min(_DRAWS, _MOST_VALUES // len(spreads)))
        normal, spread = generator(seed).standard_normal((draws, n)), np.array(spreads).T
        largest, size = np.zeros(draws), []
        for start in range(0, spread.shape[1], 256):
            some = spread[:, start : start + 256]
            total = normal @ some
            variance = (normal**2 @ some**2 - total**2 / n) * n / (n - 1)
            t = np.abs(total) / np.sqrt(np.maximum(variance, 1e-300))
            np.maximum(largest, t.max(axis=1), out=largest)
            size.append(t.ravel())
        every = np.sort(np.concatenate(size))
        share = (len(every) - np.searchsorted(every, largest) - 0.5) / len(every)
        self.samples = np.sort(-stdtrit(n - 2, share / 2))

    def critical(self, confidence: float) -> float:
        from scipy.special import stdtrit

        if self.samples is None:
            return float(stdtrit(self.n - 2, (1 + confidence) / 2))
        return float(np.quantile(self.samples, confidence))

    def pvalue(self, t: float) -> float:
        from scipy.special import stdtr

        if self.samples is None:
            return float(2 * stdtr(self.n - 2, -t))
        beyond = len(self.samples) - np.searchsorted(self.samples, t)
        return float((1 + beyond) / (1 + len(self.samples)))


def _contrast(
    one: JackknifeCorrelation, other: JackknifeCorrelation, critical: float, quantiles: _MaxT
) -> CorrelationContrast:
    difference, nan = one.value - other.value, float("nan")
    if np.isnan([one.low, other.low]).any() or np.isnan([one.influence, other.influence]).any():
        return CorrelationContrast(difference, nan, nan, nan)
    if one.perfect or other.perfect:  # bounds that do not follow t: the widest difference, and no p-value
        return CorrelationContrast(difference, one.low - other.high, one.high - other.low, nan)
    error = float(np.linalg.norm(one.influence - other.influence))
    apart = float(np.arctanh(one.value) - np.arctanh(other.value))
    if error < _NO_SPREAD:
        return CorrelationContrast(difference, difference, difference, 1.0 if abs(apart) < _NO_SPREAD else nan)
    differences = _plausible_differences(one, other, critical)
    pvalue = quantiles.pvalue(abs(apart) / error)
    return CorrelationContrast(difference, float(differences.min()), float(differences.max()), pvalue)


def _plausible_differences(one: JackknifeCorrelation, other: JackknifeCorrelation, critical: float) -> Array:
    """Return tanh(x) - tanh(y) around the ellipse of pairs of z that are `critical` standard errors away."""
    spread = np.array([one.influence, other.influence])
    left, scale, _ = np.linalg.svd(spread, full_matrices=False)
    circle = np.array([np.cos(_ANGLES), np.sin(_ANGLES)])
    z = np.arctanh([[one.value], [other.value]]) + critical * (left * scale) @ circle
    r = np.tanh(z)
    return np.asarray(r[0] - r[1])
