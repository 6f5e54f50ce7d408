"""Plain versions of the fast functions: one vector, one resample, one pair at a time."""

from __future__ import annotations

import numpy as np
import scipy.stats


def coefficient(x, y, method, fewest=3):
    """Correlate two complete vectors by SciPy; NaN for fewer points or a constant side."""
    there = ~(np.isnan(x) | np.isnan(y))
    x, y = x[there], y[there]
    if method == "ndcg":
        return ndcg(y, x)
    if len(x) < fewest or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    if method == "pearson":
        return scipy.stats.pearsonr(x, y).statistic
    if method == "spearman":
        return scipy.stats.spearmanr(x, y).statistic
    return scipy.stats.kendalltau(x, y, variant="c" if method == "kendall-c" else "b").statistic


def ndcg(h, m):
    """DCG with ties in m averaged over all their orders, over the best DCG."""
    if len(h) < 3 or not h.sum() > 0 or np.ptp(h) == 0:
        return np.nan
    discount = 1 / np.log2(np.arange(len(h)) + 2)
    total, at = 0.0, 0
    for value in np.unique(m)[::-1]:
        tied = h[m == value]
        total += tied.mean() * discount[at : at + len(tied)].sum()
        at += len(tied)
    return total / (np.sort(h)[::-1] * discount).sum()


def level(h, m, name, method):
    """Correlate at a level, group by group."""
    with np.errstate(all="ignore"):
        if name == "system":
            both = ~(np.isnan(h) | np.isnan(m))
            x = [m[i][both[i]].mean() if both[i].any() else np.nan for i in range(len(h))]
            y = [h[i][both[i]].mean() if both[i].any() else np.nan for i in range(len(h))]
            x, y = np.array(x), np.array(y)
            return coefficient(x, y, method) if method == "pearson" else coefficient(x.round(11), y.round(11), method)  # type: ignore[attr-defined]
        if name == "pooled":
            return coefficient(m.ravel(), h.ravel(), method)
        pairs = zip(m.T, h.T, strict=True) if name == "item" else zip(m, h, strict=True)
        values = [
            v for v in (coefficient(x, y, method, 2 if "kendall" in method else 3) for x, y in pairs) if not np.isnan(v)
        ]
        return np.mean(values) if values else np.nan


def same(a, b, tolerance=1e-10):
    """Check if arrays are equal to a tolerance, with NaN in the same places."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return np.array_equal(np.isnan(a), np.isnan(b)) and np.allclose(a, b, rtol=0, atol=tolerance, equal_nan=True)


def table(rng, shape, *, ties=False, missing=0.0):
    """Draw scores, perhaps with ties and missing cells."""
    values = rng.normal(size=shape)
    values = np.round(values) + 3 if ties else values
    values[rng.random(shape) < missing] = np.nan
    return np.abs(values)
