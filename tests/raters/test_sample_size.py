"""How many raters and items: the formulas, turned round."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judges_made import ratings

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.raters import raters_for, sample_size, spearman_brown


@given(st.floats(0.01, 0.99), st.floats(0.1, 0.95))
def test_raters_for_is_the_least_that_reaches_the_target(one, target):
    k = raters_for(one, target)
    assert spearman_brown(one, k) >= target - 1e-6
    assert k == 1 or spearman_brown(one, k - 1) < target


def test_spearman_brown_is_icc_of_the_mean():
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6]]
    assert spearman_brown(stats.icc(table, form="1,1").value, 4) == pytest.approx(stats.icc(table, form="1,k").value)


def test_spreads_by_hand():
    """A: 1 2 3 (squares 2), B: 3 3 6 (squares 6), 2 degrees of freedom each; differences 2 1 3 (squares 2)."""
    rows = {"ann": [1, 2, 3, 3, 3, 6], "bob": [1, 2, 3, 3, 3, 6]}
    result = sample_size(ratings(rows, systems="AAABBB", items="123123"))
    assert result.sd == pytest.approx(sqrt(8 / 4))
    assert result.sd_difference == pytest.approx(1)
    assert (result.items, result.systems, result.raters_per_output, result.raters_needed) == (3, 2, 2, 1)
    assert result.half_width == pytest.approx(1.959964 * sqrt(2) / sqrt(3), abs=1e-5)
    assert result.detectable == pytest.approx((1.959964 + 0.841621) / sqrt(3), abs=1e-5)
    assert result.items_for_difference(result.detectable_with(50)) == 50
    assert result.items_for_half_width(result.half_width_with(70)) == 70
    assert result.more_items(result.detectable_with(50)) == 47
    assert result.more_items(100) == 0
    wanted = sample_size(ratings(rows, systems="AAABBB", items="123123"), difference=100)
    assert wanted.view().sentences[-1].endswith("to find a difference of 100, no more items are needed.")


def test_undefined():
    with pytest.warns(UndefinedWarning, match="no output was rated twice.*no two systems"):
        result = sample_size(ratings({"ann": [1, 2, 3]}))
    assert np.isnan(result.one_rater_reliability)
    assert result.raters_needed is None
    assert result.items_for_difference(1) is None
    assert "is undefined" in result.view().headline
    with pytest.raises(InputError, match="difference must be above 0"):
        result.items_for_difference(0)


def test_raters_who_disagree_do_not_help_by_being_many():
    rows = {"ann": [1, 3, 1, 3], "bob": [3, 1, 3, 1]}
    result = sample_size(ratings(rows, systems="AABB", items="1212"))
    assert "more raters would not help" in result.view().headline
