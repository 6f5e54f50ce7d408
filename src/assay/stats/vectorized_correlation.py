"""Correlation coefficients of many vector pairs at once, each pair with its own values (and perhaps weights).

All functions work along the last axis and broadcast the others. A weight says how often a point was drawn, so that a
resample needs no copies. Undefined is NaN, silently: the callers count and warn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .checks import Array, Bools

METHODS = ("pearson", "spearman", "kendall", "kendall-c", "ndcg")
DISCOUNTS: dict[str, Callable[[Array], Array]] = {
    "log": lambda rank: 1.0 / np.log2(1.0 + rank),
    "reciprocal": lambda rank: 1.0 / rank,
    "none": np.ones_like,
}
_NDCG = re.compile(r"ndcg(?:@(?P<at>\d+)|\((?P<options>[^()]*)\))")
CONSTANT = 1e-13  # a vector with a deviation below this share of its mean differs by rounding only
MIN_POINTS = 3  # points; two points always correlate perfectly
MIN_IN_GROUP = {"kendall": 2, "kendall-c": 2}  # a mean of tau over groups of two is a share of pairs in agreement
LONG = 1500  # points from which SciPy's merge sort, one pair of vectors at a time, is quicker than comparing all pairs


@lru_cache
def split_method(method: str) -> tuple[str, int | None, str]:
    """Return the name of a method, and for NDCG how many ranks count (None: all) and the discount.

    >>> split_method("ndcg@5"), split_method("ndcg(top=3, discount=reciprocal)"), split_method("kendall")
    (('ndcg', 5, 'log'), ('ndcg', 3, 'reciprocal'), ('kendall', None, 'log'))
    """
    if method in METHODS:
        return method, None, "log"
    match = _NDCG.fullmatch(method.replace(" ", ""))
    pairs = [option.partition("=")[::2] for option in ((match and match["options"]) or "").split(",") if option]
    options = dict(pairs)
    top, discount = (match and match["at"]) or options.pop("top", None), options.pop("discount", "log")
    if not match or options or discount not in DISCOUNTS or not (top is None or (top.isdigit() and int(top) > 0)):
        raise InputError(
            f"method must be one of {', '.join(METHODS)}, or ndcg(top=5, discount=log) with a discount of "
            f"{', '.join(DISCOUNTS)}, got {method!r}"
        )
    return "ndcg", None if top is None else int(top), discount


def fewest_points(method: str, level: str) -> int:
    """Return how many points a correlation needs: three, but two for Kendall where many groups are averaged.

    >>> fewest_points("kendall", "item"), fewest_points("kendall", "system"), fewest_points("pearson", "item")
    (2, 3, 3)
    """
    return MIN_IN_GROUP.get(method, MIN_POINTS) if level in ("item", "per-system") else MIN_POINTS


def coefficients(
    x: Array, y: Array, *, method: str = "pearson", weights: Array | None = None, fewest: int = MIN_POINTS
) -> Array:
    """Correlate x with y along the last axis; a pair with NaN on either side counts as not there.

    NaN where fewer than `fewest` points are left or either side is constant.

    >>> coefficients(np.array([[1.0, 2, 3], [3, 2, 1]]), np.array([1.0, 2, 4])).round(3)
    array([ 0.982, -0.982])
    """
    valid, x, y = _pairs(x, y)
    w = _masked_weights(valid, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        name, top, discount = split_method(method)
        r = _ndcg(x, y, w, top, discount) if name == "ndcg" else _KERNELS[name](x, y, w)
    count = np.float64(x.shape[-1]) if w is None else w.sum(axis=-1)
    return np.where(count >= fewest, r, np.nan)


def _pairs(x: Array, y: Array) -> tuple[Bools | None, Array, Array]:
    """Return which pairs are whole (None = all) and both sides with 0 elsewhere, where the weight is 0 too."""
    missing = np.isnan(x) | np.isnan(y)
    if not missing.any():
        return None, x, y
    return ~missing, np.where(missing, 0.0, x), np.where(missing, 0.0, y)


def _masked_weights(valid: Bools | None, weights: Array | None) -> Array | None:
    if valid is None:
        return weights
    return valid.astype(np.float64) if weights is None else np.where(valid, weights, 0.0)


def _pearson(x: Array, y: Array, w: Array | None) -> Array:
    dx, _, vx = _center(x, w)
    _, drawn, vy = _center(y, w)
    cov = np.einsum("...n,...n->...", dx, drawn)
    return np.asarray(np.clip(cov / np.sqrt(vx * vy), -1.0, 1.0))


def _center(x: Array, w: Array | None) -> tuple[Array, Array, Array]:
    """Return deviations from the mean, the same times the weights, and the sum of squares, NaN where x is constant."""
    n = np.float64(x.shape[-1]) if w is None else w.sum(axis=-1)
    mean = (x.sum(axis=-1) if w is None else np.einsum("...n,...n->...", x, w)) / n
    d = x - mean[..., None]
    drawn = d if w is None else d * w
    v = np.einsum("...n,...n->...", d, drawn)
    return d, drawn, np.where(v <= n * (CONSTANT * mean) ** 2, np.nan, v)


def _spearman(x: Array, y: Array, w: Array | None) -> Array:
    return _pearson(midranks(x, w), midranks(y, w), w)


def midranks(x: Array, w: Array | None = None) -> Array:
    """Rank along the last axis, 1 = smallest, ties share the mean of their ranks; a weight of t counts as t ties.

    >>> midranks(np.array([10.0, 30, 20, 30]))
    array([1. , 3.5, 2. , 3.5])
    >>> midranks(np.array([10.0, 30, 20]), np.array([2.0, 1, 1]))
    array([1.5, 4. , 3. ])
    """
    below, through, order = _counts(x, w)
    return _scatter((below + through + 1.0) / 2.0, order)


def _counts(x: Array, w: Array | None) -> tuple[Array, Array, NDArray[np.intp]]:
    """Return, in sorted order, the weight of the points strictly below each and of those not above, and the order."""
    shape = x.shape if w is None else np.broadcast_shapes(x.shape, w.shape)
    x = np.broadcast_to(x, shape)
    order = np.argsort(x, axis=-1)
    xs = np.sort(x, axis=-1)
    if w is None:
        after = np.broadcast_to(np.arange(1.0, x.shape[-1] + 1.0), shape)
        before = after - 1.0
    else:
        ws = np.take_along_axis(np.broadcast_to(w, shape), order, axis=-1)
        after = np.cumsum(ws, axis=-1)
        before = after - ws
    step = xs[..., 1:] != xs[..., :-1]
    if not step.all():
        edge = np.ones((*shape[:-1], 1), dtype=bool)
        first, last = np.concatenate([edge, step], axis=-1), np.concatenate([step, edge], axis=-1)
        before = np.maximum.accumulate(np.where(first, before, 0.0), axis=-1)
        after = np.minimum.accumulate(np.where(last, after, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    return before, after, order


def _scatter(values: Array, order: NDArray[np.intp]) -> Array:
    out = np.empty(order.shape)
    np.put_along_axis(out, order, values, axis=-1)
    return out


def _kendall(x: Array, y: Array, w: Array | None) -> Array:
    """tau-b = (C - D) / sqrt(pairs untied in x * pairs untied in y)."""
    if x.shape[-1] > LONG:
        return _by_merging(x, y, w, "b")
    agree, in_x, in_y = _concordance(x, y, w)
    return np.where((in_x > 0) & (in_y > 0), agree / np.sqrt(in_x * in_y), np.nan)


def _kendall_c(x: Array, y: Array, w: Array | None) -> Array:
    """tau-c = 2 (C - D) / (n^2 (c - 1) / c), c the smaller number of distinct values."""
    if x.shape[-1] > LONG:
        return _by_merging(x, y, w, "c")
    agree, _, _ = _concordance(x, y, w)
    n = np.float64(x.shape[-1]) if w is None else w.sum(axis=-1)
    c = np.minimum(_distinct(x, w), _distinct(y, w))
    return np.where(c > 1, 2.0 * agree * c / (n * n * (c - 1.0)), np.nan)


def _by_merging(x: Array, y: Array, w: Array | None, variant: str) -> Array:
    """Correlate long vectors one by one in O(n log n)."""
    from scipy.stats import kendalltau

    w = np.ones(x.shape[-1]) if w is None else w
    xs, ys, ws = np.broadcast_arrays(x, y, w)
    out = np.full(xs.shape[:-1], np.nan)
    for at in np.ndindex(out.shape):
        a, b = (np.repeat(v[at], ws[at].astype(np.intp)) for v in (xs, ys))
        if len(a) > 1 and np.ptp(a) > 0 and np.ptp(b) > 0:
            out[at] = kendalltau(a, b, variant=variant, method="asymptotic").statistic
    return out


def _concordance(x: Array, y: Array, w: Array | None) -> tuple[Array, Array, Array]:
    """Return C - D and the numbers of pairs untied in x and in y, each point against all later ones at once.

    Points come first and the stack last in memory, so that the inner loops are long; counts are exact in `kind`.
    """
    n = x.shape[-1]
    kind: type[np.floating[Any]] = np.float32 if n < (4096 if w is None else 1024) else np.float64
    depth = max(x.ndim, y.ndim, 0 if w is None else w.ndim)
    xs, ys = _last(x, depth), _last(y, depth)
    ws = np.ones((n,) + (1,) * (depth - 1), kind) if w is None else _last(w, depth).astype(kind)
    shape = np.broadcast_shapes(xs.shape[1:], ys.shape[1:], ws.shape[1:])
    agree, in_x, in_y = np.zeros(shape, kind), np.zeros(shape, kind), np.zeros(shape, kind)
    tied = bool((np.diff(np.sort(x, axis=-1), axis=-1) == 0).any())
    for i in range(n - 1):
        both, sy = ws[i + 1 :] * ws[i], _signs(ys, i)
        order, up = sy * both, (xs[i + 1 :] > xs[i]).astype(kind)
        agree += 2 * _over_points(up, order) - order.sum(axis=0)
        in_y += _over_points((sy != 0).astype(kind), both)
        in_x += both.sum(axis=0)
        if tied:  # a tie is not a step down
            same = (xs[i + 1 :] == xs[i]).astype(kind)
            agree += _over_points(same, order)
            in_x -= _over_points(same, both)
    return agree.T.astype(np.float64), in_x.T.astype(np.float64), in_y.T.astype(np.float64)


def _over_points(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Sum a * b over the first axis, by quicker roads where b is the same along whole axes."""
    if b.size == len(b):
        return np.asarray((b.ravel() @ a.reshape(len(a), -1)).reshape(a.shape[1:]))
    if a.ndim == b.ndim == 3 and b.shape[1] == 1:
        return np.asarray(np.einsum("pkb,pb->kb", a, b[:, 0]))
    return np.asarray(np.einsum("p...,p...->...", a, b))


