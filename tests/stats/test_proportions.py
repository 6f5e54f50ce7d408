"""Shares: equal to statsmodels, and what 0 and 1 do."""

import numpy as np
import pytest
import statsmodels.stats.proportion as peer

from assay import stats
from assay.errors import InputError, UndefinedWarning


@pytest.mark.parametrize(("k", "n", "p0"), [(90, 100, 0.8), (3, 20, 0.5), (0, 9, 0.1), (9, 9, 0.9)])
def test_one_share_equals_statsmodels(k, n, p0):
    result = stats.proportion(k, n, against=p0)
    assert (result.statistic, result.pvalue) == pytest.approx(peer.proportions_ztest(k, n, p0, prop_var=p0), abs=1e-10)
    assert (result.low, result.high) == pytest.approx(peer.proportion_confint(k, n), abs=1e-10)
    wilson = stats.proportion(k, n, against=p0, interval="wilson")
    assert (wilson.low, wilson.high) == pytest.approx(peer.proportion_confint(k, n, method="wilson"), abs=1e-10)


def test_two_shares_equal_statsmodels():
    result = stats.proportion_difference(45, 60, 30, 55)
    assert (result.statistic, result.pvalue) == pytest.approx(peer.proportions_ztest([45, 30], [60, 55]), abs=1e-10)
    expected = peer.confint_proportions_2indep(45, 60, 30, 55, method="wald")
    assert (result.low, result.high) == pytest.approx(expected, abs=1e-10)


def test_ends():
    assert stats.proportion_difference(5, 5, 7, 7).pvalue == 1
    for call in (lambda: stats.proportion(0, 0), lambda: stats.proportion_difference(0, 0, 1, 2)):
        with pytest.warns(UndefinedWarning, match="of 0"):
            assert np.isnan(call().pvalue)
    with pytest.raises(InputError, match="between 0 and n = 4, got 5"):
        stats.proportion(5, 4)
