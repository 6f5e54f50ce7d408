"""One entry for all designs; families and matrices."""

import numpy as np

from assay.stats import compare_all
from assay.stats.contrasts import list_pairs, square


def test_the_design_decides():
    x = np.random.default_rng(0).normal(size=(2, 40))
    assert compare_all(x).method == "paired"
    x[0, 0] = np.nan
    assert compare_all(x).method == "adjusted"
    x[0, :20] = x[1, 20:] = np.nan
    assert compare_all(x).method == "all-data"


def test_families():
    assert len(list_pairs(5, None)) == 10
    assert list_pairs(4, 2).tolist() == [[0, 2], [1, 2], [2, 3]]


def test_square():
    table = square(3, list_pairs(3, 1), np.array([1.0, 2.0]), np.array([-1.0, -2.0]), diagonal=0.0)
    assert table[0, 1] == 1
    assert table[1, 0] == -1
    assert table[2, 1] == -2
    assert np.isnan(table[0, 2])
