"""Estimate the standard error of a mean when items were drawn in clusters: documents, topics, prompts with repeats.

Residuals are summed by cluster. cr0 is the plain sandwich (Liang and Zeger 1986; Miller 2024, section 2.2), cr1
multiplies it by G / (G - 1), cr2 corrects the sum of each cluster for its own pull on the mean (Bell and
McCaffrey 2002).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, UndefinedWarning
from .checks import Array, Ints, choice, floats, fraction, warn_undefined
from .proportions import share_interval

KINDS = ("cr0", "cr1", "cr2")


@dataclass(frozen=True)
class ClusterError:
    """A mean, its standard error, the degrees of freedom of that error, and what it rests on."""

    value: float
    error: float
    df: float
    clusters: int
    n: int
    kind: str


def number_clusters(clusters: ArrayLike | None, n: int) -> Ints:
    """Return the cluster of each item, numbered from 0; without clusters each item is its own.

    >>> number_clusters(["b", "a", "b"], 3), number_clusters(None, 2)
    (array([1, 0, 1]), array([0, 1]))
    """
    if clusters is None:
        return np.arange(n)
    names = np.asarray(clusters)
    if names.shape != (n,):
        raise InputError(f"clusters must hold one name per item, {n}, got shape {names.shape}")
    return np.asarray(np.unique(names, return_inverse=True)[1], dtype=np.int64)


def cluster_se(values: ArrayLike, clusters: ArrayLike | None = None, *, kind: str = "cr2") -> ClusterError:
    """Return the mean of the values with its standard error by cluster; NaN values are left out.

    With E_g the sum of the residuals of cluster g, the variance is sum k_g E_g^2 / n^2, where k_g is 1 for cr0,
    G / (G - 1) for cr1 and 1 / (1 - n_g / n) for cr2. Degrees of freedom are G - 1, for cr2 those of Bell and
    McCaffrey, which are fewer where clusters differ in size. One cluster, or no value: NaN with an UndefinedWarning.

    >>> result = cluster_se([1, 2, 3, 5, 5, 6.0], ["a", "a", "b", "b", "c", "c"])
    >>> round(result.value, 3), round(result.error, 3), round(result.df, 3), result.clusters
    (3.667, 1.167, 2.0, 3)
    """
    x = floats(values, "values", ndim=1)
    choice(kind, "kind", KINDS)
    codes = number_clusters(clusters, len(x))
    present = ~np.isnan(x)
    x, codes = x[present], np.unique(codes[present], return_inverse=True)[1]
    n, groups = len(x), int(codes.max(initial=-1)) + 1
    mean = float(x.mean()) if n else float("nan")
    if groups < 2:
        warn_undefined(f"standard error of a mean of {n} value(s) in {groups} cluster(s); it takes two clusters")
        return ClusterError(mean, float("nan"), float("nan"), groups, n, kind)
    sizes = np.bincount(codes).astype(np.float64)
    residual = np.bincount(codes, x - mean)
    factor = {"cr0": np.ones(groups), "cr1": np.full(groups, groups / (groups - 1)), "cr2": leverage(sizes)}[kind]
    error = float(np.sqrt((factor * residual**2).sum()) / n)
    df = bell_mccaffrey(sizes) if kind == "cr2" else groups - 1.0
    return ClusterError(mean, error, df, groups, n, kind)


def mean_intervals(
    values: ArrayLike, clusters: ArrayLike | None = None, *, confidence: float = 0.95
) -> tuple[Array, Array, Array]:
    """Return the mean of each row (systems x items, NaN where one is missing) and the bounds of its own interval.

    The interval is mean -+ t standard errors (cr2). Where all scores are 0 or 1 it is Wilson's, of as many independent
    items as have the same variance: their number over the design effect, for rows without spread that of all rows. The
    bounds of a mean of fewer than two clusters are NaN.

    >>> means, low, high = mean_intervals([[1.0] * 20, [0.0, 1.0] * 10])
    >>> means, low.round(3), high.round(3)
    (array([1. , 0.5]), array([0.839, 0.299]), array([1.   , 0.701]))
    """
    from scipy.special import stdtrit

    x = floats(values, "values", ndim=2)
    codes = number_clusters(clusters, x.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        rows = [cluster_se(row, codes) for row in x]
    means, error, df = (np.array([getattr(r, name) for r in rows]) for name in ("value", "error", "df"))
    if np.isin(x[~np.isnan(x)], (0, 1)).all():
        bounds = _find_share_bounds(rows, confidence, single=clusters is None)
        return means, bounds[:, 0], bounds[:, 1]
    half = stdtrit(df, (1 + fraction(confidence, "confidence")) / 2) * error
    return means, means - half, means + half


def _find_share_bounds(rows: Sequence[ClusterError], confidence: float, *, single: bool) -> Array:
    """Return Wilson's bounds of shares, by the variance that their clusters give them."""
    plain = np.array([r.value * (1 - r.value) / max(r.n - 1, 1) for r in rows])
    inflated = np.array([r.error**2 for r in rows])
    known = (plain > 0) & ~np.isnan(inflated)
    usual = float(inflated[known].sum() / plain[known].sum()) if known.any() else np.nan
    bounds = []
    for r, own, more in zip(rows, plain, inflated, strict=True):
        if single or r.clusters < 2:  # one cluster says nothing of its spread
            bounds.append(share_interval(r.value, r.n if single else 0, confidence=confidence))
            continue
        effect = more / own if own > 0 else usual
        n = r.clusters if np.isnan(effect) else r.n / max(effect, 1e-9)
        bounds.append(share_interval(r.value, n, clusters=r.clusters, confidence=confidence))
    return np.array(bounds).reshape(-1, 2)


def leverage(sizes: Array) -> Array:
    """Return the factor by which cr2 raises the squared residual sum of each cluster, from the sizes of clusters.

    A cluster that holds everything has none: 1.
    """
    share = sizes / max(float(sizes.sum()), 1.0)
    return np.asarray(1 / np.where(share < 1, 1 - share, 1.0))


def bell_mccaffrey(sizes: Array) -> float:
    """Return the degrees of freedom of the cr2 variance of a mean, for independent errors (Bell and McCaffrey 2002).

    The variance is a quadratic form with matrix G_gh = a_g a_h (n_g [g = h] - n_g n_h / n); its degrees of freedom are
    (trace G)^2 / (sum of squares of G). Clusters of one size: their number less 1.

    >>> round(bell_mccaffrey(np.array([4.0, 4, 4])), 9), round(bell_mccaffrey(np.array([10.0, 1, 1])), 3)
    (2.0, 1.198)
    """
    sizes = sizes[sizes > 0]
    n = float(sizes.sum())
    a = leverage(sizes) / n**2  # squared
    own = a * sizes * (1 - sizes / n)
    shared = a * sizes**2 / n
    squares = float((own**2).sum() + shared.sum() ** 2 - (shared**2).sum())
    return float(own.sum() ** 2 / squares) if squares > 0 else float("nan")
