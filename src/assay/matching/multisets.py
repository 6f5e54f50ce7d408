"""Multisets of words: what two texts share, where they are compared one pair at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .pooling import pool_table

Floats = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)
Side = TypeVar("Side")


def clipped_matches(a: Counter[Key], b: Counter[Key]) -> int:
    """Count what both hold, each as often as the one that has it less often.

    >>> clipped_matches(Counter("aab"), Counter("abb"))
    2
    """
    return sum(min(n, b[key]) for key, n in a.items() if key in b)


def unclipped_matches(a: Counter[Key], b: Collection[Key]) -> int:
    """Count the occurrences in a of everything that b holds.

    >>> unclipped_matches(Counter("aab"), "ac")
    2
    """
    return sum(n for key, n in a.items() if key in b)


def overlap_f1(a: Counter[Key], b: Counter[Key]) -> float:
    """F1 of the clipped matches, 2 matches / (size of a + size of b); 0 if both are empty.

    >>> overlap_f1(Counter("aab"), Counter("abb"))
    0.6666666666666666
    """
    return 2 * clipped_matches(a, b) / max(1, a.total() + b.total())


def compare_pairs(
    outputs: Sequence[Side],
    references: Sequence[Side],
    met: Sequence[Sequence[int]],
    compare: Callable[[Side, Side], float],
    *,
    refs: str,
) -> Floats:
    """Compare each output with the references that it meets, given by their places, and pool the values.

    >>> compare_pairs("ab", "ac", [[0, 1], [1]], lambda a, b: float(a == b), refs="mean").tolist()
    [0.5, 0.0]
    """
    values = [compare(output, references[k]) for output, places in zip(outputs, met, strict=True) for k in places]
    many = np.array([len(places) for places in met], dtype=np.int64)
    table = np.full((len(outputs), int(many.max(initial=0))), np.nan)
    table[np.arange(table.shape[1]) < many[:, None]] = values
    return pool_table(table, refs)
