"""Beam: several parses of a text, from those of its sentences."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def combine(parts: Sequence[Sequence[tuple[float, T]]], n: int) -> list[tuple[float, tuple[T, ...]]]:
    """Return the `n` best ways to choose one option of each part; scores add up.

    >>> combine([[(-1.0, "a"), (-3.0, "b")], [(-1.0, "x"), (-2.0, "y")]], 3)
    [(-2.0, ('a', 'x')), (-3.0, ('a', 'y')), (-4.0, ('b', 'x'))]
    """
    best: list[tuple[float, tuple[T, ...]]] = [(0.0, ())]
    for options in parts:
        longer = ((score + s, (*choices, option)) for score, choices in best for s, option in options)
        best = heapq.nlargest(n, longer, key=lambda scored: scored[0])  # stable: ties keep their order
    return best
