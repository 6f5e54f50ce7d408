"""Put what was computed of some systems back among all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.scores import Floats


def spread_vector(values: Floats, places: NDArray[np.int64], count: int) -> Floats:
    """Return the values at their places among so many, NaN elsewhere.

    >>> spread_vector(np.array([1.0, 2.0]), np.array([0, 2]), 3)
    array([ 1., nan,  2.])
    """
    whole = np.full(count, np.nan)
    whole[places] = values
    return whole


def spread_matrix(matrix: Floats, places: NDArray[np.int64], count: int) -> Floats:
    """Return the matrix in these rows and columns of a larger one, NaN elsewhere."""
    whole = np.full((count, count), np.nan)
    whole[np.ix_(places, places)] = matrix
    return whole
