"""Many tests at once: Holm's family-wise correction, and the false discovery rates of Benjamini and co-authors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .checks import Array, fraction


@dataclass(frozen=True)
class Adjusted:
    """Adjusted p-values in the order and shape given, and which are at most alpha; NaN stays NaN and does not count."""

    pvalues: Array
    rejected: NDArray[np.bool_]
    alpha: float
    method: str
    tests: int


def holm(pvalues: ArrayLike, *, alpha: float = 0.05) -> Adjusted:
    """Control the chance of any false rejection (Holm 1979): max over j <= i of (m - j + 1) p_(j).

    >>> holm([.01, .04, .03, .005]).pvalues
    array([0.03, 0.06, 0.06, 0.02])
    """

    def step(p: Array) -> Array:
        return np.maximum.accumulate((len(p) - np.arange(len(p))) * p)

    return _adjust(pvalues, alpha, "holm", step)


def benjamini_hochberg(pvalues: ArrayLike, *, alpha: float = 0.05) -> Adjusted:
    """Control the share of false rejections (Benjamini and Hochberg 1995): min over j >= i of p_(j) m / j.

    >>> benjamini_hochberg([.01, .04, .03, .005]).pvalues
    array([0.02, 0.04, 0.04, 0.02])
    """
    return _adjust(pvalues, alpha, "benjamini-hochberg", lambda p: _discoveries(p, 1.0))


def benjamini_yekutieli(pvalues: ArrayLike, *, alpha: float = 0.05) -> Adjusted:
    """Control the same under any dependence (Benjamini and Yekutieli 2001): times the sum of 1/j up to m.

    >>> benjamini_yekutieli([.01, .04, .03, .005]).pvalues.round(4)
    array([0.0417, 0.0833, 0.0833, 0.0417])
    """
    return _adjust(
        pvalues, alpha, "benjamini-yekutieli", lambda p: _discoveries(p, (1.0 / np.arange(1, len(p) + 1)).sum())
    )


def _discoveries(p: Array, factor: float) -> Array:
    raw = p * factor * len(p) / np.arange(1, len(p) + 1)
    return np.minimum.accumulate(raw[::-1])[::-1]


def _adjust(pvalues: ArrayLike, alpha: float, method: str, step: Callable[[Array], Array]) -> Adjusted:
    p = np.asarray(pvalues, dtype=np.float64)
    fraction(alpha, "alpha")
    if ((p < 0) | (p > 1)).any():
        raise InputError(f"p-values must lie between 0 and 1, got {np.nanmin(p)} to {np.nanmax(p)}")
    flat = p.ravel()
    present = np.nonzero(~np.isnan(flat))[0]
    order = present[np.argsort(flat[present], kind="stable")]
    out = np.full(flat.shape, np.nan)
    out[order] = np.minimum(step(flat[order]), 1.0)
    adjusted = out.reshape(p.shape)
    return Adjusted(adjusted, adjusted <= alpha, alpha, method, len(present))
