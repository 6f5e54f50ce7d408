"""Complete scores: one procedure for test and interval, exact for two systems, Tukey's with equal spreads."""

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.errors import InputError
from assay.stats import cluster_se, mcnemar, paired_contrasts
from assay.stats.simultaneous import critical_value, shrink


def draw(systems=4, items=30, seed=0, gain=0.4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=items) + rng.normal(size=(systems, items)) + gain * np.arange(systems)[:, None]


def test_two_systems_by_hand():
    """All flips of eight clusters of unequal sizes, each studentized by cluster_se."""
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    x = rng.normal(size=(2, 20)) + np.array([[0.5], [0]])
    d = x[0] - x[1]
    own = cluster_se(d, clusters)
    flips = [cluster_se(d * np.array(signs)[clusters], clusters) for signs in itertools.product((1, -1), repeat=8)]
    expected = np.mean([abs(f.value / f.error) >= abs(own.value / own.error) - 1e-9 for f in flips])
    result = paired_contrasts(x, clusters)
    assert result.adjusted[0, 1] == pytest.approx(expected)
    assert result.error[0, 1] == pytest.approx(own.error)
    assert result.df[0, 1] == pytest.approx(own.df)
    assert result.resamples == 128
    assert result.smallest == 2**-7


@pytest.mark.parametrize("systems", [2, 3, 6])
@pytest.mark.parametrize("binary", [False, True])
def test_test_and_interval_are_one(systems, binary):
    for seed in range(60):
        x = draw(systems, 25, seed, gain=0.3)
        x = (x > 0.5).astype(float) if binary else x
        result = paired_contrasts(x, resamples=199, seed=seed)
        i, k = np.triu_indices(systems, 1)
        outside = (result.low[i, k] > 0) | (result.high[i, k] < 0)
        assert (outside == (result.adjusted[i, k] <= 0.05)).all()
        assert (result.low[i, k] == -result.high[k, i]).all()
        assert ((result.low <= result.difference) & (result.difference <= result.high)).all()


def test_many_draws_of_normal_scores_approach_tukey():
    """Equal spreads: c is the studentized range with pooled degrees of freedom, p Tukey's for two-way residuals."""
    x = draw(5, 60, gain=0.15)
    result = paired_contrasts(x, resamples=20_000)
    assert np.isinf(result.pooled_df) or result.pooled_df > 200
    expected = scipy_stats.studentized_range.ppf(0.95, 5, 4 * 59) / np.sqrt(2)
    assert result.critical[0, 1] == pytest.approx(expected, rel=0.03)


def test_two_systems_approach_the_t_test():
    x = draw(2, 80)
    expected = scipy_stats.ttest_rel(x[0], x[1])
    result = paired_contrasts(x, resamples=20_000)
    assert result.difference[0, 1] / result.error[0, 1] == pytest.approx(expected.statistic, rel=1e-9)
    assert result.critical[0, 1] == pytest.approx(scipy_stats.t.ppf(0.975, 79), rel=0.03)


def test_far_beyond_the_draws():
    """What no draw reaches has the tail of t, times the pairs, and never less than all clusters agreeing by chance."""
    x = draw(3, 40, gain=4.0)
    result = paired_contrasts(x)
    t = abs(result.difference[0, 2] / result.error[0, 2])
    tail = 3 * 2 * scipy_stats.t.sf(t, result.df[0, 2])
    assert result.adjusted[0, 2] == pytest.approx(max(tail, 2.0**-39))
    assert result.adjusted[0, 2] < 1e-8
    assert paired_contrasts(x[:, :5]).adjusted[0, 2] == 2**-4


def test_fewer_than_six_clusters_are_never_significant():
    x = draw(2, 50, gain=9.0)
    assert paired_contrasts(x, np.arange(50) % 5).adjusted[0, 1] == 0.0625
    assert paired_contrasts(x, np.arange(50) % 6).adjusted[0, 1] == 0.03125


