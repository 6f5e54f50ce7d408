"""Intervals by leaving out one unit after another."""

import numpy as np
import pytest
from scipy.stats import t

from assay import stats
from assay.errors import InputError
from assay.stats.unit_jackknife import group_units, jackknife_limits


def test_limits_of_a_mean_are_those_of_the_t_test():
    """Of a mean the jackknife error is the standard error."""
    values = np.random.default_rng(2).normal(size=12) / 10
    without = np.array([np.delete(values, i).mean() for i in range(12)])
    half = t.ppf(0.975, 11) * values.std(ddof=1) / np.sqrt(12)
    assert jackknife_limits(values.mean(), without, 0.95) == pytest.approx((values.mean() - half, values.mean() + half))


def test_icc_over_shared_items_is_wider():
    """Five outputs of an item agree because the item is easy: F counts 100 drawn rows, and 20 were drawn."""
    rng = np.random.default_rng(3)
    table = np.repeat(rng.normal(size=(20, 1)), 5, axis=0) + 0.5 * rng.normal(size=(100, 3))
    shared, alone = (stats.icc(table, units=units) for units in (np.repeat(np.arange(20), 5).tolist(), None))
    assert shared.value == alone.value
    assert shared.high - shared.low > 1.3 * (alone.high - alone.low)
    without = [stats.icc(np.delete(table, slice(5 * k, 5 * k + 5), axis=0)).value for k in range(20)]
    assert (shared.low, shared.high) == pytest.approx(jackknife_limits(shared.value, np.array(without), 0.95))
    assert stats.icc(table, units=list(range(100))) == alone


def test_units_are_one_per_row():
    with pytest.raises(InputError, match="one per row of ratings, 3; got 2"):
        group_units(["a", "b"], 3)
