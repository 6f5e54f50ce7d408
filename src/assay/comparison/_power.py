"""Estimate how many items would show a difference, and what difference those at hand would show."""

from __future__ import annotations

from math import ceil, inf, isfinite, isnan, nan, pi, sqrt

from ..errors import InputError

_EFFICIENCY = {"wilcoxon": 3 / pi}  # of the signed-rank test, for normal differences; 1 for the others


def items_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8, test: str = "wilcoxon") -> float:
    """Return the number of items at which a paired two-sided test finds this effect with this power.

    The effect is the mean difference in standard deviations of the differences.

    n = ((z of 1 - alpha/2 + z of power) / effect)^2, divided by 3/pi for Wilcoxon's test. The effect is taken as if it
    were the true one: an estimate for planning, no promise. No effect: infinite.

    >>> items_needed(0.5), items_needed(0.5, test="t"), items_needed(0.0)
    (33, 32, inf)
    """
    from scipy.special import ndtri

    if not 0 < alpha < 1 or not 0 < power < 1:
        raise InputError(f"alpha and power must lie between 0 and 1, got {alpha} and {power}")
    if isnan(effect):
        return float("nan")
    if effect == 0:
        return inf
    z = float(ndtri(1 - alpha / 2) + ndtri(power))
    return ceil((z / effect) ** 2 / _EFFICIENCY.get(test, 1.0))


def items_by_error(n: float, difference: float, error: float, critical: float, *, power: float = 0.8) -> float:
    """Return the number of items at which a difference is found with this power.

    n items gave the standard error, which falls with their root; `critical` is how many errors are significant.

    >>> items_by_error(100, 0.2, 0.1, 1.96)
    197
    """
    if isnan(error) or not isfinite(critical):
        return nan
    return ceil(n * (detectable_by_error(error, critical, power=power) / difference) ** 2)


def detectable_by_error(error: float, critical: float, *, power: float = 0.8) -> float:
    """Return the difference that a test finds with this power, of which `critical` standard errors are significant.

    >>> round(detectable_by_error(0.1, 1.96), 2)
    0.28
    """
    from scipy.special import ndtri

    return (critical + float(ndtri(power))) * error if isfinite(critical) else nan


def detectable_by_deviation(
    deviation: float, n: int, *, alpha: float = 0.05, power: float = 0.8, test: str = "wilcoxon"
) -> float:
    """Return the difference that a paired test of n items finds, where the differences have this standard deviation.

    >>> round(detectable_by_deviation(1.0, 33), 2)
    0.5
    """
    from scipy.special import ndtri

    if n < 2:
        return nan
    return float(ndtri(1 - alpha / 2) + ndtri(power)) * deviation / sqrt(n * _EFFICIENCY.get(test, 1.0))
