"""Correlation of two vectors of scores: Pearson, Spearman, Kendall and NDCG.

A pair with NaN on either side is left out. Fewer than three pairs, or a constant side: NaN with an UndefinedWarning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, at_least, choice, floats, moderate, same_shape, warn_undefined
from .vectorized_correlation import DISCOUNTS, MIN_POINTS, coefficients, split_method

PERFECT = 1 - 1e-12  # |r| above it is 1 but for rounding


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Return Pearson's r. 0/0 (a constant side) is NaN.

    >>> round(pearson([1, 2, 3, 4], [1, 2, 4, 3]), 3)
    0.8
    """
    return coefficient(x, y, method="pearson")


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Return Spearman's rho: Pearson's r of midranks. 0/0 (a constant side) is NaN.

    >>> round(spearman([1, 2, 3, 40], [1, 2, 4, 4]), 3)
    0.949
    """
    return coefficient(x, y, method="spearman")


def kendall(x: ArrayLike, y: ArrayLike, *, variant: str = "b") -> float:
    """Return Kendall's tau-b = (C - D) / sqrt(pairs untied in x * pairs untied in y), or Stuart's tau-c.

    tau-c = 2 (C - D) / (n^2 (c - 1) / c) with c the smaller number of distinct values. 0/0 is NaN.

    >>> round(kendall([1, 2, 3, 4], [1, 2, 4, 4]), 3)
    0.913
    >>> round(kendall([1, 2, 3, 4], [1, 2, 4, 4], variant="c"), 3)
    0.938
    """
    choice(variant, "variant", ("b", "c"))
    return coefficient(x, y, method="kendall" if variant == "b" else "kendall-c")


def ndcg(h: ArrayLike, m: ArrayLike, *, gain: str = "linear", top: int | None = None, discount: str = "log") -> float:
    """Return how well ranking by the metric m brings the highest human scores h to the top.

    DCG = sum gain(h) d(rank), divided by the DCG of the best order; ties in m share the mean of their discounts. gain
    is h itself ("linear") or 2^h - 1 ("exponential"); d is 1 / log2(1 + rank) ("log"), 1 / rank ("reciprocal") or 1
    ("none"), and 0 beyond the first `top` ranks (default: all count). Constant human scores, which have no order, and
    gains that are all 0: NaN. Peyrard et al. (2017), section 3, use NDCG without naming the gain; linear and log are
    what scikit-learn computes. As a method elsewhere: "ndcg", "ndcg@5", "ndcg(top=5, discount=reciprocal)".

    >>> round(ndcg([3, 2, 0, 1], [.9, .8, .7, .1]), 3)
    0.985
    >>> round(ndcg([3, 2, 0, 1], [.1, .9, .7, .8], top=2), 3)
    0.617
    """
    choice(gain, "gain", ("linear", "exponential"))
    choice(discount, "discount", tuple(DISCOUNTS))
    options = [f"discount={discount}", *([] if top is None else [f"top={at_least(top, 'top', 1)}"])]
    human = floats(h, "h", ndim=1)
    gains = np.exp2(human) - 1.0 if gain == "exponential" else human
    return coefficient(gains, m, method=f"ndcg({','.join(options)})")


def coefficient(x: ArrayLike, y: ArrayLike, *, method: str = "pearson") -> float:
    """Correlate by the name of the method: pearson, spearman, kendall (tau-b), kendall-c, ndcg (x = human, y = metric).

    >>> coefficient([1, 2, 3, float("nan")], [2, 4, 6, 0], method="kendall")
    1.0
    """
    split_method(method)
    a, b = floats(x, "x", ndim=1), floats(y, "y", ndim=1)
    same_shape("x", a, "y", b)
    present = ~(np.isnan(a) | np.isnan(b))
    a, b = moderate(a[present]), moderate(b[present])
    check_gains(a, method)
    value = _one(a, b, method)
    if np.isnan(value):
        warn_undefined(f"{method} of {why_undefined(a, b)}")
    return value


def perfect_bound(n: int, *, method: str = "pearson", confidence: float = 0.95) -> float:
    """Return the lower bound of a correlation that is 1 in a sample of n points.

    n // 2 pairs of points without a point in common are independent, and all of them are in the same order on both
    sides: at this confidence the share of such pairs, which is (1 + tau) / 2, is at least
    (1 - confidence)^(1 / (n // 2)). Pearson's r and Spearman's rho are those of normal variables with this tau
    (Kruskal 1958).

    >>> [round(perfect_bound(n, method="kendall"), 2) for n in (8, 20, 100)]
    [-0.05, 0.48, 0.88]
    """
    tau = 2 * (1 - confidence) ** (1 / (n // 2)) - 1
    if method.startswith("kendall"):
        return float(tau)
    r = np.sin(np.pi * tau / 2)
    return float(r if method == "pearson" else 6 / np.pi * np.arcsin(r / 2))


def check_gains(h: Array, method: str) -> None:
    """Raise if NDCG is asked for with negative gains, for which it has no best order of 1."""
    if split_method(method)[0] == "ndcg" and h.size and np.nanmin(h, initial=0.0) < 0:
        raise InputError(f"ndcg needs human scores of at least 0, got {np.nanmin(h)}; shift the scale")


def why_undefined(a: Array, b: Array) -> str:
    """Say in words why two vectors have no correlation."""
    if len(a) < MIN_POINTS:
        return f"{len(a)} complete pair(s); at least {MIN_POINTS} are needed"
    return f"{len(a)} pairs of which one side is constant"


def _one(a: Array, b: Array, method: str) -> float:
    x, y = (b, a) if split_method(method)[0] == "ndcg" else (a, b)
    return float(coefficients(x, y, method=method))
