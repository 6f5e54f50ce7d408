"""t tests of differences of means, adjusted for each other: known quantiles, and test and interval that agree."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import studentized_range, t

from assay.stats.adjusted_contrasts import adjust_contrasts, covariance_of_errors
from assay.stats.contrasts import list_pairs


def equal_errors(means, df=1e9, **options):
    n = len(means)
    return adjust_contrasts(
        np.asarray(means, dtype=float),
        np.eye(n),
        np.full((n, n), 2**0.5),
        np.full((n, n), df),
        list_pairs(n, options.pop("baseline", None)),
        **options,
    )


def test_one_pair_is_students_t():
    result = equal_errors([0.0, 3.0], df=7)
    p = 2 * t.sf(3 / 2**0.5, 7)
    assert result.pvalue[0, 1] == result.adjusted[0, 1] == pytest.approx(p)
    assert result.high[1, 0] - 3 == pytest.approx(t.ppf(0.975, 7) * 2**0.5)


def test_all_pairs_of_independent_means_are_tukeys():
    means = [0.0, 1.0, 2.0, 3.2]
    result = equal_errors(means, resamples=20_000)
    for i in range(4):
        for k in range(i):
            assert result.adjusted[i, k] == pytest.approx(
                studentized_range.sf(abs(means[i] - means[k]), 4, np.inf), abs=0.015
            )
    assert result.critical[0, 1] * 2**0.5 == pytest.approx(studentized_range.ppf(0.95, 4, np.inf), rel=0.01)


def test_a_baseline_has_a_smaller_family():
    every, some = equal_errors([0.0, 1, 2, 3]), equal_errors([0.0, 1, 2, 3], baseline=0)
    assert some.adjusted[0, 3] < every.adjusted[0, 3]
    assert np.isnan(some.adjusted[1, 2])


def test_significant_is_an_interval_without_0():
    rng = np.random.default_rng(0)
    for seed in range(30):
        result = equal_errors(rng.normal(scale=2, size=5), df=12, seed=seed)
        apart = (result.low > 0) | (result.high < 0)
        np.fill_diagonal(apart, False)
        np.testing.assert_array_equal(apart, (result.adjusted <= 0.05) & ~np.eye(5, dtype=bool))


def test_no_p_is_below_the_smallest():
    result = equal_errors([0.0, 90.0], smallest=0.0625)
    assert result.adjusted[0, 1] == 0.0625
    assert result.low[0, 1] < 0 < result.high[0, 1]


def test_errors_of_differences_come_back_from_their_covariance():
    rng = np.random.default_rng(1)
    root = rng.normal(size=(4, 6))
    covariance = root @ root.T
    own = np.diag(covariance)
    squares = own[:, None] + own - 2 * covariance
    found = covariance_of_errors(np.sqrt(squares))
    own = np.diag(found)
    assert own[:, None] + own - 2 * found == pytest.approx(squares)