def _last(a: Array, depth: int) -> Array:
    """Return the array with its axes in reverse order, points first, padded to `depth` axes."""
    return np.ascontiguousarray(a.reshape((1,) * (depth - a.ndim) + a.shape).T)


def _signs(x: Array, i: int) -> NDArray[np.int8]:
    """Return the signs of x[i + 1:] - x[i] without rounding."""
    up, down = x[i + 1 :] > x[i], x[i + 1 :] < x[i]
    signs: NDArray[np.int8] = up.view(np.int8) - down.view(np.int8)
    return signs


def _distinct(x: Array, w: Array | None) -> Array:
    """Count the different values among the points that are there."""
    xs = np.sort(x if w is None else np.where(w > 0, x, np.nan), axis=-1)
    present = ~np.isnan(xs)
    new = (xs[..., 1:] != xs[..., :-1]) & present[..., 1:]
    count: Array = new.sum(axis=-1, dtype=np.float64) + present[..., :1].sum(axis=-1)  # no points: none
    return count


def _ndcg(m: Array, h: Array, w: Array | None, top: int | None, discount: str) -> Array:
    """sum_i h_i d(rank of i by m) / the same with the best order; ties share their mean d. Constant h has no order."""
    gain = h if w is None else h * w
    dcg, ideal = (_mean_discount(-v, w, top, discount) for v in (m, h))
    best = np.einsum("...n,...n->...", gain, ideal)
    return np.where((best > 0) & (_distinct(h, w) > 1), np.einsum("...n,...n->...", gain, dcg) / best, np.nan)


def _mean_discount(x: Array, w: Array | None, top: int | None, discount: str) -> Array:
    below, through, order = _counts(x, w)
    ranks = np.arange(1.0, int(through.max(initial=0.0)) + 1.0)
    discounts = np.where(ranks <= (top or np.inf), DISCOUNTS[discount](ranks), 0.0)
    table = np.concatenate([[0.0], np.cumsum(discounts)])
    tied = np.maximum(through - below, 1.0)
    return _scatter((table[through.astype(np.intp)] - table[below.astype(np.intp)]) / tied, order)


_KERNELS = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": _kendall,
    "kendall-c": _kendall_c,
}
