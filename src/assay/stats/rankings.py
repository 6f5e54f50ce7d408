"""Do rankings agree on an order of the systems? Kendall's W for complete rankings, Skillings-Mack for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ._connectivity import check_connected, check_names, connected_groups
from .checks import Array, floats, warn_undefined
from .vectorized_correlation import midranks


@dataclass(frozen=True)
class Concordance:
    """Kendall's W between 0 (no agreement) and 1 (one order), with Friedman's chi-square and its p-value."""

    value: float
    statistic: float
    pvalue: float
    df: int
    n: int


@dataclass(frozen=True)
class SkillingsMack:
    """The chi-square statistic with its p-value; `sums[j]` is system j's weighted rank sum, below 0 if it is better."""

    statistic: float
    pvalue: float
    df: int
    n: int
    sums: Array


def kendall_w(ranks: ArrayLike) -> Concordance:
    """Return Kendall's coefficient of concordance of m complete rankings (rows) of k systems (columns).

    W = (12 sum R_j^2 - 3 m^2 k (k + 1)^2) / (m^2 k (k^2 - 1) - m sum (t^3 - t)), with R_j the sums of midranks and t
    the sizes of groups of ties. m (k - 1) W is Friedman's statistic, chi-square with k - 1 degrees of freedom if
    rankings are random; the p-value is rough with few rankings of few systems. Values may be ranks or scores; only
    their order within a row counts. Fewer than two rankings or systems, or nothing but ties: NaN with an
    UndefinedWarning. A missing rank is an error.

    >>> result = kendall_w([[1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 3]])
    >>> round(result.value, 3), round(result.statistic, 3), round(result.pvalue, 3), result.df
    (0.724, 6.517, 0.089, 3)
    """
    from scipy.special import chdtrc

    table = floats(ranks, "ranks", ndim=2)
    m, k = table.shape
    if np.isnan(table).any():
        missing = int(np.isnan(table).any(axis=1).sum())
        raise InputError(f"Kendall's W needs complete rankings, {missing} of {m} lack a system; use skillings_mack")
    order = midranks(table) - (k + 1) / 2
    spread = float((order**2).sum())  # (k^3 - k - sum of t^3 - t) / 12 over all rankings
    if m < 2 or k < 2 or spread == 0:
        warn_undefined(f"Kendall's W of {m} ranking(s) of {k} system(s); it needs two of each and an order")
        return Concordance(float("nan"), float("nan"), float("nan"), k - 1, m)
    value = float((order.sum(axis=0) ** 2).sum() / (m * spread))
    statistic = m * (k - 1) * value
    return Concordance(value, statistic, float(chdtrc(k - 1, statistic)), k - 1, m)


def skillings_mack(ranks: ArrayLike, *, names: Sequence[str] | None = None) -> SkillingsMack:
    """Test whether rankings (rows) that lack some systems (columns, NaN) are random, Skillings and Mack (1981).

    In a ranking of s systems, system j has the weighted score sqrt(12 / (s + 1)) (R_j - (s + 1) / 2), with R_j its
    midrank; 0 if it lacks. With A the sums over rankings and V their covariance when each ranking's midranks are
    shuffled, A' V^- A is chi-square with k - 1 degrees of freedom. Without ties V is Skillings and Mack's; with ties it
    is smaller, as in Friedman's test with ties, which this equals on complete rankings (R's Skillings.Mack keeps the V
    of untied ranks and so is conservative). Rankings of fewer than two systems are left out. Systems that are never
    ranked together, not even through others, are refused by name; if ties leave no order between some of them, NaN with
    an UndefinedWarning.

    >>> nan = np.nan
    >>> result = skillings_mack([[1, 2, 3], [1, 2, nan], [nan, 1, 2], [1, 3, 2], [2, nan, 3]])
    >>> round(result.statistic, 3), round(result.pvalue, 3), result.df, result.n
    (5.198, 0.074, 2, 5)
    """
    from scipy.special import chdtrc

    table = floats(ranks, "ranks", ndim=2)
    table = table[(~np.isnan(table)).sum(axis=1) > 1]
    m, k = table.shape
    there = (~np.isnan(table)).astype(np.float64)
    check_connected(connected_groups(there.T @ there), check_names(names, k))
    scores, covariance = _weighted_scores(table)
    sums = scores.sum(axis=0)
    if k < 2 or np.linalg.matrix_rank(covariance) < k - 1:
        warn_undefined(f"Skillings-Mack statistic of {m} ranking(s) of {k} systems, some of which always tie")
        return SkillingsMack(float("nan"), float("nan"), k - 1, m, sums)
    statistic = float(sums @ np.linalg.pinv(covariance, hermitian=True) @ sums)
    return SkillingsMack(statistic, float(chdtrc(k - 1, statistic)), k - 1, m, sums)


def _weighted_scores(table: Array) -> tuple[Array, Array]:
    """Return weighted, centred midranks (0 where missing) and the covariance of their sums if rankings are random."""
    present = ~np.isnan(table)
    size = present.sum(axis=1)[:, None]
    order = np.zeros_like(table)
    for row, values, there in zip(order, table, present, strict=True):
        row[there] = midranks(values[there]) - (there.sum() + 1) / 2
    scores = np.sqrt(12 / (size + 1)) * order
    variance = (scores**2).sum(axis=1) / (size[:, 0] - 1)  # of one score; two of a ranking have - variance / size
    there = present.astype(np.float64)
    shared = (there * (variance / size[:, 0])[:, None]).T @ there
    return scores, np.diag(variance @ there) - shared
