"""Numbers and names as they are written in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

_COEFFICIENTS = {"pearson": "r", "spearman": "rho", "kendall": "tau", "kendall-c": "tau-c", "ndcg": "ndcg"}


def number(value: float) -> str:
    """Write a number with three significant digits; NaN as "undefined".

    >>> number(0.91234), number(23.456), number(0.00123), number(float("nan"))
    ('0.912', '23.5', '0.00123', 'undefined')
    """
    if isnan(value):
        return "undefined"
    if value == 0 or 0.1 <= abs(value) < 10:
        return f"{value:.3f}"
    return f"{value:.4g}" if abs(value) >= 1000 else f"{value:.3g}"


def interval(low: float, high: float) -> str:
    """Write an interval in brackets, or nothing where an end is NaN.

    >>> interval(0.85, 0.945), interval(float("nan"), 1.0)
    (' [0.850, 0.945]', '')
    """
    return "" if isnan(low) or isnan(high) else f" [{number(low)}, {number(high)}]"


def percent(share: float) -> str:
    """Write a share as a percentage.

    >>> percent(0.8333), percent(1.0), percent(0.9996), percent(0.004)
    ('83%', '100%', '>99%', '0.4%')
    """
    if isnan(share):
        return "undefined"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.0f}%" if share >= 0.05 or share == 0 else f"{100 * share:.1f}%"


def pvalue(p: float) -> str:
    """Write a p-value.

    >>> pvalue(0.0004), pvalue(0.0312)
    ('p < 0.001', 'p = 0.031')
    """
    if isnan(p):
        return "p undefined"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def coefficient(method: str) -> str:
    """Return the letter of a correlation coefficient."""
    return _COEFFICIENTS.get(method, method)


def join_names(names: Sequence[str], most: int = 5) -> str:
    """Join names with commas and a final "and".

    >>> join_names(["A"]), join_names(["A", "B"]), join_names(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    parts = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def plural(n: int, noun: str) -> str:
    """Write a count with its noun.

    >>> plural(1, "item"), plural(4800, "item")
    ('1 item', '4,800 items')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
