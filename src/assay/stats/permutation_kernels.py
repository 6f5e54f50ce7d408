"""Correlations of two metrics after many random swaps of their cells: sums that are linear or quadratic in the signs.

A cell's sign s is +1 if the two metrics x and y keep their scores there and -1 if they swap them. With m = (x + y) /
2 and d = (x - y) / 2 the swapped metrics are m + s d and m - s d, so every sum Pearson's r needs is linear in s.
Whether the swapped scores of two points i and l stand in one order or the other is a + b s_i + c s_l + e s_i s_l, so
C - D and the covariance of ranks are quadratic in s, and where no ties can arise their difference between both
metrics is linear.

A kernel takes keep (draws x groups x points, 1 = keep, 0 = swap) and returns the coefficients of both swapped metrics,
each draws x groups. Missing cells (NaN in all of x, y, z) do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import Array
from .vectorized_correlation import MIN_POINTS, coefficients
from .weighted_correlation import SMALL, UNSAFE

SwapKernel = Callable[[NDArray[np.uint8]], tuple[Array, Array]]


def swap_kernel(x: Array, y: Array, z: Array, *, method: str, fewest: int = MIN_POINTS) -> SwapKernel:
    """Return the kernel for groups x points of two metrics x and y and people z.

    Only differences of the two coefficients, averaged over groups, may be used: a part that is common to both is left
    out where it cancels.
    """
    if method == "pearson":
        return _pearson_kernel(x, y, z)
    if method in ("spearman", "kendall") and x.shape[1] <= SMALL:
        return _rank_kernel(x, y, z, method, fewest)
    return lambda keep: _swap_and_correlate(x, y, z, keep, method, fewest)


def _swap_and_correlate(
    x: Array, y: Array, z: Array, keep: NDArray[np.uint8], method: str, fewest: int
) -> tuple[Array, Array]:
    """Swap the scores and correlate: the plain way, for what has no shortcut."""
    own = keep.astype(bool)
    a, b = np.where(own, x, y), np.where(own, y, x)
    return coefficients(a, z, method=method, fewest=fewest), coefficients(b, z, method=method, fewest=fewest)


def _pearson_kernel(x: Array, y: Array, z: Array) -> SwapKernel:
    present = ~np.isnan(z)
    n = present.sum(axis=1).astype(np.float64)
    count = np.maximum(n, 1)[:, None]
    middle = (x + y) / 2.0
    middle -= np.nansum(middle, axis=1, keepdims=True) / count  # a shift of both metrics within a group changes nothing
    mid, dif = np.nan_to_num(middle), np.nan_to_num((x - y) / 2.0)
    people = np.nan_to_num(z - np.nansum(z, axis=1, keepdims=True) / count)
    vz = (people * people).sum(axis=1)
    vz = np.where(np.isnan(coefficients(z, z)), np.nan, vz)
    linear = np.stack([dif, 2 * mid * dif, dif * people], axis=2)
    even = np.stack([mid.sum(axis=1), (mid * mid + dif * dif).sum(axis=1), (mid * people).sum(axis=1)])
    base = linear.sum(axis=1).T

    def side(odd: Array, sign: float, keep: NDArray[np.uint8]) -> Array:
        s1, s2, sz = even[:, None, :] + sign * odd
        with np.errstate(invalid="ignore", divide="ignore"):
            v = s2 - s1 * s1 / n
            r: Array = np.clip(sz / np.sqrt(v * vz), -1.0, 1.0)  # people are centred, so s1 times their sum is 0
            unsafe = (v <= UNSAFE * s2) & (n >= MIN_POINTS)
        if unsafe.any():
            b, g = np.nonzero(unsafe)
            own = (keep[b, g] > 0) == (sign > 0)
            r[unsafe] = coefficients(np.where(own, x[g], y[g]), z[g])
        r[:, n < MIN_POINTS] = np.nan
        return r

    def kernel(keep: NDArray[np.uint8]) -> tuple[Array, Array]:
        sums = np.matmul(keep.astype(np.float64).swapaxes(0, 1), linear)  # groups x draws x 3
        odd = 2.0 * sums.transpose(2, 1, 0) - base[:, None, :]
        return side(odd, 1.0, keep), side(odd, -1.0, keep)

    return kernel


def _rank_kernel(x: Array, y: Array, z: Array, method: str, fewest: int) -> SwapKernel:
    n = (~np.isnan(z)).sum(axis=1).astype(np.float64)
    tied = _may_tie(np.concatenate([x, y], axis=1))
    const, linear, quad, vz = _forms(x, y, z, method, tied)
    power, scale = (3, 12.0) if method == "spearman" else (2, 2.0)
    vz = np.where((vz > 0) & (n >= fewest), vz, np.nan)
    whole = (n**power - n) / scale
    classes = [_tie_classes(x[g], y[g]) for g in range(len(x))] if tied else []

    def spread(keep: NDArray[np.uint8]) -> tuple[Array, Array]:
        """Return the variance of ranks (or untied pairs) of both: (n^p - n - sum over ties of t^p - t) / scale."""
        va, vb = np.tile(whole, (len(keep), 1)), np.tile(whole, (len(keep), 1))
        for g, (member, offset, size) in enumerate(classes):
            t = keep[:, g].astype(np.float64) @ member + offset
            va[:, g] -= (t**power - t).sum(axis=1) / scale
            vb[:, g] -= ((size - t) ** power - (size - t)).sum(axis=1) / scale
        return np.where(va > 0, va, np.nan), np.where(vb > 0, vb, np.nan)

    def kernel(keep: NDArray[np.uint8]) -> tuple[Array, Array]:
        s = (2 * keep.astype(linear.dtype) - 1).swapaxes(0, 1)  # groups x draws x points
        odd = np.matmul(s, linear[:, :, None])[:, :, 0].T.astype(np.float64)
        if not tied:
            with np.errstate(invalid="ignore", divide="ignore"):
                r = odd / np.sqrt(vz * whole)
            return r, -r
        even = const + np.einsum("gbn,gbn->bg", np.matmul(s, quad), s)
        va, vb = spread(keep)
        return (even + odd) / np.sqrt(vz * va), (even - odd) / np.sqrt(vz * vb)

    return kernel


def _may_tie(values: Array) -> bool:
    """Check if any group holds a value twice."""
    s = np.sort(values, axis=1)
    return bool((s[:, 1:] == s[:, :-1]).any())


def _order(a: Array, b: Array, kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Return the signs of a_i - b_l for i other than l, groups x points x points; 0 where either is missing."""
    signs: NDArray[Any] = (a[:, :, None] > b[:, None, :]).astype(kind)
    signs -= a[:, :, None] < b[:, None, :]
    at = np.arange(a.shape[1])
    signs[:, at, at] = 0
    return signs


