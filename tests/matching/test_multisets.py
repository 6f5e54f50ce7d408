"""Multisets equal what Counter says of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.matching.multisets import clipped_matches, compare_pairs, overlap_f1, unclipped_matches

bags = st.lists(st.sampled_from("abcd"), max_size=9).map(Counter)


@given(bags, bags)
def test_matches(a, b):
    assert clipped_matches(a, b) == clipped_matches(b, a) == (a & b).total()
    assert unclipped_matches(a, b) == sum(key in b for key in a.elements())
    total = a.total() + b.total()
    assert overlap_f1(a, b) == pytest.approx(2 * (a & b).total() / total if total else 0.0)


@pytest.mark.parametrize(
    ("refs", "want"), [("single", [1.0, np.nan, 0.0]), ("max", [1, np.nan, 1]), ("mean", [0.5, np.nan, 0.5])]
)
def test_pairs_are_pooled(refs, want):
    values = compare_pairs("axb", "acb", [[0, 1], [], [1, 2]], lambda a, b: float(a == b), refs=refs)
    np.testing.assert_array_equal(values, want)


def test_nothing_to_compare():
    assert compare_pairs([], [], [], lambda a, b: 1.0, refs="max").tolist() == []
