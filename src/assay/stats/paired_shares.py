"""Compare shares of the same items: McNemar's test with mid-p, and Tango's score interval of a difference.

For 0/1 scores the mean is a share, and intervals of the form estimate -+ c standard errors fail near 0 and 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, at_least, floats


def mcnemar(first: int, second: int) -> float:
    """Return the two-sided mid-p of McNemar's test (Fagerland, Lydersen and Laake 2013).

    first: items that only the first system has right, second: that only the second has. None of either: 1.

    >>> round(mcnemar(10, 3), 4), mcnemar(5, 0), mcnemar(0, 0)
    (0.0574, 0.03125, 1.0)
    """
    from scipy.special import bdtr

    b, c = at_least(first, "first", 0), at_least(second, "second", 0)
    n, k = b + c, min(b, c)
    if n == 0:
        return 1.0
    below = float(bdtr(k - 1, n, 0.5)) if k else 0.0
    at = float(bdtr(k, n, 0.5)) - below
    return 1 - at / 2 if b == c else 2 * below + at


def tango(first: ArrayLike, second: ArrayLike, n: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
    """Return the score interval of the difference of two paired shares (Tango 1998), for arrays of counts.

    n items, of which only the first system has `first` right and only the second `second`; counts need not be whole
    numbers, so that they can be divided by a design effect. The bounds are the differences at which the score statistic
    is -+ z; it is (first - second) / sqrt(first + second) at 0, which is McNemar's.

    >>> low, high = tango([12], [2], [50], [1.959964])
    >>> low.round(4), high.round(4)
    (array([0.0611]), array([0.3447]))
    """
    b, c, count, limit = np.broadcast_arrays(*(floats(a, "counts", ndim=(0, 1)) for a in (first, second, n, z)))
    centre = (b - c) / count
    bounds = []
    for side in (-1.0, 1.0):
        inside, outside = centre.copy(), np.full(centre.shape, side)
        for _ in range(60):
            middle = (inside + outside) / 2
            within = -side * _score(b, c, count, middle) <= limit
            inside, outside = np.where(within, middle, inside), np.where(within, outside, middle)
        bounds.append(np.where(-side * _score(b, c, count, np.full(centre.shape, side)) <= limit, side, inside))
    return bounds[0], bounds[1]


def _score(b: Array, c: Array, n: Array, delta: Array) -> Array:
    """Return the score statistic of a difference delta; the share of `second` is its maximum likelihood estimate."""
    linear = -b - c + (2 * n - b + c) * delta
    constant = -c * delta * (1 - delta)
    q = (np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    variance = n * (2 * q + delta * (1 - delta))
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = b - c - n * delta
        return np.asarray(np.where(variance > 1e-300, gap / np.sqrt(variance), np.sign(gap) * np.inf))
