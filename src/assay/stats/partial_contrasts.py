"""Compare systems that were scored on different items, or on the same ones in part, by all their data.

From 15 items in common on, means are adjusted for the items (`crossed_model`); below, weights by estimated variances
would be too uncertain, and the plain means are compared, with the covariance that shared items and clusters give them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .adjusted_contrasts import adjust_contrasts
from .checks import Array, Ints, floats
from .cluster_errors import bell_mccaffrey, leverage, number_clusters
from .contrasts import MIN_COMMON, Contrasts, list_pairs
from .crossed_model import crossed_model
from .resampling import Seed, bits, generator
from .simultaneous import shrink


def partial_contrasts(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    baseline: int | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> Contrasts:
    """Compare all pairs of systems (rows of values, NaN where a system lacks an item), or each with the baseline.

    p-values of pairs are those of t; of two systems with few items in common those of swaps by cluster. They are
    adjusted by normal draws with the covariance of the means: the adjusted p-value is the share of draws with a
    smallest p at or below. The statistic of two systems on different items, none in clusters, is Welch's. A system
    with fewer than two scores is not compared: NaN.

    >>> nan = np.nan
    >>> result = partial_contrasts([[1.0, 2, 4, nan, nan, nan, nan], [nan, nan, nan, 3, 5, 6, 9]])
    >>> result.df[0, 1].round(3), result.error[0, 1].round(3)
    (np.float64(4.906), np.float64(1.53))
    """
    x = floats(values, "values", ndim=2)
    if len(x) < 2:
        raise InputError(f"values must have at least two systems, got shape {x.shape}")
    codes = number_clusters(clusters, x.shape[1])
    pairs = list_pairs(len(x), baseline)
    known = (~np.isnan(x)).sum(axis=1) > 1
    tested = pairs[known[pairs].all(axis=1)]
    present = ~np.isnan(x[known])
    common = present.astype(np.float64) @ present.T
    means = np.full(len(x), np.nan)
    error, df, covariance = (np.full((len(x), len(x)), np.nan) for _ in range(3))
    method = "all-data"
    if len(tested):
        among = np.searchsorted(np.flatnonzero(known), tested)
        adjusted = bool((common[among[:, 0], among[:, 1]] >= MIN_COMMON).all())
        method = "adjusted" if adjusted else method
        fit = (_adjust_means if adjusted else _take_means)(x[known], codes)
        means[known] = fit[0]
        for whole, own in zip((covariance, error, df), fit[1:], strict=True):
            whole[np.ix_(known, known)] = own
    means = np.where(np.isnan(means) & (~np.isnan(x)).any(axis=1), _row_means(x), means)
    swapped = (
        _swap(x[pairs[0]], codes, resamples, seed) if len(pairs) == len(tested) == 1 and method == "all-data" else None
    )
    return adjust_contrasts(
        means,
        covariance,
        error,
        df,
        tested,
        swapped=swapped,
        method=method,
        clusters=len(np.unique(codes)),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )


def _row_means(x: Array) -> Array:
    present = ~np.isnan(x)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(present, x, 0.0).sum(axis=1) / present.sum(axis=1))


def _take_means(x: Array, codes: Ints) -> tuple[Array, Array, Array, Array]:
    """Return plain means, their covariance by cluster (cr2), and errors and degrees of freedom of differences.

    Clusters that only the first, only the second, or both have are three parts of the variance; the degrees of freedom
    are Satterthwaite's of their sum: Welch's if nothing is shared, Bell and McCaffrey's if everything is.
    """
    means, groups = _row_means(x), int(codes.max()) + 1
    member = np.eye(groups)[codes]
    present = ~np.isnan(x)
    sizes = present.astype(np.float64) @ member
    residual = np.where(present, x - means[:, None], 0.0) @ member
    rise = np.stack([leverage(own) for own in sizes])
    pull = residual * np.sqrt(rise) / sizes.sum(axis=1)[:, None]
    own_df = np.array([bell_mccaffrey(own) for own in sizes])
    pull, own_df = _share_spread(pull, sizes.sum(axis=1), own_df)
    covariance = pull @ pull.T
    has = (sizes > 0).astype(np.float64)
    alone = pull**2 @ (1 - has).T
    spread = np.diag(covariance)
    variance = spread[:, None] + spread - 2 * covariance
    both = np.maximum(variance - alone - alone.T, 0.0)
    share_alone = has @ (1 - has).T / has.sum(axis=1)[:, None]
    share_both = 2 * (has @ has.T) / (has.sum(axis=1)[:, None] + has.sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [
            np.where(f > 0, v**2 / f, 0.0)
            for v, f in (
                (alone, own_df[:, None] * share_alone),
                (alone.T, (own_df[:, None] * share_alone).T),
                (both, (own_df[:, None] + own_df) / 2 * share_both),
            )
        ]
        df = variance**2 / sum(parts)
    return means, covariance, np.sqrt(np.maximum(variance, 0.0)), df


def _swap(x: Array, codes: Ints, resamples: int, seed: Seed) -> Array:
    """Return |T*| of two systems that change places, cluster by cluster: an exact test if they could.

    Where both have scores of a cluster these are exchanged with probability one half; clusters of one system alone are
    dealt out anew to the two, as many to each as there are.
    """
    rng = generator(seed)
    member = np.eye(int(codes.max()) + 1)[codes]
    present = ~np.isnan(x)
    sizes = present.astype(np.float64) @ member
    sums = np.where(present, x, 0.0) @ member
    used = sizes.sum(axis=0) > 0
    sizes, sums = sizes[:, used], sums[:, used]
    both = (sizes > 0).all(axis=0)
    groups = sizes.shape[1]
    turned = np.zeros((resamples, groups), dtype=bool)
    turned[:, both] = bits(rng, int(both.sum()), resamples).astype(bool)
    first = np.tile(sizes[0, ~both] > 0, (resamples, 1))
    turned[:, ~both] = rng.permuted(first, axis=1) != first
    statistics = []
    for start in range(0, resamples, max(1, 500_000 // groups)):
        some = turned[start : start + max(1, 500_000 // groups)]
        pulls, means = [], []
        for own, other in ((0, 1), (1, 0)):
            n, total = (np.where(some, table[other], table[own]) for table in (sizes, sums))
            count = n.sum(axis=1, keepdims=True)
            mean = total.sum(axis=1, keepdims=True) / count
            share = n / count
            pulls.append((total - n * mean) / np.sqrt(np.where(share < 1, 1 - share, 1.0)) / count)
            means.append(mean[:, 0])
        error = np.sqrt(((pulls[0] - pulls[1]) ** 2).sum(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            statistics.append(np.nan_to_num(np.abs(means[0] - means[1]) / error, posinf=np.inf))
    return np.concatenate(statistics)


def _share_spread(pull: Array, n: Array, df: Array) -> tuple[Array, Array]:
    """Draw the variances of systems towards each other as far as they are alike."""
    variance = n * (pull**2).sum(axis=1)
    if len(n) < 3 or not np.isfinite(df).all():
        return pull, df
    prior, weight = shrink(variance, float(df.mean()))
    if not weight:
        return pull, df
    share = 1.0 if np.isinf(weight) else weight / (weight + df)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(variance > 0, np.sqrt((share * prior + (1 - share) * variance) / variance), 1.0)
    total = float(df.sum())
    return pull * factor[:, None], np.minimum(df + weight, total)


def _adjust_means(x: Array, codes: Ints) -> tuple[Array, Array, Array, Array]:
    """Return means adjusted for items and clusters, their covariance, and errors and degrees of freedom."""
    system, item = np.nonzero(~np.isnan(x))
    factors = {"item": item}
    if len(np.unique(codes)) < x.shape[1]:
        factors["cluster"] = codes[item]
        factors["system x cluster"] = system * (int(codes.max()) + 1) + codes[item]
    fit = crossed_model(x[system, item], system, factors)
    return fit.means, fit.covariance, fit.error, fit.df
