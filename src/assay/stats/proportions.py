"""Is one share larger than another? The z-test approximation of the binomial, as Owczarzak et al. (2012) use it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .checks import at_least, choice, fraction, warn_undefined


@dataclass(frozen=True)
class Proportion:
    """A share with its interval, tested against a fixed share."""

    value: float
    low: float
    high: float
    statistic: float
    pvalue: float
    n: int
    against: float
    confidence: float


@dataclass(frozen=True)
class ProportionDifference:
    """The difference of two independent shares with its interval and two-sided test."""

    difference: float
    low: float
    high: float
    statistic: float
    pvalue: float
    n: tuple[int, int]
    confidence: float


def proportion(
    successes: int, n: int, *, against: float = 0.5, confidence: float = 0.95, interval: str = "wald"
) -> Proportion:
    """Test a share against a fixed one: z = (p - p0) / sqrt(p0 (1 - p0) / n), two-sided.

    In Owczarzak et al. (2012), Figure 3, a metric is better or worse than the reference metric if the interval of its
    share of agreements leaves out the reference's share. interval = "wald" is p +- z sqrt(p (1 - p) / n), theirs;
    "wilson" keeps its coverage near 0 and 1, where wald's width is 0. n = 0: NaN with an UndefinedWarning.

    >>> result = proportion(90, 100, against=.8)
    >>> round(result.low, 3), round(result.high, 3), round(result.statistic, 2), round(result.pvalue, 4)
    (0.841, 0.959, 2.5, 0.0124)
    """
    from scipy.special import ndtr, ndtri

    _counts(successes, n)
    fraction(against, "against")
    choice(interval, "interval", ("wald", "wilson"))
    nan = float("nan")
    if n == 0:
        warn_undefined("share of 0 cases")
        return Proportion(nan, nan, nan, nan, nan, 0, against, confidence)
    p, z = successes / n, float(ndtri((1 + fraction(confidence, "confidence")) / 2))
    half = z * np.sqrt(p * (1 - p) / n)
    low, high = max(0.0, float(p - half)), min(1.0, float(p + half))
    if interval == "wilson":
        low, high = share_interval(p, n, confidence=confidence)
    statistic = (p - against) / np.sqrt(against * (1 - against) / n)
    return Proportion(p, low, high, float(statistic), float(2 * ndtr(-abs(statistic))), n, against, confidence)


def share_interval(
    share: float, n: float, *, clusters: int | None = None, confidence: float = 0.95
) -> tuple[float, float]:
    """Return Wilson's interval of a share of n items, which need not be a whole number (an effective n).

    With clusters the quantile is that of t with clusters - 1 degrees of freedom.

    >>> low, high = share_interval(1.0, 20)
    >>> round(low, 4), high
    (0.8389, 1.0)
    """
    from scipy.special import ndtri, stdtrit

    point = (1 + fraction(confidence, "confidence")) / 2
    if not n > 0 or np.isnan(share) or clusters == 1:
        return float("nan"), float("nan")
    z = float(ndtri(point) if clusters is None else stdtrit(clusters - 1, point))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = max(0.0, float(centre - half)), min(1.0, float(centre + half))
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def proportion_difference(
    successes_a: int, n_a: int, successes_b: int, n_b: int, *, confidence: float = 0.95
) -> ProportionDifference:
    """Test two independent shares: z = (pa - pb) / sqrt(p (1 - p) (1 / na + 1 / nb)), p pooled, two-sided.

    The interval does not pool: +- z sqrt(pa (1 - pa) / na + pb (1 - pb) / nb). Both shares 0 or both 1 is 0/0: z = 0
    and p = 1. No cases on a side: NaN with an UndefinedWarning.

    >>> result = proportion_difference(90, 100, 80, 100)
    >>> round(result.difference, 3), round(result.statistic, 3), round(result.pvalue, 3)
    (0.1, 1.98, 0.048)
    """
    from scipy.special import ndtr, ndtri

    _counts(successes_a, n_a)
    _counts(successes_b, n_b)
    fraction(confidence, "confidence")
    nan = float("nan")
    if n_a == 0 or n_b == 0:
        warn_undefined(f"difference of shares of {n_a} and {n_b} cases")
        return ProportionDifference(nan, nan, nan, nan, nan, (n_a, n_b), confidence)
    a, b, pooled = successes_a / n_a, successes_b / n_b, (successes_a + successes_b) / (n_a + n_b)
    se = np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    statistic = float((a - b) / se) if se > 0 else 0.0
    half = float(ndtri((1 + confidence) / 2) * np.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b))
    p = float(2 * ndtr(-abs(statistic)))
    return ProportionDifference(a - b, a - b - half, a - b + half, statistic, p, (n_a, n_b), confidence)


def _counts(successes: int, n: int) -> None:
    at_least(n, "n", 0)
    if not 0 <= successes <= n:
        raise InputError(f"successes must lie between 0 and n = {n}, got {successes}")
