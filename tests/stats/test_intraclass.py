"""Intraclass correlation: Shrout and Fleiss' own table, intervals, and incomplete items."""

import numpy as np
import pytest

from assay import stats
from assay.errors import UndefinedWarning
from assay.stats.intraclass import FORMS

# Shrout and Fleiss (1979), Table 2; coefficients from their Table 4
TABLE = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
PUBLISHED = dict(zip(FORMS, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91], strict=True))
# 95 % intervals as the R package psych prints them for the same table
PSYCH = {
    "1,1": (-0.13, 0.72),
    "2,1": (0.02, 0.76),
    "3,1": (0.34, 0.95),
    "1,k": (-0.88, 0.91),
    "2,k": (0.07, 0.93),
    "3,k": (0.68, 0.99),
}


@pytest.mark.parametrize("form", FORMS)
def test_published(form):
    result = stats.icc(TABLE, form=form)
    assert round(result.value, 2) == PUBLISHED[form]
    assert (round(result.low, 2), round(result.high, 2)) == PSYCH[form]


def test_incomplete_items_are_left_out_and_counted():
    result = stats.icc([*TABLE, [1, 2, np.nan, 4]], form="3,1")
    assert (result.value, result.items, result.left_out) == (stats.icc(TABLE, form="3,1").value, 6, 1)


def test_perfect_and_undefined():
    assert stats.icc([[1, 1], [2, 2], [3, 3]], form="1,1").value == 1
    assert stats.icc([[1, 2], [2, 3], [3, 4]], form="3,1").value == 1
    for ratings in ([[1, 1], [1, 1]], [[1], [2]], [[1, 2]], [[1, np.nan], [np.nan, 2]]):
        with pytest.warns(UndefinedWarning, match="ICC of"):
            assert np.isnan(stats.icc(ratings).value)


def test_outputs_of_one_item_have_no_interval():
    """Leaving the item out leaves nothing: this was a division by zero."""
    result = stats.icc([[1, 2, 2], [3, 4, 3.5]], form="2,1", units=["1", "1"])
    assert 0 < result.value < 1
    assert np.isnan([result.low, result.high]).all()
