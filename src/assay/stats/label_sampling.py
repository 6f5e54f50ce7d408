"""Draw items for labelling with unequal, known probabilities: never picked, so that estimates stay unbiased."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .checks import Array, at_least, floats
from .resampling import Seed, generator

FLOOR = 0.2  # least share of the uniform probability that an item keeps


def inclusion_probabilities(size: ArrayLike, n: int, *, floor: float = FLOOR) -> Array:
    """Return probabilities that sum to n and follow a size of each item (0 or more), none below `floor` * n / items.

    An item that would exceed 1 is drawn for certain, and the rest shares what is left. Sizes that are all 0: uniform.

    >>> inclusion_probabilities([1, 1, 2, 4], 2).round(3)
    array([0.3, 0.3, 0.5, 0.9])
    """
    s = floats(size, "size", ndim=1)
    at_least(n, "n", 1)
    if not 0 <= floor <= 1:
        raise InputError(f"floor must lie between 0 and 1, got {floor!r}")
    if n > len(s):
        raise InputError(f"{n} items cannot be drawn from {len(s)}")
    if np.isnan(s).any() or (s < 0).any():
        raise InputError("sizes must be numbers of at least 0")
    least = floor * n / len(s)
    shares = s / s.sum() if s.sum() > 0 else np.full(len(s), 1 / len(s))
    p = least + (n - least * len(s)) * shares
    while (p > 1).any():  # what a certain item cannot take goes to the others, in proportion
        certain = p >= 1
        rest = n - certain.sum() - least * (~certain).sum()
        others = shares[~certain].sum()
        p = np.where(certain, 1.0, least + rest * (shares / others if others > 0 else 1 / (~certain).sum()))
    return np.asarray(p)


def draw_systematic(probabilities: ArrayLike, seed: Seed = 0) -> NDArray[np.bool_]:
    """Draw items so that each is in with exactly its probability, and as many as they sum to (Madow 1949).

    Items are put in random order, and every one that a point of the grid u, u + 1, u + 2, ... falls on is drawn.

    >>> int(draw_systematic([0.3, 0.3, 0.5, 0.9]).sum())
    2
    """
    p = floats(probabilities, "probabilities", ndim=1)
    if not ((p >= 0) & (p <= 1)).all():
        raise InputError("probabilities must lie between 0 and 1")
    rng = generator(seed)
    order = rng.permutation(len(p))
    ends = np.cumsum(p[order])
    ends[-1] = round(ends[-1], 9)  # whole, up to rounding
    start = rng.random()
    hits = np.floor(ends - start) - np.floor(np.concatenate([[0.0], ends[:-1]]) - start)
    drawn = np.zeros(len(p), dtype=bool)
    drawn[order] = hits > 0
    return drawn
