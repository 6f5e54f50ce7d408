"""Ranks as clusters."""

import itertools

import numpy as np
import pytest

from assay import stats
from assay.errors import InputError, UndefinedWarning


def test_new_rank_when_worse_than_any_member():
    p = np.ones((4, 4))
    p[2, 1] = 0.01  # in order of value: 2, 0, 1, 3; 1 is worse than the first, not than the second
    p[1, 3] = 0.2
    assert stats.rank_bands([0.8, 0.7, 0.9, 0.1], p).tolist() == [1, 2, 1, 2]
    p[1, 3] = 0.05
    assert stats.rank_bands([0.8, 0.7, 0.9, 0.1], p).tolist() == [1, 2, 1, 3]
    assert stats.rank_bands([0.8, 0.7, 0.9, 0.1], np.full((4, 4), np.nan)).tolist() == [1, 1, 1, 1]


def test_nan_has_no_rank():
    with pytest.warns(UndefinedWarning, match="1 of 2 values"):
        assert stats.rank_bands([np.nan, 0.5], np.ones((2, 2))).tolist() == [-1, 1]
    with pytest.raises(InputError, match="2 x 2"):
        stats.rank_bands([0.1, 0.5], np.ones((3, 3)))


def cliques(order, different):
    """All sets without a difference that no other such set contains, by trying all subsets."""
    sets = [
        frozenset(s)
        for n in range(1, len(order) + 1)
        for s in itertools.combinations(order, n)
        if not any(different[a, b] for a, b in itertools.combinations(s, 2))
    ]
    return {s for s in sets if not any(s < other for other in sets)}


def test_bands_are_all_largest_sets():
    rng = np.random.default_rng(0)
    for _ in range(40):
        upper = np.triu(rng.random((7, 7)) < rng.random(), 1)
        different = upper | upper.T
        order = rng.permutation(7).tolist()
        bands = stats.find_bands(order, different)
        assert {frozenset(b) for b in bands} == cliques(order, different)
        assert len(set(bands)) == len(bands)
        assert all([order.index(s) for s in band] == sorted(order.index(s) for s in band) for band in bands)
        letters = stats.letter_bands(7, bands)
        for a, b in itertools.combinations(range(7), 2):
            assert bool(set(letters[a]) & set(letters[b])) == (not different[a, b])


def test_no_system_no_band():
    assert stats.find_bands([], np.zeros((0, 0), dtype=bool)) == ()
