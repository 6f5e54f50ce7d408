"""Ranks as clusters."""

import numpy as np
import pytest

from assay import stats
from assay.errors import InputError, UndefinedWarning


def test_new_rank_when_worse_than_any_member():
    p = np.ones((4, 4))
    p[2, 1] = 0.01  # in order of value: 2, 0, 1, 3; 1 is worse than the first, not than the second
    p[1, 3] = 0.2
    assert stats.rank_clusters([0.8, 0.7, 0.9, 0.1], p).tolist() == [1, 2, 1, 2]
    p[1, 3] = 0.05
    assert stats.rank_clusters([0.8, 0.7, 0.9, 0.1], p).tolist() == [1, 2, 1, 3]
    assert stats.rank_clusters([0.8, 0.7, 0.9, 0.1], np.full((4, 4), np.nan)).tolist() == [1, 1, 1, 1]


def test_nan_has_no_rank():
    with pytest.warns(UndefinedWarning, match="1 of 2 values"):
        assert stats.rank_clusters([np.nan, 0.5], np.ones((2, 2))).tolist() == [-1, 1]
    with pytest.raises(InputError, match="2 x 2"):
        stats.rank_clusters([0.1, 0.5], np.ones((3, 3)))
