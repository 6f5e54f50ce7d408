"""Put systems (or metrics) in bands within which no difference is significant.

Bands as sets may overlap: with A and C different but neither different from B, they are AB and BC. Ranks are bands that
do not overlap, made from the top, as tables of metrics have them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Bools, Ints, floats, fraction, warn_undefined


def rank_bands(values: ArrayLike, pvalues: ArrayLike, *, alpha: float = 0.05) -> Ints:
    """Return ranks from 1: walk down the values; a value worse than one of the current rank starts a new rank.

    pvalues[a, b] is the one-sided p-value that a is better than b, and "worse" is p <= alpha against some member of the
    current band. A NaN p-value is not significant. A NaN value has rank -1, with an UndefinedWarning.

    >>> p = np.ones((3, 3))
    >>> p[0, 2] = p[1, 2] = .01
    >>> rank_bands([.9, .8, .5], p)
    array([1, 1, 2])
    """
    v, p = floats(values, "values", ndim=1), floats(pvalues, "pvalues", ndim=2)
    if p.shape != (len(v), len(v)):
        raise InputError(f"pvalues must be {len(v)} x {len(v)}, one row and column per value, got {p.shape}")
    fraction(alpha, "alpha")
    ranks = np.full(len(v), -1, dtype=np.int64)
    if np.isnan(v).any():
        warn_undefined(f"rank of {int(np.isnan(v).sum())} of {len(v)} values, which are NaN")
    band: list[int] = []
    rank = 1
    for i in np.argsort(-v, kind="stable")[: int((~np.isnan(v)).sum())]:
        if any(p[member, i] <= alpha for member in band):
            rank, band = rank + 1, []
        band.append(int(i))
        ranks[i] = rank
    return ranks


def find_bands(order: Sequence[int], different: Bools) -> tuple[tuple[int, ...], ...]:
    """Return the largest sets of systems without a difference among them, each from best to worst; they may overlap.

    order: systems from best to worst, different[a, b]: a and b differ significantly. Every system is in a
    band. The sets are the maximal cliques of pairs that do not differ (Bron and Kerbosch 1973, with a pivot).

    >>> different = np.zeros((3, 3), dtype=bool)
    >>> different[0, 2] = different[2, 0] = True
    >>> find_bands([0, 1, 2], different)
    ((0, 1), (1, 2))
    """
    place = {system: k for k, system in enumerate(order)}
    alike = {a: {b for b in order if b != a and not different[a, b]} for a in order}
    bands: list[tuple[int, ...]] = []
    stack = [(frozenset[int](), frozenset(order), frozenset[int]())]
    while stack:
        members, candidates, spent = stack.pop()
        if not candidates and not spent:
            bands.append(tuple(sorted(members, key=place.__getitem__)))
            continue
        if not candidates:
            continue
        pivot = max(candidates | spent, key=lambda system: len(alike[system] & candidates))
        for system in sorted(candidates - alike[pivot], key=place.__getitem__):
            stack.append((members | {system}, candidates & alike[system], spent & alike[system]))
            candidates, spent = candidates - {system}, spent | {system}
    return tuple(sorted((b for b in bands if b), key=lambda band: [place[system] for system in band]))


def letter_bands(systems: int, bands: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the letters of each system: two that share one do not differ significantly.

    >>> letter_bands(3, [(0, 1), (1, 2)])
    ('a', 'ab', 'b')
    """
    letters = [""] * systems
    for number, band in enumerate(bands):
        turn, letter = divmod(number, 26)
        for system in band:
            letters[system] += chr(ord("a") + letter) + (str(turn + 1) if turn else "")
    return tuple(letters)
