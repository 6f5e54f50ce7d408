"""Fisher intervals by hand, and the bootstrap against a loop over the same resamples."""

import numpy as np
import pytest
import scipy.stats
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.intervals import bootstrap_samples
from assay.stats.levels import LEVELS
from assay.stats.resampling import Resamples
from assay.stats.vectorized_correlation import METHODS


def test_fisher_golden():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 25))
    expected = scipy.stats.pearsonr(x, y)
    result = stats.fisher(expected.statistic, 25)
    assert (result.low, result.high) == pytest.approx(tuple(expected.confidence_interval()), abs=1e-12)
    # Bonett and Wright (2000), Eq. 3 and 4, worked by hand
    z, q = np.arctanh(0.5), 1.959963984540054
    half = q * np.sqrt((1 + 0.125) / 37)
    assert stats.fisher(0.5, 40, method="spearman").low == pytest.approx(np.tanh(z - half), abs=1e-12)
    assert stats.fisher(0.5, 40, method="kendall").high == pytest.approx(
        np.tanh(z + q * np.sqrt(0.437 / 36)), abs=1e-12
    )


def test_fisher_at_the_ends():
    low, high = stats.fisher(1.0, 10).low, stats.fisher(-1.0, 10).high
    assert (low, high) == (stats.perfect_bound(10), -stats.perfect_bound(10))
    for r, n in ((0.5, 3), (float("nan"), 30)):
        with pytest.warns(UndefinedWarning, match="n > 3"):
            assert np.isnan(stats.fisher(r, n).low)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    ties=st.booleans(),
    missing=st.sampled_from([0, 0.15]),
    level=st.sampled_from(LEVELS),
    method=st.sampled_from(METHODS),
    over=st.sampled_from(["systems", "inputs", "both"]),
)
def test_bootstrap_equals_loop(seed, ties, missing, level, method, over):
    rng = np.random.default_rng(seed)
    h, ms = (
        twins.table(rng, (6, 5), ties=ties, missing=missing),
        twins.table(rng, (2, 6, 5), ties=ties, missing=missing),
    )
    _, samples = bootstrap_samples(h, ms, level=level, method=method, over=over, resamples=8, seed=seed)
    rows, columns = Resamples(seed, shape=(6, 5), over=over).indices(8)
    expected = [
        [twins.level(h[np.ix_(r, c)], m[np.ix_(r, c)], level, method) for m in ms]
        for r, c in zip(rows, columns, strict=True)
    ]
    assert twins.same(samples, expected)


def test_percentiles_and_counts():
    rng = np.random.default_rng(0)
    h = rng.normal(size=(12, 1)) + rng.normal(size=(12, 9))
    ms = h + rng.normal(size=(3, 12, 9))
    result = stats.bootstrap_stack(h, ms, level="item", resamples=400, confidence=0.9, seed=2)
    assert twins.same(result.low, np.percentile(result.samples, 5, axis=0))
    assert twins.same(result.high, np.percentile(result.samples, 95, axis=0))
    one = stats.bootstrap(h, ms[1], level="item", resamples=400, confidence=0.9, seed=2)
    assert (one.value, one.low, one.high) == pytest.approx((result.values[1], result.low[1], result.high[1]), abs=1e-12)
    assert (one.resamples, one.seed, one.undefined, one.n) == (400, 2, 0, 12)


def test_constant_people_say_so():
    with pytest.warns(UndefinedWarning, match="all resamples"):
        result = stats.bootstrap(np.ones((5, 4)), np.random.default_rng(0).normal(size=(5, 4)), resamples=10)
    assert np.isnan([result.value, result.low, result.high]).all()
    assert result.undefined == 10


def test_means_equal_loop():
    rng = np.random.default_rng(0)
    scores = twins.table(rng, (4, 15), missing=0.2)
    result = stats.bootstrap_means(scores, resamples=30, seed=1)
    _, columns = Resamples(1, shape=(4, 15), over="inputs").indices(30)
    assert twins.same(result.samples, [np.nanmean(scores[:, c], axis=1) for c in columns])
    assert twins.same(result.values, np.nanmean(scores, axis=1))
    with pytest.warns(UndefinedWarning, match="1 of 2 systems"):
        assert np.isnan(stats.bootstrap_means([[np.nan, np.nan], [1, 2]], resamples=5).low[0])


def test_bad_input():
    with pytest.raises(InputError, match="over must be one of systems, inputs, both"):
        stats.bootstrap(np.ones((3, 3)), np.ones((3, 3)), over="topics")
    with pytest.raises(InputError, match="confidence must lie between 0 and 1"):
        stats.bootstrap(np.ones((3, 3)), np.ones((3, 3)), confidence=95)
    with pytest.raises(InputError, match="resamples must be a whole number of at least 1"):
        stats.bootstrap(np.ones((3, 3)), np.ones((3, 3)), resamples=0)


def test_one_of_a_thing_has_no_interval():
    """From a single item every resample is the same: an interval of no width would claim certainty."""
    one = stats.bootstrap_means([[0.5], [0.25]], resamples=50)
    assert one.values.tolist() == [0.5, 0.25]
    assert np.isnan([one.low, one.high]).all()
    some = stats.bootstrap_means([[0.5, np.nan, np.nan], [0.25, 0.5, 0.75]], resamples=50)
    assert np.isnan(some.low).tolist() == [True, False]
    rng = np.random.default_rng(0)
    h, m = rng.normal(size=(2, 6, 1))
    for over in ("inputs", "both"):
        assert np.isnan(stats.bootstrap(h, m, over=over, resamples=50).low)
    assert not np.isnan(stats.bootstrap(h, m, over="systems", resamples=50).low)
    alpha = stats.krippendorff_alpha([[1, 2, 2]], interval=True)
    assert np.isnan(alpha.low)
    kappa = stats.cohen_kappa([1], [2], resamples=50)
    assert np.isnan(kappa.low)
