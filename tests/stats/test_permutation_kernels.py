"""Fast kernels of swapped scores: the same differences as swapping and correlating plainly."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.permutation_kernels import swap_kernel
from assay.stats.vectorized_correlation import coefficients


def correlate_plainly(x, y, z, keep, method):
    """The mean difference of both coefficients over groups, one draw at a time."""
    differences = []
    for draw in keep.astype(bool):
        first = coefficients(np.where(draw, x, y), z, method=method)
        second = coefficients(np.where(draw, y, x), z, method=method)
        differences.append(np.nanmean(first - second))
    return np.array(differences)


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall", "kendall-c"])
@pytest.mark.parametrize("points", [4, 12, 70])
@pytest.mark.parametrize("tied", [False, True])
def test_differences_are_those_of_plain_swaps(method, points, tied):
    rng = np.random.default_rng(points)
    x, y, z = rng.normal(size=(3, 5, points))
    if tied:
        x, y, z = (np.round(v * 2) for v in (x, y, z))
    keep = rng.integers(0, 2, (20, 5, points)).astype(np.uint8)
    first, second = swap_kernel(x, y, z, method=method)(keep)
    own = np.nanmean(first - second, axis=1)
    assert own == pytest.approx(correlate_plainly(x, y, z, keep, method), abs=1e-10)
