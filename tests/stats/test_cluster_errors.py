"""Standard errors by cluster: equal to R, statsmodels, Miller's formula and inspect_ai."""

import warnings

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.errors import InputError, UndefinedWarning
from assay.stats import cluster_se, mean_intervals
from assay.stats.cluster_errors import bell_mccaffrey

Y = np.array([1, 2, 3, 5, 5, 6, 2.5, 3.5, 7, 1, 0, 4, 2, 2, 9, 6])
G = np.array([1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 6])
# R 4.2.2, clubSandwich 0.5.8: m <- lm(y ~ 1); sqrt(vcovCR(m, cluster = g, type = ...)) and, for CR2, the df of
# coef_test(m, vcov = "CR2", cluster = g, test = "Satterthwaite")
CLUB_SANDWICH = {"cr0": 0.5382409954106292, "cr1": 0.5896134691208723, "cr2": 0.5774865609016177}
CLUB_SANDWICH_DF = 3.57945605754102


@pytest.mark.parametrize("kind", CLUB_SANDWICH)
def test_equals_club_sandwich(kind):
    result = cluster_se(Y, G, kind=kind)
    assert result.error == pytest.approx(CLUB_SANDWICH[kind], rel=1e-12)
    assert result.df == pytest.approx(CLUB_SANDWICH_DF if kind == "cr2" else 5, rel=1e-12)


def test_equals_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    fit = sm.OLS(Y, np.ones(len(Y))).fit(cov_type="cluster", cov_kwds={"groups": G})
    assert cluster_se(Y, G, kind="cr1").error == pytest.approx(fit.bse[0], rel=1e-12)


def test_equals_miller():
    """Miller (2024, arXiv 2411.00640), section 2.2: the squared plain error plus the products within clusters."""
    rest = Y - Y.mean()
    within = sum(rest[i] * rest[k] for i in range(16) for k in range(16) if i != k and G[i] == G[k])
    assert cluster_se(Y, G, kind="cr0").error == pytest.approx(np.sqrt((rest @ rest + within) / 16**2), rel=1e-12)


def test_equals_inspect():
    """stderr(cluster=...) of inspect_ai 0.3.285: the root of C / (C - 1) times the sum of squared sums, over n."""
    squares = sum((Y[g == G] - Y.mean()).sum() ** 2 for g in np.unique(G))
    assert cluster_se(Y, G, kind="cr1").error == pytest.approx(np.sqrt(squares * 6 / 5) / 16, rel=1e-12)


@pytest.mark.parametrize("kind", ["cr1", "cr2"])
def test_items_of_their_own_are_plain(kind):
    result = cluster_se(Y, kind=kind)
    assert result.error == pytest.approx(scipy_stats.sem(Y), rel=1e-12)
    assert result.df == pytest.approx(15)


def test_missing_values_take_their_cluster_along():
    values = Y.copy()
    values[-2:] = np.nan  # all of cluster 6
    assert cluster_se(values, G) == cluster_se(Y[:-2], G[:-2])


def test_degrees_of_freedom_by_definition():
    sizes = np.array([7.0, 3, 1, 1, 4])
    n, codes = 16, np.repeat(np.arange(5), sizes.astype(int))
    member = np.eye(5)[codes]
    rest = np.eye(n) - 1 / n
    columns = rest @ member / np.sqrt(1 - sizes / n) / n
    gram = columns.T @ columns
    assert bell_mccaffrey(sizes) == pytest.approx(np.trace(gram) ** 2 / (gram**2).sum(), rel=1e-12)


def test_one_cluster_is_undefined():
    with pytest.warns(UndefinedWarning, match="it takes two clusters"):
        result = cluster_se([1.0, 2, 3], ["a", "a", "a"])
    assert result.value == 2
    assert np.isnan(result.error)
    assert result.clusters == 1
    with pytest.raises(InputError, match="one name per item, 3"):
        cluster_se([1.0, 2, 3], ["a", "b"])


def test_intervals_of_means():
    means, low, high = mean_intervals(np.stack([Y, Y / 2]), G)
    half = scipy_stats.t.ppf(0.975, CLUB_SANDWICH_DF) * CLUB_SANDWICH["cr2"]
    assert (means[0], low[0], high[0]) == pytest.approx((Y.mean(), Y.mean() - half, Y.mean() + half))
    assert high[1] == pytest.approx(high[0] / 2)


def test_intervals_of_shares_are_wilsons():
    x = np.array([[1.0] * 20, [1.0] * 15 + [0.0] * 5])
    _, low, high = mean_intervals(x)
    for row, k in enumerate((20, 15)):
        expected = scipy_stats.binomtest(k, 20).proportion_ci(method="wilson")
        assert (low[row], high[row]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_repeats_do_not_narrow_a_share():
    """Thirty questions asked ten times are worth thirty where the answers are always the same."""
    answers = np.repeat([1.0] * 24 + [0.0] * 6, 10)
    _, low, high = mean_intervals(answers[None], np.repeat(np.arange(30), 10))
    _, plain_low, plain_high = mean_intervals(np.array([[1.0] * 24 + [0.0] * 6]))
    assert high[0] - low[0] == pytest.approx(plain_high[0] - plain_low[0], rel=0.06)


def test_bounds_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        means, low, high = mean_intervals([[np.nan, np.nan], [2.0, np.nan], [1.0, 3.0]])
    assert np.isnan(means[0])
    assert means[1] == 2
    assert np.isnan([low[1], high[1]]).all()
    assert low[2] < 2 < high[2]
