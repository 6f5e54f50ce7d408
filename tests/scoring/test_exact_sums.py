"""Sums without rounding, against math.fsum."""

from __future__ import annotations

import math
from fractions import Fraction

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


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(allow_nan=False, allow_infinity=False)), max_size=60))
def test_equals_sums_of_fractions(pairs):
    """The plain twin: whole numbers of 2**-1074, by Python's own."""
    sums = ExactSums(3)
    sums.add(np.array([cell for cell, _ in pairs], dtype=np.int64), np.array([v for _, v in pairs], dtype=np.float64))
    totals = [sum((Fraction(v) for cell, v in pairs if cell == k), Fraction()) for k in range(3)]
    assert sums.to_text() == [f"{int(total * 2**1074):x}" for total in totals]


def test_what_is_not_finite_is_added_apart():
    sums = ExactSums(3)
    sums.add(np.array([0, 1, 1, 2]), np.array([math.inf, math.inf, -math.inf, 1.5]))
    assert sums.to_text() == ["inf", "nan", f"{int(Fraction(1.5) * 2**1074):x}"]
    again = ExactSums(3)
    again.merge(ExactSums.from_text(sums.to_text()), [2, 1, 0])
    assert again.totals().tolist()[::2] == [1.5, math.inf]
    assert math.isnan(again.totals()[1])


def test_cells_that_are_not_there():
    sums = ExactSums(2)
    for cells, values in (([2], [1.0]), ([-1], [1.0]), ([0], [1.0, 2.0])):
        with pytest.raises(ValueError):
            sums.add(np.array(cells), np.array(values))
    assert sums.totals().tolist() == [0.0, 0.0]
    sums.grow(3)
    sums.add(np.array([2]), np.array([2.5]))
    assert sums.totals().tolist() == [0.0, 0.0, 2.5]


def test_an_absurd_number_of_cells_is_refused_and_nothing_is_lost():
    sums = ExactSums(2)
    sums.add(np.array([1]), np.array([2.5]))
    for cells in (2**24 + 1, 2**40, 2**62):
        with pytest.raises(ValueError, match=r"more than 2\*\*24 cells"):
            sums.grow(cells)
    assert sums.totals().tolist() == [0.0, 2.5]
