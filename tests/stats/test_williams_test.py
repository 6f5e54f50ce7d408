"""Williams' test: the published example, the matrix against a loop, and metrics that are one."""

import warnings

import numpy as np
import pytest
import scipy.stats
import stats_twins as twins

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.williams_test import _trios, _whole_trios


def test_a_correlation_of_one_by_rounding_is_one():
    """NumPy's corrcoef returns 1.0000000000000002 for a vector with itself."""
    above = 1.0000000000000002
    assert stats.williams(above, 0.5, 0.5, n=20) == stats.williams(1.0, 0.5, 0.5, n=20)
    assert stats.williams(above, above, above, n=20).pvalue == 0.5
    assert 0 < stats.williams(1.0, 0.5, 0.5, n=20).pvalue < 1e-6
    with pytest.raises(InputError, match="between -1 and 1"):
        stats.williams(1.01, 0.5, 0.5, n=20)


def plain(h, a, b):
    there = ~np.isnan(h + a + b)
    h, a, b = h[there], a[there], b[there]
    if len(h) < 4 or min(np.ptp(h), np.ptp(a), np.ptp(b)) == 0:
        return np.nan, np.nan
    r12, r13, r23 = (np.corrcoef(x, y)[0, 1] for x, y in ((h, a), (h, b), (a, b)))
    n, k = len(h), 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / under)
    return t, scipy.stats.t.sf(t, n - 3)


def test_published_example():
    # sacrerouge 0.2.5, nlpstats 0.0.1 and mt-metrics-eval; the nlp-williams README prints .209243, which is df n - 2
    result = stats.williams(0.65, 0.55, 0.3, n=50)
    assert result.statistic == pytest.approx(0.81608, abs=5e-6)
    assert result.pvalue == pytest.approx(0.209286, abs=5e-7)
    assert scipy.stats.t.sf(result.statistic, 48) == pytest.approx(0.209243, abs=5e-7)
    assert stats.williams(0.55, 0.65, 0.3, n=50).pvalue == pytest.approx(1 - result.pvalue)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_matrix_equals_loop(missing):
    rng = np.random.default_rng(0)
    h = twins.table(rng, 40, missing=missing)
    ms = np.nan_to_num(h) + twins.table(rng, (6, 40), missing=missing)
    result = stats.williams_matrix(h, ms + 1000)
    for i in range(6):
        for j in range(6):
            expected = (0, 0.5) if i == j else plain(h, ms[i], ms[j])
            assert (result.statistic[i, j], result.pvalue[i, j]) == pytest.approx(expected, abs=1e-9)
            assert result.n[i, j] == (~np.isnan(h + ms[i] + ms[j])).sum()


def test_two_metrics_that_are_one():
    rng = np.random.default_rng(0)
    h, a = rng.normal(size=(2, 30))
    result = stats.williams_matrix(h, [a, 3 * a + 0.1])
    assert (result.pvalue == 0.5).all()
    with pytest.warns(UndefinedWarning, match="2 of 4 pairs: constant or opposite scores"):
        stats.williams_matrix(h, [a, -a])
    assert stats.williams(0.5, 0.5, 1.0, n=30).pvalue == 0.5


def test_undefined_and_bad_input():
    for r23, n in ((0.3, 3), (float("nan"), 50), (-1.0, 50)):
        with pytest.warns(UndefinedWarning, match="n >= 4"):
            assert np.isnan(stats.williams(0.65, 0.55, r23, n=n).pvalue)
    with pytest.raises(InputError, match="r12 must be a correlation"):
        stats.williams(1.65, 0.55, 0.3, n=50)
    rng = np.random.default_rng(0)
    with pytest.warns(UndefinedWarning, match="3 of 4 pairs"):
        stats.williams_matrix(rng.normal(size=9), [rng.normal(size=9), np.full(9, 0.1)])
    with pytest.raises(InputError, match="the 9 points of h, got 8"):
        stats.williams_matrix(rng.normal(size=9), rng.normal(size=(2, 8)))


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("metrics", [1, 2, 5])
def test_a_stack_has_the_digits_of_its_samples(metrics, missing):
    rng = np.random.default_rng(metrics)
    for points in (3, 8, 129, 1000):
        h = twins.table(rng, (7, points), missing=missing)
        ms = np.nan_to_num(h)[:, None] + twins.table(rng, (7, metrics, points), missing=missing)
        ms[0, 0] = 1.0
        stack = stats.williams_stack(h, ms)
        for sample in range(7):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)
                one = stats.williams_matrix(h[sample], ms[sample])
            for field in ("statistic", "pvalue", "correlation", "n"):
                np.testing.assert_array_equal(getattr(stack, field)[sample], getattr(one, field))


def test_scores_that_are_all_there_take_a_shorter_way_to_the_same_digits():
    rng = np.random.default_rng(0)
    h, ms = rng.normal(size=(4, 200)), rng.normal(size=(4, 3, 200)).round(1)
    ms[1, 2] = 0.5
    for quick, plain in zip(_whole_trios(h, ms), _trios(h, ms), strict=True):
        np.testing.assert_array_equal(quick, plain)
