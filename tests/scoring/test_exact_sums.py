"""Sums without rounding, against math.fsum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.exact_sums import ExactSums

# Not so large that sums overflow in fsum, which then gives up.
floats = st.floats(-1e300, 1e300, allow_nan=False)


@given(st.lists(st.tuples(st.integers(0, 2), floats), max_size=40))
def test_equals_fsum_in_any_order(pairs):
    cells = np.array([cell for cell, _ in pairs], dtype=np.int64)
    values = np.array([value for _, value in pairs], dtype=np.float64)
    forth, back = ExactSums(3), ExactSums(3)
    forth.add(cells, values)
    for cell, value in zip(cells[::-1], values[::-1], strict=True):
        back.add(np.array([cell]), np.array([value]))
    want = [math.fsum(values[cells == k]) for k in range(3)]
    assert forth.totals().tolist() == back.totals().tolist() == want


@given(st.lists(floats, min_size=1, max_size=30), st.integers(0, 30))
def test_parts_that_were_written_and_merged(values, cut):
    array = np.array(values)
    whole, left, right = ExactSums(1), ExactSums(1), ExactSums(1)
    for sums, values_of_it in ((whole, array), (left, array[:cut]), (right, array[cut:])):
        sums.add(np.zeros(len(values_of_it), dtype=np.int64), values_of_it)
    merged = ExactSums(2)
    for part in (right, left):
        merged.merge(ExactSums.from_text(part.to_text()), [1])
    counts = np.array([0, len(values)])
    assert merged.means(counts)[1] == whole.means(counts[1:])[0]
    assert np.isnan(merged.means(counts)[0])


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([5e-324, 5e-324, 2.2e-308], math.fsum([5e-324, 5e-324, 2.2e-308])),
        ([1e308, 1e308], math.inf),
        ([-1e308, -1e308], -math.inf),
        ([math.inf, 1.0], math.inf),
        ([], 0.0),
    ],
)
def test_ends_of_the_range(values, total):
    sums = ExactSums(1)
    sums.add(np.zeros(len(values), dtype=np.int64), np.array(values, dtype=np.float64))
    assert sums.totals().tolist() == [total]
    assert ExactSums.from_text(sums.to_text()).totals().tolist() == [total]


def test_a_mean_may_exist_where_the_sum_overflows():
    sums = ExactSums(1)
    sums.add(np.zeros(2, dtype=np.int64), np.array([1e308, 1e308]))
    assert sums.means(np.array([2])).tolist() == [1e308]
