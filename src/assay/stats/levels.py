"""Correlation of a metric with people at a level: of systems, within items, within systems, or over all cells.

Human scores h are systems x items and metric scores m likewise (or a stack of metrics x systems x items). NaN is
missing. Levels, with N systems i and M items j (Peyrard et al. 2017, section 3; Owczarzak 2009, section 5):

- system: corr_i(mean_j h, mean_j m);
- item (summary, input): mean over j of corr_i(h[., j], m[., j]), undefined items skipped;
- per-system (system-grouped): mean over i of corr_j(h[i, .], m[i, .]), undefined systems skipped;
- pooled (global): one correlation over all cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Bools, choice, floats, scale_free_stack, stack, warn_undefined
from .correlation import check_gains
from .vectorized_correlation import LONG, coefficients, fewest_points, split_method
from .weighted_correlation import prepare

LEVELS = ("system", "item", "per-system", "pooled")
ALIASES = {"summary": "item", "input": "item", "global": "pooled", "system-grouped": "per-system"}


@dataclass(frozen=True)
class LevelCorrelation:
    """A correlation at a level: its value, the points in the largest group, groups averaged and groups skipped."""

    value: float
    n: int
    groups: int
    skipped: int
    level: str
    method: str


@dataclass(frozen=True)
class LevelKernel:
    """The function from weights of systems (B x N) and items (B x M) to coefficients (B x K), and its cost per draw."""

    call: Callable[[Array, Array], Array]
    cost: int

    def __call__(self, systems: Array, items: Array) -> Array:
        return self.call(systems, items)


def level_name(level: str) -> str:
    """Return the level's own name for an alias.

    >>> level_name("summary")
    'item'
    """
    return choice(ALIASES.get(level, level), "level", LEVELS)


def correlate(
    h: ArrayLike, m: ArrayLike, *, level: str = "system", method: str = "pearson", paired_items: bool = True
) -> LevelCorrelation:
    """Correlate one metric with people at a level.

    At system level the means are taken over the cells that both have; with paired_items=False each side uses every cell
    it has (an error at other levels, where cells are compared one by one). A group with fewer than three points (two
    for Kendall) or a constant side is skipped; if none is left the value is NaN, with an UndefinedWarning.

    >>> h = [[1, 2, 3], [2, 3, 5], [4, 4, 4], [5, 5, 6]]
    >>> m = [[.1, .2, .1], [.3, .2, .4], [.3, .5, .2], [.6, .6, .5]]
    >>> result = correlate(h, m, level="item", method="spearman")
    >>> round(result.value, 3), result.n, result.groups
    (0.966, 4, 3)
    """
    human, ms = scale_free_stack(h, floats(m, "m", ndim=2)[None])
    per_group = group_coefficients(human, ms, level=level, method=method, paired_items=paired_items)[0]
    defined = per_group[~np.isnan(per_group)]
    skipped = len(per_group) - len(defined)
    n = _most_points(human, ms[0], level_name(level), paired_items)
    if not len(defined):
        warn_undefined(
            f"{method} at {level} level: no group of at least {fewest_points(method, level_name(level))} points "
            f"without a constant side (largest: {n})"
        )
    value = float(defined.mean()) if len(defined) else float("nan")
    return LevelCorrelation(value, n, len(defined), skipped, level_name(level), method)


def correlate_stack(
    h: ArrayLike, ms: ArrayLike, *, level: str = "system", method: str = "pearson", paired_items: bool = True
) -> Array:
    """Correlate many metrics with people at once: one value per metric, NaN where undefined.

    >>> correlate_stack([[1, 2], [2, 3], [3, 5]], [[[1, 1], [2, 2], [3, 3]], [[3, 3], [2, 2], [1, 1]]]).round(3)
    array([ 0.993, -0.993])
    """
    human, metrics = scale_free_stack(h, ms)
    kernel = level_kernel(human, metrics, level=level, method=method, paired_items=paired_items)
    return np.asarray(kernel(np.ones((1, human.shape[0])), np.ones((1, human.shape[1])))[0])


def group_coefficients(
    h: ArrayLike, ms: ArrayLike, *, level: str = "item", method: str = "pearson", paired_items: bool = True
) -> Array:
    """Return the coefficient of each metric in each group (metrics x items, say): what the level then averages.

    Peyrard et al. (2017), Table 3, count the items that fall below a threshold.

    >>> h = [[1, 2], [2, 3], [3, 3]]
    >>> group_coefficients(h, [[[1, 3], [2, 2], [3, 1]]])
    array([[ 1.       , -0.8660254]])
    """
    human, metrics = scale_free_stack(h, ms)
    split_method(method)
    check_gains(human, method)
    name = level_name(level)
    if name == "system":
        x, y = _means(human, metrics, paired_items, method)(np.ones((1, human.shape[1])))
        return np.asarray(coefficients(x, y, method=method)[0][:, None])
    _check_paired(name, paired_items)
    x, y = groups_of(human, metrics, name)
    kernel = prepare(x, y, method=method, fewest=fewest_points(method, name))
    return np.asarray(kernel(np.ones((1, x.shape[-1])))[0])


def level_kernel(h: Array, ms: Array, *, level: str, method: str, paired_items: bool = True) -> LevelKernel:
    """Return the kernel that every resampling of a level goes through; h and ms as `stack` returns them."""
    split_method(method)
    check_gains(h, method)
    name = level_name(level)
    if name == "system":
        return _system_kernel(h, ms, method, paired_items)
    _check_paired(name, paired_items)
    x, y = groups_of(h, ms, name)
    kernel = prepare(x, y, method=method, fewest=fewest_points(method, name))

    def call(systems: Array, items: Array) -> Array:
        if name == "pooled":
            return kernel((systems[:, :, None] * items[:, None, :]).reshape(len(systems), -1))[:, :, 0]
        points, groups = (systems, items) if name == "item" else (items, systems)
        return _average(kernel(points), groups)

    wide = (4 if method == "pearson" else 1) * x.shape[0] * x.shape[1] + (x.shape[-1] if name == "pooled" else 0)
    shortcut = method in ("pearson", "spearman") or (method == "kendall" and x.shape[-1] <= LONG)
    return LevelKernel(call, wide if shortcut else x.size)


def _check_paired(name: str, paired_items: bool) -> None:
    """Raise where each side was to use all of its cells, and there are no means to use them in."""
    if not paired_items:
        raise InputError(f"paired_items=False is for system level; at {name} level only cells that both have count")


def system_means(h: ArrayLike, m: ArrayLike, *, paired_items: bool = True) -> tuple[Array, Array]:
    """Return each system's mean human and metric score, over the cells that both have (or all that each has).

    >>> system_means([[1, 3], [2, float("nan")]], [[.1, .3], [.2, .8]])
    (array([2., 2.]), array([0.2, 0.2]))
    """
    human, ms = stack(h, floats(m, "m", ndim=2)[None])
    x, y = _means(human, ms, paired_items, "pearson")(np.ones((1, human.shape[1])))
    return y[0, 0], x[0, 0]


def _average(r: Array, groups: Array) -> Array:
    """Average B x K x G coefficients over defined groups, each counted as often as it was drawn."""
    undefined = np.isnan(r)
    if not undefined.any():
        return np.asarray(np.matmul(r, groups[:, :, None])[:, :, 0] / groups.sum(axis=1)[:, None])
    drawn = np.where(undefined, 0.0, groups[:, None, :])
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Array = np.where(undefined, 0.0, r * groups[:, None, :]).sum(axis=-1) / drawn.sum(axis=-1)
    return mean


def groups_of(h: Array, ms: Array, name: str) -> tuple[Array, Array]:
    """Return metrics as K x groups x points and people as 1 x groups x points."""
    if name == "item":
        return np.ascontiguousarray(ms.swapaxes(1, 2)), np.ascontiguousarray(h.T[None])
    if name == "per-system":
        return ms, h[None]
    return ms.reshape(len(ms), 1, -1), h.reshape(1, 1, -1)


def _system_kernel(h: Array, ms: Array, method: str, paired_items: bool) -> LevelKernel:
    means = _means(h, ms, paired_items, method)

    def call(systems: Array, items: Array) -> Array:
        x, y = means(items)
        return coefficients(x, y, method=method, weights=systems[:, None, :])

    return LevelKernel(call, ms.shape[0] * ms.shape[1])


def _means(h: Array, ms: Array, paired_items: bool, method: str) -> Callable[[Array], tuple[Array, Array]]:
    """Return the function from weights of items to means: metrics B x K x N and people B x (1 or K) x N."""
    here, present = ~np.isnan(h), ~np.isnan(ms)
    human = h[None]
    if paired_items and not ((here & present) == here).all():
        human, present = np.where(here & present, h, np.nan), here & present
    elif paired_items:
        present = np.broadcast_to(here, ms.shape)
    of_metrics, of_people = _mean(ms, present, method), _mean(human, ~np.isnan(human), method)
    return lambda items: (of_metrics(items), of_people(items))


def _mean(a: Array, present: Bools, method: str) -> Callable[[Array], Array]:
    """Return the function from weights of items to means (B x K x N), NaN where nothing was drawn."""
    values = np.ascontiguousarray(np.where(present, a, 0.0).reshape(-1, a.shape[-1]).T)
    ones = None if present.all() else present.reshape(-1, a.shape[-1]).T.astype(np.float64)

    def mean(items: Array) -> Array:
        n = items.sum(axis=1)[:, None] if ones is None else items @ ones
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (items @ values) / n
        return (means if method == "pearson" else snap(means)).reshape(len(items), *a.shape[:2])

    return mean


def snap(mean: Array) -> Array:
    """Round means to 12 digits of their scale, so that rounding in a sum makes no ranks; steps are a power of two."""
    scale = max(np.nanmax(mean, initial=0.0), -np.nanmin(mean, initial=0.0))
    if not scale > 0:
        return mean
    step = 2.0 ** (np.ceil(np.log2(scale)) - 40)
    snapped: Array = mean / step
    np.rint(snapped, out=snapped)
    snapped *= step
    return snapped


def _most_points(h: Array, m: Array, name: str, paired_items: bool) -> int:
    """Count the points of the largest group."""
    both = ~(np.isnan(h) | np.isnan(m))
    if name == "system":
        own = (~np.isnan(h)).any(axis=1) & (~np.isnan(m)).any(axis=1)
        return int((both.any(axis=1) if paired_items else own).sum())
    counts = {"item": both.sum(axis=0), "per-system": both.sum(axis=1), "pooled": both.sum()}[name]
    return int(np.max(counts, initial=0))
