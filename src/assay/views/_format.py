"""How numbers are written in tables."""

from __future__ import annotations

from collections.abc import Sequence


def decimals(value: float, places: int = 3) -> str:
    """A number for a table; a dash for none.

    >>> decimals(0.98765), decimals(float("nan"))
    ('0.988', '–')
    """
    return "–" if value != value else f"{value:.{places}f}"


def scaled(values: Sequence[float]) -> list[str]:
    """Scores for a table: four decimals for shares, two for scores out of a hundred."""
    most = max((abs(v) for v in values if v == v), default=0.0)
    return [decimals(v, 2 if most > 1.5 else 4) for v in values]


def within(low: float, high: float, places: int = 3) -> str:
    """An interval for a table."""
    return "–" if low != low else f"{decimals(low, places)}–{decimals(high, places)}"


def percent(share: float) -> str:
    """A share for a table."""
    return "–" if share != share else f"{100 * share:.0f}%"
