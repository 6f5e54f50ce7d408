"""Kappa: published examples, scikit-learn and statsmodels."""

import numpy as np
import pytest
import sklearn.metrics
import statsmodels.stats.inter_rater as peer

from assay import stats
from assay.errors import InputError, UndefinedWarning

WIKIPEDIA = [  # the worked example of "Fleiss' kappa" (Wikipedia): 10 subjects, 14 raters, 5 categories, kappa = .210
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_equals_sklearn(weights):
    rng = np.random.default_rng(0)
    for _ in range(20):
        a = rng.integers(1, 6, size=40).astype(float)
        b = np.clip(a + rng.integers(-1, 2, size=40), 1, 5)
        expected = sklearn.metrics.cohen_kappa_score(a, b, weights=None if weights == "none" else weights)
        assert stats.cohen_kappa(a, b, weights=weights).value == pytest.approx(expected, abs=1e-12)


def test_cohen_golden():
    # the grant-proposal example of "Cohen's kappa" (Wikipedia): 20 yes-yes, 15 no-no, 5 and 10 otherwise; kappa = .4
    a, b = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    result = stats.cohen_kappa(a, b)
    assert (result.value, result.observed, result.expected) == pytest.approx((0.4, 0.7, 0.5))


def test_scale_that_nobody_used():
    a, b = [1, 1, 4, 2], [1, 4, 4, 2]
    whole = stats.cohen_kappa(a, b, weights="quadratic", categories=[1, 2, 3, 4]).value
    expected = sklearn.metrics.cohen_kappa_score(a, b, weights="quadratic", labels=[1, 2, 3, 4])
    assert whole == pytest.approx(expected)
    assert whole != pytest.approx(stats.cohen_kappa(a, b, weights="quadratic").value)
    with pytest.raises(InputError, match=r"ratings \[4.0\] are not among"):
        stats.cohen_kappa(a, b, categories=[1, 2, 3])


def test_missing_is_dropped_pairwise():
    a, b = [1, 2, np.nan, 1, 3], [1, np.nan, 2, 2, 3]
    assert stats.cohen_kappa(a, b).value == stats.cohen_kappa([1, 1, 3], [1, 2, 3]).value
    assert stats.cohen_kappa(a, b).n == 3


def test_bootstrap_of_items():
    rng = np.random.default_rng(0)
    a = rng.integers(1, 4, size=116).astype(float)
    b = np.where(rng.random(116) < 0.3, rng.integers(1, 4, size=116), a)
    result = stats.cohen_kappa(a, b, weights="quadratic", resamples=5000, seed=1)
    plain = [stats.cohen_kappa(a[i], b[i], weights="quadratic").value for i in rng.integers(0, 116, size=(1500, 116))]
    assert (result.low, result.high) == pytest.approx(tuple(np.percentile(plain, [2.5, 97.5])), abs=0.02)
    assert result.seed == 1


def test_fleiss():
    assert round(stats.fleiss_from_counts(WIKIPEDIA).value, 3) == 0.210
    ratings = np.random.default_rng(0).integers(1, 4, size=(30, 5))
    expected = peer.fleiss_kappa(peer.aggregate_raters(ratings)[0])
    assert stats.fleiss_kappa(ratings).value == pytest.approx(expected, abs=1e-12)
    with pytest.raises(InputError, match="use Krippendorff's alpha"):
        stats.fleiss_kappa([[1, 2, np.nan], [1, 1, 2]])


def test_one_category_is_undefined():
    with pytest.warns(UndefinedWarning, match=r"3 item\(s\) that both raters rated, all in one category"):
        assert np.isnan(stats.cohen_kappa([1, 1, 1], [1, 1, 1]).value)
    with pytest.warns(UndefinedWarning, match=r"0 item\(s\)"):
        assert np.isnan(stats.cohen_kappa([1, np.nan], [np.nan, 1]).value)
    with pytest.warns(UndefinedWarning, match="one category"):
        assert np.isnan(stats.fleiss_kappa([[2, 2], [2, 2]]).value)


def test_percent_agreement():
    ratings = np.array([[1, 1, 2], [2, 2, 2], [1, np.nan, 1], [3, np.nan, np.nan]])
    assert stats.percent_agreement(ratings) == pytest.approx((1 + 3 + 1) / 7)
    with pytest.warns(UndefinedWarning, match="rated twice"):
        assert np.isnan(stats.percent_agreement([[1, np.nan], [np.nan, 2]]))
