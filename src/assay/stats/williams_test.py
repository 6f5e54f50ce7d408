"""Williams' test: does one metric correlate better with people than another, on the same points?

Williams (1959), as Toutanova et al. (2016), section 4.3, use it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, at_least, floats, warn_undefined


@dataclass(frozen=True)
class Williams:
    """t and the one-sided p-value of corr(1, 2) > corr(1, 3), with n - 3 degrees of freedom."""

    statistic: float
    pvalue: float
    n: int
    df: int


@dataclass(frozen=True)
class WilliamsMatrix:
    """Entry [a, b] asks whether metric a correlates better with people than metric b; all are metrics x metrics.

    correlation[a, b] is that of metric a with people on the points where people, a and b all have a score, n of them.
    """

    statistic: Array
    pvalue: Array
    correlation: Array
    n: Array


def williams(r12: float, r13: float, r23: float, *, n: int) -> Williams:
    """Test r12 > r13 where 1 is people, 2 and 3 are metrics, and r23 is how the metrics correlate.

    t = (r12 - r13) sqrt((n - 1)(1 + r23) / (2 K (n - 1) / (n - 3) + ((r12 + r13) / 2)^2 (1 - r23)^3)),
    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23, df = n - 3. (The README of nlp-williams prints p = .209243 for the
    example below: that is n - 2 degrees of freedom. sacrerouge and nlpstats take absolute values of the correlations
    first; here a metric that runs against people is a bad one.) Two metrics with the same scores give 0/0: t = 0, p =
    .5. n < 4, a NaN, or three values that cannot be correlations of one another (K < 0): NaN with an
    UndefinedWarning.

    >>> result = williams(.65, .55, .3, n=50)
    >>> round(result.statistic, 5), round(result.pvalue, 6), result.df
    (0.81608, 0.209286, 47)
    """
    at_least(n, "n", 0)
    for name, r in (("r12", r12), ("r13", r13), ("r23", r23)):
        if abs(r) > 1 + 1e-9:  # a correlation may be 1 + 2e-16 by rounding
            raise InputError(f"{name} must be a correlation between -1 and 1, got {r}")
    whole = [np.float64(min(max(r, -1.0), 1.0)) for r in (r12, r13, r23)]
    t, p = williams_arrays(whole[0], whole[1], whole[2], n=np.float64(n))
    if np.isnan(t):
        warn_undefined(
            f"Williams' test of r12 = {r12}, r13 = {r13}, r23 = {r23} n = {n}; it needs n >= 4 and r's that go together"
        )
    return Williams(float(t), float(p), int(n), int(n) - 3)


def williams_arrays(
    r12: Array | np.float64, r13: Array | np.float64, r23: Array | np.float64, *, n: Array | np.float64
) -> tuple[Array, Array]:
    """Return t and one-sided p for arrays of correlations that broadcast; NaN where undefined, without a warning.

    >>> t, p = williams_arrays(np.array([.65, .55]), np.array([.55, .65]), np.float64(.3), n=np.float64(50))
    >>> p.round(6)
    array([0.209286, 0.790714])
    """
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
        k = np.where(k >= -1e-9, np.maximum(k, 0.0), np.nan)  # below 0 only by rounding
        under = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
        t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / under)
        t = np.where((np.abs(r12 - r13) < 1e-12) & ~np.isnan(k), 0.0, t)  # 0/0 of two metrics that are one
        t = np.where(n > 3, t, np.nan)
        return t, stdtr(np.maximum(n - 3, 1), -t)


def williams_matrix(h: ArrayLike, ms: ArrayLike) -> WilliamsMatrix:
    """Test every metric (rows of ms, metrics x points) against every other on the same points as h.

    Each pair of metrics is tested on the points where both and people have a score. Fewer than four such points, a
    constant metric or two opposite ones (r23 = -1 is 0/0): NaN, with one UndefinedWarning for all of them. The
    diagonal is t = 0, p = .5.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=200)
    >>> ms = h + np.array([[.2], [2.], [2.]]) * rng.normal(size=(3, 200))
    >>> williams_matrix(h, ms).pvalue.round(2)
    array([[0.5 , 0.  , 0.  ],
           [1.  , 0.5 , 0.46],
           [1.  , 0.54, 0.5 ]])
    """
    people, metrics = floats(h, "h", ndim=1), floats(ms, "ms", ndim=2)
    if metrics.shape[1] != len(people):
        raise InputError(f"each metric must have the {len(people)} points of h, got {metrics.shape[1]}")
    tests = williams_stack(people[None], metrics[None])
    t = tests.statistic[0]
    if np.isnan(t).any():
        warn_undefined(
            f"Williams' test of {int(np.isnan(t).sum())} of {t.size} pairs: constant or opposite scores, or n < 4"
        )
    return WilliamsMatrix(t, tests.pvalue[0], tests.correlation[0], tests.n[0])


def williams_stack(h: ArrayLike, ms: ArrayLike) -> WilliamsMatrix:
    """Do `williams_matrix` for a stack of samples at once: h is samples x points, ms samples x metrics x points.

    Every array of the result has the samples first. Undefined is NaN, without a warning. A sample gets the same digits
    whatever is computed along with it.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(2, 200))
    >>> ms = h[:, None] + np.array([[.2], [2.]]) * rng.normal(size=(2, 2, 200))
    >>> williams_stack(h, ms).pvalue.round(2).tolist()
    [[[0.5, 0.0], [1.0, 0.5]], [[0.5, 0.0], [1.0, 0.5]]]
    """
    people, metrics = floats(h, "h", ndim=2), floats(ms, "ms", ndim=3)
    whole = not (np.isnan(people).any() or np.isnan(metrics).any())
    r, between, n = _whole_trios(people, metrics) if whole else _trios(people, metrics)
    t, p = williams_arrays(r, np.swapaxes(r, -1, -2), between, n=n)
    return WilliamsMatrix(t, p, r, n)


def _trios(h: Array, ms: Array) -> tuple[Array, Array, Array]:
    """Return corr(h, a) and corr(a, b) on the points that h, a and b share, and their number, for all a and b."""
    people = h[:, None]
    present = (~np.isnan(ms) & ~np.isnan(people)).astype(np.float64)
    x, y = _standard(np.where(present > 0, ms, np.nan)), np.nan_to_num(_standard(people))
    return _correlations(x, present * y, present)


def _whole_trios(h: Array, ms: Array) -> tuple[Array, Array, Array]:
    """Do `_trios` where nothing is missing, which takes a third of the time and gives the same digits."""
    x, y = _whole_standard(ms), _whole_standard(h[:, None])
    return _correlations(x, np.ascontiguousarray(np.broadcast_to(y, x.shape)), np.ones(x.shape[1:]))


def _correlations(x: Array, y: Array, present: Array) -> tuple[Array, Array, Array]:
    """Return what `_trios` does from standard scores: x of metrics, y of people for each metric, 0 where missing."""
    others = np.swapaxes(present, -1, -2)
    n = present @ others
    with np.errstate(invalid="ignore", divide="ignore"):
        sx, sxx, sxy = x @ others, (x * x) @ others, (x * y) @ others  # [a, b]: of a, where b is there too
        sy, syy = y @ others, (y * y) @ others
        vx, vy = sxx - sx * sx / n, syy - sy * sy / n
        vx = np.where(vx > 1e-12 * n, vx, np.nan)
        r = (sxy - sx * sy / n) / np.sqrt(vx * np.where(vy > 1e-12 * n, vy, np.nan))
        xx, sx_b, vx_b = x @ np.swapaxes(x, -1, -2), np.swapaxes(sx, -1, -2), np.swapaxes(vx, -1, -2)
        between = (xx - sx * sx_b / n) / np.sqrt(vx * vx_b)
    own = np.arange(x.shape[1])
    between[:, own, own] = np.where(np.isnan(r[:, own, own]), np.nan, 1.0)
    return np.clip(r, -1.0, 1.0), np.clip(between, -1.0, 1.0), np.broadcast_to(n, r.shape)


def _standard(a: Array) -> Array:
    """Centre each row on its mean and divide by its deviation; missing and constant rows become 0."""
    present = ~np.isnan(a)
    n = np.maximum(present.sum(axis=-1, keepdims=True), 1)
    d = np.where(present, a - np.where(present, a, 0.0).sum(axis=-1, keepdims=True) / n, 0.0)
    scale = np.abs(a).max(axis=-1, keepdims=True, initial=0.0, where=present)
    sd = np.sqrt((d * d).sum(axis=-1, keepdims=True) / n)
    sd = np.where(sd > 1e-13 * scale, sd, np.inf)
    standard: Array = d / sd
    return standard


def _whole_standard(a: Array) -> Array:
    """Do `_standard` where nothing is missing."""
    n = max(a.shape[-1], 1)
    d: Array = a - a.sum(axis=-1, keepdims=True) / n
    scale = np.maximum(a.max(axis=-1, keepdims=True, initial=0.0), -a.min(axis=-1, keepdims=True, initial=0.0))
    sd = np.sqrt((d * d).sum(axis=-1, keepdims=True) / n)
    d /= np.where(sd > 1e-13 * scale, sd, np.inf)
    return d