def _forms(x: Array, y: Array, z: Array, method: str, tied: bool) -> tuple[Array, NDArray[Any], NDArray[Any], Array]:
    """Return constant, linear and quadratic form of half the weighted sum of order signs of swapped x, and z's spread.

    The order of pair (i, l) counts for people's centred rank of i, or for the sign of z_i - z_l. With xy the signs of
    x_i - y_l, those of y_i - x_l are its negative transpose. Constant and quadratic form are needed with ties only.
    """
    kind: type[np.floating[Any]] = np.float32 if x.shape[1] <= 128 else np.float64  # exact: sixteenths below 2^20
    weight, xx, xy, yy = _order(z, z, kind), _order(x, x, kind), _order(x, y, kind), _order(y, y, kind)
    spread = np.abs(weight).sum(axis=(1, 2), dtype=np.float64) / 2.0
    if method == "spearman":
        ranks = weight.sum(axis=2, keepdims=True) / 2
        spread, weight = (ranks * ranks).sum(axis=(1, 2), dtype=np.float64), np.broadcast_to(ranks, weight.shape)
    own, cross = xx - yy, xy + xy.swapaxes(1, 2)
    linear = ((own + cross) * weight).sum(axis=2) + ((own - cross) * weight).sum(axis=1)
    if not tied:
        return np.zeros(len(x)), linear / 8, xx[:, :0], spread
    both, mixed = xx + yy, xy - xy.swapaxes(1, 2)
    const = ((both + mixed) * weight).sum(axis=(1, 2), dtype=np.float64) / 8
    return const, linear / 8, (both - mixed) * weight / 8, spread


def _tie_classes(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return for each value held more than once: points x classes (+1 of x, -1 of y), its count in y, and in both."""
    present = ~np.isnan(x)
    values = np.concatenate([x[present], y[present]])
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    repeated = np.nonzero(counts > 1)[0]
    of_x, of_y = (np.zeros((len(x), len(repeated))) for _ in range(2))
    of_x[present] = inverse[: present.sum(), None] == repeated
    of_y[present] = inverse[present.sum() :, None] == repeated
    return of_x - of_y, of_y.sum(axis=0), counts[repeated].astype(np.float64)
