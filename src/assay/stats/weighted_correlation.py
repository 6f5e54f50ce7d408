"""Correlation coefficients of fixed vectors under many weightings at once: a bootstrap as a few matrix products.

x holds K metrics x G groups x n points, y holds 1 or K x G x n, and each of the B rows of weights says how often each
point was drawn. Sums over a resample are then `weights @ values`, and nothing is copied. The answer is B x K x G.
Ranks and pair counts are whole or half numbers, so the products of the rank coefficients are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import Array
from .vectorized_correlation import LONG, MIN_POINTS, coefficients

UNSAFE = 1e-3  # below this share of the raw sum of squares, the one-pass variance loses more than three digits
BLOCK = 1_000_000  # numbers in a temporary array
SMALL = 384  # points up to which ranks are quicker as one matrix product than by cumulated weights in sorted order
EXACT = 256  # points up to which sums of products of half-ranks are exact in float32
Kernel = Callable[[Array], Array]


def prepare(x: Array, y: Array, *, method: str, fewest: int = MIN_POINTS) -> Kernel:
    """Return the function from weights (B x n) to coefficients (B x K x G); a pair with NaN counts as not there.

    `fewest` points, where fewer than three, are for Kendall alone.

    >>> kernel = prepare(np.array([[[1.0, 2, 3, 5]]]), np.array([[[1.0, 2, 4, 3]]]), method="kendall")
    >>> kernel(np.array([[1.0, 1, 1, 1], [0, 2, 1, 1]]))[:, 0, 0].round(3)
    array([0.667, 0.6  ])
    """
    x, y, present = _joint(x, y)
    if method == "pearson":
        return _pearson(x, y, present)
    if method == "spearman":
        return _spearman(x, y, present)
    if method == "kendall" and x.shape[-1] <= LONG:
        return _kendall(x, y, fewest)
    return lambda w: coefficients(x[None], y[None], method=method, weights=w[:, None, None, :], fewest=fewest)


def _joint(x: Array, y: Array) -> tuple[Array, Array, Array | None]:
    """Make missing in one missing in both; y stays shared by all metrics if nothing of it is lost."""
    missing = np.isnan(x) | np.isnan(y)
    if not missing.any():
        return x, y, None
    if (missing == np.isnan(y)).all():
        present = ~np.isnan(y)
        return np.where(missing, np.nan, x), y, present.astype(np.float64)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y), (~missing).astype(np.float64)


def _columns(a: Array) -> Array:
    """Return K x G x n as n rows of K*G columns, missing as 0."""
    return np.ascontiguousarray(np.nan_to_num(a).reshape(-1, a.shape[-1]).T)


def _pearson(x: Array, y: Array, present: Array | None) -> Kernel:
    groups = x.shape[:2]
    xs, ys = _unit(x), _unit(y)
    left = np.concatenate([_columns(xs), _columns(xs * xs), _columns(xs * ys)], axis=1)
    right = np.concatenate([_columns(ys), _columns(ys * ys)], axis=1)
    ones = None if present is None else _columns(present)

    def kernel(w: Array) -> Array:
        n = w.sum(axis=1)[:, None, None] if ones is None else (w @ ones).reshape(len(w), -1, groups[1])
        sx, sxx, sxy = (w @ left).reshape(len(w), 3, *groups).swapaxes(0, 1)
        sy, syy = (w @ right).reshape(len(w), 2, *y.shape[:2]).swapaxes(0, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            my = sy / n
            vx, vy = sxx - sx * sx / n, syy - sy * my
            enough = np.broadcast_to(n >= MIN_POINTS, vx.shape)
            bad = ((vx <= UNSAFE * sxx) | ~(vy > UNSAFE * syy)) & enough
            r: Array = np.where(enough, np.clip((sxy - sx * my) / np.sqrt(vx * vy), -1.0, 1.0), np.nan)
        if bad.any():
            r[bad] = _again(x, y, w, np.nonzero(bad), whole=present is None)
        return r

    return kernel


def _unit(a: Array) -> Array:
    """Centre each vector and scale it to deviations of about 1, so that sums of squares lose no digits."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.maximum((~np.isnan(a)).sum(axis=-1, keepdims=True), 1)
        d = a - np.nansum(a, axis=-1, keepdims=True) / n
        sd = np.sqrt(np.nansum(d * d, axis=-1, keepdims=True) / n)
        unit: Array = d / np.where(sd > 0, sd, 1.0)
    return unit


