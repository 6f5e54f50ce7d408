"""Do several groups of numbers differ in their means? One-way analysis of variance and Tukey's HSD.

Owczarzak and Dang (2009) compare correlations of samples of different sizes so; Clarke and Lapata (2006), section 6,
ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, floats, fraction, warn_undefined


@dataclass(frozen=True)
class Anova:
    """F with its degrees of freedom and p-value, and what each group had."""

    statistic: float
    pvalue: float
    df_between: int
    df_within: int
    means: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Tukey:
    """Entry [i, k] compares groups i and k: difference of means, p-value, and simultaneous interval."""

    difference: Array
    pvalue: Array
    low: Array
    high: Array
    confidence: float


def anova(groups: Sequence[ArrayLike]) -> Anova:
    """Test whether the groups have one mean: F = between-group mean square / within-group mean square.

    NaN entries are left out of their group. No spread within groups is F = infinity and p = 0 if the means differ; 0/0
    (all values equal), or too few values: NaN with an UndefinedWarning.

    >>> result = anova([[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]])
    >>> round(result.statistic, 4), round(result.pvalue, 4), result.df_between, result.df_within
    (9.2647, 0.0024, 2, 15)
    """
    from scipy.special import fdtrc

    data = _values(groups)
    counts, k = np.array([len(g) for g in data]), len(data)
    total = int(counts.sum())
    means = tuple(float(g.mean()) if len(g) else float("nan") for g in data)
    between, within = k - 1, total - k
    if (counts == 0).any() or within < 1:
        warn_undefined(
            f"analysis of variance of groups with {counts.tolist()} values; each needs one, and one needs two"
        )
        return Anova(float("nan"), float("nan"), between, within, means, tuple(counts.tolist()))
    grand = np.concatenate(data).mean()
    ss_within = sum(float(((g - g.mean()) ** 2).sum()) for g in data)
    ss_between = float(sum(n * (m - grand) ** 2 for n, m in zip(counts, means, strict=True)))
    if ss_within == ss_between == 0.0:
        warn_undefined("analysis of variance of groups with equal values")
    with np.errstate(invalid="ignore", divide="ignore"):
        f = np.float64(ss_between / between) / np.float64(ss_within / within)
    return Anova(float(f), float(fdtrc(between, within, f)), between, within, means, tuple(counts.tolist()))


def tukey(groups: Sequence[ArrayLike], *, confidence: float = 0.95) -> Tukey:
    """Compare all pairs of group means at once (Tukey-Kramer: groups may differ in size). NaN entries are left out.

    Fewer than two values in a group is an error: SciPy's studentized range needs a spread.

    >>> result = tukey([[24.5, 23.5, 26.4, 27.1, 29.9], [28.4, 34.2, 29.5, 32.2, 30.1], [26.1, 28.3, 24.3, 26.2, 27.8]])
    >>> result.pvalue.round(3)
    array([[1.   , 0.014, 0.98 ],
           [0.014, 1.   , 0.02 ],
           [0.98 , 0.02 , 1.   ]])
    """
    from scipy.stats import tukey_hsd

    fraction(confidence, "confidence")
    data = _values(groups)
    if min(len(g) for g in data) < 2:
        raise InputError(f"Tukey's HSD needs two values in each group, got {[len(g) for g in data]}")
    result = tukey_hsd(*data)
    interval = result.confidence_interval(confidence)
    return Tukey(result.statistic, result.pvalue, interval.low, interval.high, confidence)


def _values(groups: Sequence[ArrayLike]) -> list[Array]:
    if len(groups) < 2:
        raise InputError(f"at least two groups are needed, got {len(groups)}")
    data = [floats(g, f"group {i}", ndim=1) for i, g in enumerate(groups)]
    return [g[~np.isnan(g)] for g in data]


def pairwise_anova(groups: Sequence[ArrayLike]) -> Array:
    """Return the p-values of an analysis of variance of every two groups, without correction; NaN entries are left out.

    >>> pairwise_anova([[1, 2, 3], [2, 3, 4], [9, 8, 10]]).round(3).tolist()[0]
    [1.0, 0.288, 0.001]
    """
    data = _values(groups)
    p = np.ones((len(data), len(data)))
    for i in range(len(data)):
        for k in range(i):
            p[i, k] = p[k, i] = anova([data[i], data[k]]).pvalue
    return p


def letter_groups(means: Sequence[float], pvalues: ArrayLike, *, alpha: float = 0.05) -> tuple[str, ...]:
    """Return letters as the tables of Owczarzak and Dang (2009, 2011) print them, for groups in any order.

    From the highest mean down, a group starts a letter if a later one is not significantly different from it, or if it
    has none yet; the first with a letter does not differ from any later one with the same letter.

    >>> letter_groups([3.0, 2.9, 1.0], [[1, 0.6, 0.01], [0.6, 1, 0.02], [0.01, 0.02, 1]])
    ('A', 'A', 'B')
    """
    p = floats(pvalues, "pvalues", ndim=2)
    order = sorted(range(len(means)), key=lambda k: -means[k])
    letters = [""] * len(means)
    name = 0
    for place, first in enumerate(order):
        alike = [other for other in order[place + 1 :] if not p[first, other] <= alpha]
        if alike or not letters[first]:
            for member in (first, *alike):
                letters[member] += chr(ord("A") + name) if name < 26 else f"A{name}"
            name += 1
    return tuple(letters)