def test_shares_of_two_systems_are_mcnemars():
    x = np.zeros((2, 40))
    x[0, :9] = x[1, 7:12] = 1
    assert paired_contrasts(x).adjusted[0, 1] == mcnemar(7, 3)
    by_flips = paired_contrasts(x, np.arange(40) // 1 * 1.0, resamples=4000)
    assert by_flips.adjusted[0, 1] == mcnemar(7, 3)  # each item is its own cluster


def test_equal_shares_have_an_interval():
    result = paired_contrasts(np.ones((2, 20)))
    assert result.adjusted[0, 1] == 1
    assert result.high[0, 1] == pytest.approx(0.1611, abs=1e-3)
    assert result.low[0, 1] == pytest.approx(-result.high[0, 1])


def test_repeats_of_items_do_not_count():
    """Thirty questions asked ten times with the same answers are thirty questions."""
    x = (draw(2, 30, gain=0.5) > 0.3).astype(float)
    once, often = paired_contrasts(x), paired_contrasts(np.repeat(x, 10, axis=1), np.repeat(np.arange(30), 10))
    assert often.adjusted[0, 1] == pytest.approx(once.adjusted[0, 1], abs=0.03)
    assert often.low[0, 1] == pytest.approx(once.low[0, 1], abs=0.03)


def test_baseline_tests_fewer_pairs():
    x = draw(6, 40, gain=0.2)
    all_pairs, own = paired_contrasts(x), paired_contrasts(x, baseline=2)
    assert np.isnan(own.adjusted[0, 1])
    assert own.critical[0, 2] < all_pairs.critical[0, 2]
    assert (own.adjusted[2] <= all_pairs.adjusted[2] + 1e-9).all()


def test_may_be_best():
    x = draw(5, 60, gain=0.0) + np.array([[0], [0], [2.0], [2.0], [-1]])
    assert paired_contrasts(x).best.tolist() == [False, False, True, True, False]
    assert paired_contrasts(x[:, :4]).best.all()  # nothing can be said by four clusters


def test_the_same_difference_everywhere():
    x = np.stack([np.arange(10.0), np.arange(10.0) - 1, np.arange(10.0)])
    result = paired_contrasts(x)
    assert result.adjusted[0, 1] == 2**-9
    assert result.adjusted[0, 2] == 1
    assert result.low[0, 1] == result.high[0, 1] == 1


@pytest.mark.parametrize("systems", [2, 3])
def test_one_cluster_says_nothing(systems):
    """A column that puts all items in one cluster: means and differences stand, nothing is significant."""
    x = draw(systems, 20, gain=5.0)
    result = paired_contrasts(x, np.zeros(20))
    assert result.difference[1, 0] == pytest.approx(x[1].mean() - x[0].mean())
    assert result.adjusted[0, 1] == 1
    assert np.isnan([result.low[0, 1], result.high[0, 1]]).all()
    assert result.best.all()
    few = paired_contrasts(np.stack([np.arange(4.0), np.arange(4.0) - 1]))
    assert few.adjusted[0, 1] == 0.125
    assert np.isnan(few.low[0, 1])


def test_shrink():
    """Smyth (2004): drawn from the model, the degrees of freedom are found again; equal variances have no limit."""
    rng = np.random.default_rng(0)
    true = 8 / rng.chisquare(8, size=4000)
    prior, weight = shrink(true * rng.chisquare(20, size=4000) / 20, 20)
    assert prior == pytest.approx(1, rel=0.05)
    assert weight == pytest.approx(8, rel=0.15)
    assert shrink(np.ones(5), 20) == (1.0, np.inf)
    assert shrink(np.array([1.0, 2.0]), 20)[1] == 0


def test_critical_value_lies_between():
    draws = np.repeat([1.0, 2.0, 3.0], [900, 80, 20])
    assert critical_value(draws, 0.05, exact=True) == 2.5
    assert critical_value(draws, 0.15, exact=True) == 1.5
    assert critical_value(draws, 0.07, exact=True, half=True) == 1.5
    assert critical_value(draws, 0.001, exact=True) > 3


def test_seed_and_batches():
    x = draw(8, 200, gain=0.1)
    first, again, other = (paired_contrasts(x, seed=s) for s in (1, 1, 2))
    assert (first.adjusted == again.adjusted).all()
    assert (first.adjusted != other.adjusted).any()
    assert (first.seed, first.resamples, first.clusters) == (1, 1000, 200)


def test_bad_input():
    with pytest.raises(InputError, match="complete scores of at least two systems"):
        paired_contrasts([[1.0, np.nan], [1, 2]])
    with pytest.raises(InputError, match="one name per item, 3"):
        paired_contrasts(np.ones((2, 3)), [1, 2])


@pytest.mark.parametrize(
    ("systems", "items", "most"), [(2, 12, 0.08), (3, 15, 0.09), (10, 20, 0.09)]
)  # of 400 runs, the standard error is .011
def test_level(systems, items, most):
    errors = [
        (paired_contrasts(draw(systems, items, seed, gain=0.0), resamples=199, seed=seed).adjusted <= 0.05).any()
        for seed in range(400)
    ]
    assert 0.02 <= np.mean(errors) <= most