def _again(x: Array, y: Array, w: Array, where: tuple[NDArray[np.intp], ...], *, whole: bool) -> Array:
    """Compute the few coefficients that one pass cannot: those of vectors that are constant, or nearly."""
    b, k, g = where
    out = np.empty(len(b))
    if not whole and len(b) > x.shape[1]:  # of each group only the points that are there
        order = np.argsort(g, kind="stable")
        for some in np.split(order, np.flatnonzero(np.diff(g[order])) + 1):
            group = g[some[0]]
            there = ~np.isnan(y[:, group]).all(axis=0)
            xs, ys, ks = x[:, group][:, there], y[:, group][:, there], k[some]
            out[some] = coefficients(xs[ks], ys[ks if len(y) > 1 else 0 * ks], weights=w[b[some]][:, there])
        return out
    size = max(1, BLOCK // x.shape[-1])
    for start in range(0, len(b), size):
        s = slice(start, start + size)
        ky = k[s] if len(y) > 1 else np.zeros_like(k[s])
        out[s] = coefficients(x[k[s], g[s]], y[ky, g[s]], weights=w[b[s]])
    return out


def _spearman(x: Array, y: Array, present: Array | None) -> Kernel:
    ones = None if present is None else _columns(present)
    keep = x.size * x.shape[-1] <= 8 * BLOCK
    rankers = [(_ranker(x[:, g]), _ranker(y[:, g])) for g in range(x.shape[1])] if keep else None

    def kernel(w: Array) -> Array:
        r = np.empty((len(w), *x.shape[:2]))
        free = ((w.sum(axis=1) ** 3 - (w * w * w).sum(axis=1)) / 12.0)[:, None]
        drawn = w.astype(_kind(x.shape[-1]))
        for g in range(x.shape[1]):
            of_x, of_y = rankers[g] if rankers else (_ranker(x[:, g]), _ranker(y[:, g]))
            (rx, vx), (ry, vy) = of_x(drawn, free), of_y(drawn, free)
            ry *= drawn[:, None, :]  # now sums over ry are sums over the drawn points
            with np.errstate(invalid="ignore", divide="ignore"):
                r[:, :, g] = _dot(rx, ry) / np.sqrt(vx * vy)
        n = w.sum(axis=1)[:, None, None] if ones is None else (w @ ones).reshape(len(w), -1, x.shape[1])
        return np.where(n >= MIN_POINTS, np.clip(r, -1.0, 1.0), np.nan)

    return kernel


def _kind(n: int) -> type[np.floating[Any]]:
    """Return the narrowest type in which sums of products of n half-ranks are exact."""
    return np.float32 if n <= EXACT else np.float64


def _ranker(a: Array) -> Callable[[NDArray[Any], Array], tuple[NDArray[Any], Array]]:
    """Return the function from weights to B x K x n midranks minus their mean, 0 where missing, and their variance.

    A centred midrank is half of (weight below) - (weight above). Without ties the sum of squares depends on the
    weights only, (n^3 - sum of w^3) / 12, and is handed in as `free`.
    """
    tied, n = bool(_has_ties(a).any()), a.shape[1]
    signs = _signs(a, _kind(n)) if n <= SMALL else None

    def ranker(w: NDArray[Any], free: Array) -> tuple[NDArray[Any], Array]:
        if signs is None:
            ranks: NDArray[Any] = np.stack([_sorted_ranks(row, w) for row in a], axis=1)
        else:
            ranks = (w @ signs).reshape(len(w), -1, n)
        return ranks, _dot(ranks, ranks * w[:, None, :]) if tied else free

    return ranker


def _signs(a: Array, kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Return half the signs of all differences of a (K x n) as n x K*n, so that weights @ signs are centred ranks."""
    signs = (a[:, :, None] > a[:, None, :]).astype(kind) - (a[:, :, None] < a[:, None, :])
    return np.ascontiguousarray(0.5 * signs.reshape(-1, a.shape[1]).T, dtype=kind)


def _sorted_ranks(row: Array, w: Array) -> Array:
    """Rank one long vector: cumulated weights in sorted order, read at both ends of each run of ties."""
    present = np.nonzero(~np.isnan(row))[0]
    order = present[np.argsort(row[present])]
    cum = np.zeros((len(w), len(present) + 1))
    np.cumsum(w[:, order], axis=1, out=cum[:, 1:])
    out = np.zeros(w.shape)
    below = cum[:, np.searchsorted(row[order], row[present], side="left")]
    through = cum[:, np.searchsorted(row[order], row[present], side="right")]
    out[:, present] = (below + through - cum[:, -1:]) / 2.0
    return out


def _has_ties(a: Array) -> NDArray[np.bool_]:
    """Tell which vectors along the last axis hold ties or missing values."""
    s = np.sort(a, axis=-1)
    tied: NDArray[np.bool_] = (s[..., 1:] == s[..., :-1]).any(axis=-1) | np.isnan(s[..., -1])
    return tied


def _dot(a: NDArray[Any], b: NDArray[Any]) -> Array:
    """Sum a * b over points, B x K x n with B x (1 or K) x n."""
    if a.shape[1] != b.shape[1] and b.shape[1] == 1:
        return np.asarray(np.matmul(a, b.swapaxes(1, 2))[:, :, 0], dtype=np.float64)
    return np.asarray(np.einsum("bkn,bkn->bk", a, b), dtype=np.float64)


def _kendall(x: Array, y: Array, fewest: int) -> Kernel:
    """tau-b: C - D = sum over pairs of w_i w_l sgn(x_i - x_l) sgn(y_i - y_l), and likewise the untied pairs."""
    xs, ys = x.reshape(-1, x.shape[-1]), y.reshape(-1, y.shape[-1])
    x_tied, y_tied = np.nonzero(_has_ties(xs))[0], np.nonzero(_has_ties(ys))[0]
    first, second = np.triu_indices(x.shape[-1], k=1)
    size = max(1, min(BLOCK // max(len(xs), 1), 4096))
    spans = [slice(s, s + size) for s in range(0, len(first), size)]

    def block(span: slice) -> tuple[NDArray[np.float32], ...]:
        i, k = first[span], second[span]
        sx, sy = _pair_signs(xs, i, k), _pair_signs(ys, i, k)
        both = sx.reshape(len(i), *x.shape[:2]) * sy.reshape(len(i), *y.shape[:2])
        return both.reshape(len(i), -1), np.abs(sx[:, x_tied]), np.abs(sy[:, y_tied])

    stored = [block(span) for span in spans] if len(first) * len(xs) <= 8 * BLOCK else None

    def kernel(w: Array) -> Array:
        agree = np.zeros((len(w), len(xs)))
        in_x, in_y = np.zeros((len(w), len(x_tied))), np.zeros((len(w), len(y_tied)))
        small = w.astype(np.float32)
        for at, span in enumerate(spans):
            drawn = small[:, first[span]] * small[:, second[span]]
            for total, signs in zip((agree, in_x, in_y), stored[at] if stored else block(span), strict=True):
                total += drawn @ signs
        pairs = (w.sum(axis=1) ** 2 - (w * w).sum(axis=1)) / 2.0
        untied_x, untied_y = _untied_pairs(pairs, in_x, x_tied, xs), _untied_pairs(pairs, in_y, y_tied, ys)
        both = untied_x.reshape(len(w), *x.shape[:2]) * untied_y.reshape(len(w), *y.shape[:2])
        enough = _points(xs, w).reshape(-1, *x.shape[:2]) >= fewest
        with np.errstate(invalid="ignore", divide="ignore"):
            tau = agree.reshape(both.shape) / np.sqrt(both)
        return np.where(enough & (both > 0), np.clip(tau, -1.0, 1.0), np.nan)

    return kernel


def _pair_signs(a: Array, i: NDArray[np.intp], k: NDArray[np.intp]) -> NDArray[np.float32]:
    ai, ak = a.T[i], a.T[k]
    return (ai > ak).astype(np.float32) - (ai < ak)


def _untied_pairs(pairs: Array, counted: Array, tied: NDArray[np.intp], a: Array) -> Array:
    """Return the untied pairs of each vector: as counted where it has ties, else all pairs of distinct points."""
    out = np.repeat(pairs[:, None], len(a), axis=1)
    out[:, tied] = counted
    return out


def _points(a: Array, w: Array) -> Array:
    """Return how many drawn points are there, B x vectors."""
    missing = np.isnan(a)
    if not missing.any():
        return np.repeat(w.sum(axis=1)[:, None], len(a), axis=1)
    return w @ (~missing).T.astype(np.float64)
