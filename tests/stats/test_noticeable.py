"""The noticeable difference: the fits equal plain ones and scikit-learn's, and the interval covers."""

import warnings

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from stats_twins import same

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats.noticeable import SPREAD

HEAVY = 1.39  # the .95 point with heavy-tailed noise of .5, from 4 million independent pairs


def draw(seed, systems=30, noise=0.5, kind="normal"):
    """Metric and human means: quality plus noise on both."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=systems)
    human, metric = rng.normal(size=(2, systems))
    if kind == "heavy":
        metric = rng.standard_t(4, size=systems) / np.sqrt(2)
    return quality + noise * metric, quality + 0.2 * human


def true_difference(noise, share=0.95):
    """Given a metric difference d the human difference is normal, and P(d) = Phi(slope d / sd)."""
    slope = 1 / (1 + noise**2)
    return scipy.stats.norm.ppf(share) * np.sqrt(2 * (1 + 0.2**2) - 2 * slope) / slope


def plain_curve(d, agree):
    centre = np.log(d).mean()

    def loss(point):
        p = 0.5 + 0.5 / (1 + np.exp(-point[0] - point[1] * (np.log(d) - centre)))
        return -(agree * np.log(p) + (1 - agree) * np.log(1 - p)).sum() + 0.5 * ((point / SPREAD) ** 2).sum()

    best = scipy.optimize.minimize(loss, [0.5, 1], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-11}).x
    return best[0] - best[1] * centre, best[1]


@pytest.mark.parametrize("seed", range(5))
def test_curve_equals_a_plain_optimizer(seed):
    rng = np.random.default_rng(seed)
    d = rng.exponential(size=200)
    agree = rng.random(200) < 0.5 + 0.5 / (1 + 1 / d**2)
    curve = stats.agreement_curve(d, agree, share=0.75)
    assert same([curve.intercept, curve.slope], plain_curve(d, agree * 1.0), 1e-4)
    assert curve.at(curve.value) == pytest.approx(0.75, abs=1e-12)
    assert curve.agreement == agree.mean()


def test_known_curve_is_recovered():
    rng = np.random.default_rng(1)
    d = rng.exponential(size=400_000)
    curve = stats.agreement_curve(d, rng.random(len(d)) < 0.5 + 0.5 / (1 + np.exp(-1 - 2 * np.log(d))))
    assert (curve.intercept, curve.slope) == pytest.approx((1, 2), abs=0.03)
    assert curve.value == pytest.approx(np.exp((np.log(9) - 1) / 2), rel=0.02)


@pytest.mark.parametrize("noise", [0.3, 0.5, 0.8])
def test_value_is_near_the_truth_for_normal_scores(noise):
    """A logistic curve from 0 instead of 1/2 would be 1.3, 1.9 and 3.5 times too large here."""
    metric, human = draw(0, systems=800, noise=noise)
    pairs = np.random.default_rng(1).permutation(800).reshape(-1, 2)
    d = np.concatenate([metric[pairs[:, 0]] - np.roll(metric[pairs[:, 1]], k) for k in range(100)])
    h = np.concatenate([human[pairs[:, 0]] - np.roll(human[pairs[:, 1]], k) for k in range(100)])
    curve = stats.agreement_curve(np.abs(d), np.sign(d) == np.sign(h))
    assert curve.value == pytest.approx(true_difference(noise), rel=0.15)
    assert curve.isotonic == pytest.approx(true_difference(noise), rel=0.25)


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_equals_scikit_learn(seed):
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(seed)
    y, w = rng.integers(0, 3, 40) / 2, rng.integers(1, 5, 40)
    expected = IsotonicRegression().fit(np.arange(40), y, sample_weight=w).predict(np.arange(40))
    assert same(stats.isotonic(y, w), expected)
    assert stats.isotonic([]).size == 0


def test_isotonic_value_is_the_first_difference_that_reaches_the_share():
    d, agree = [1, 2, 3, 4, 4, 5], [0, 1, 0, 1, 1, 1]
    assert stats.agreement_curve(d, agree, share=0.6).isotonic == 4
    assert stats.agreement_curve(d, agree, share=0.5).isotonic == 2


def test_share_that_is_not_reached_is_undefined():
    with pytest.warns(UndefinedWarning, match="no difference up to 4 at which 95% agree"):
        curve = stats.agreement_curve([1, 2, 3, 4], [1, 0, 1, 0])
    assert np.isnan([curve.value, curve.isotonic]).all()
    with pytest.warns(UndefinedWarning, match="0 pairs that differ"):
        assert np.isnan(stats.agreement_curve([0, np.nan], [1, 1]).value)


def test_agreement_that_falls_gives_a_level_curve():
    with pytest.warns(UndefinedWarning):
        curve = stats.agreement_curve(np.arange(1, 41), np.arange(40) < 32, share=0.9)
    assert curve.slope == 0
    assert curve.at([1, 40]) == pytest.approx([0.8, 0.8], abs=0.01)


def test_all_agree():
    d = np.arange(1, 301) / 10
    curve = stats.agreement_curve(d, np.ones(300))
    assert (curve.value, curve.isotonic) == (0.1, 0.1)


def test_step_is_found():
    """Separable pairs have a finite curve, and its crossing lies at the step."""
    d = np.linspace(0.5, 4, 400)
    agree = np.where(d < 1, np.arange(400) % 2, 1)
    assert stats.agreement_curve(d, agree).value == pytest.approx(1, abs=0.2)


def test_units_do_not_matter():
    metric, human = draw(3)
    first, second = stats.noticeable_difference(metric, human), stats.noticeable_difference(100 * metric + 7, human)
    assert second.value == pytest.approx(100 * first.value, rel=1e-4)
    assert (second.low, second.high) == pytest.approx((100 * first.low, 100 * first.high), rel=1e-3)


def plain_interval(metric, human, confidence=0.95):
    """Drop each system in turn, fit again, and look along a fine grid for differences that are not rejected."""
    n = len(metric)

    def parameters(keep):
        i, k = np.triu_indices(len(keep), 1)
        dm, dh = metric[keep][i] - metric[keep][k], human[keep][i] - human[keep][k]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            curve = stats.agreement_curve(np.abs(dm), np.sign(dm) == np.sign(dh))
        return np.array([curve.intercept, curve.slope])

    everyone = np.arange(n)
    left_out = np.array([parameters(np.delete(everyone, i)) for i in everyone])
    covariance = (n - 1) ** 2 / n * np.cov(left_out.T)
    grid = np.linspace(-6, 6, 200_001)
    basis = np.column_stack([np.ones(len(grid)), grid])
    gap = basis @ parameters(everyone) - np.log(9)
    spread = np.sqrt(((basis @ covariance) * basis).sum(axis=1))
    accepted = grid[np.abs(gap) <= scipy.stats.t.ppf((1 + confidence) / 2, n - 1) * spread]
    return np.exp(accepted.min()), np.exp(accepted.max())


@pytest.mark.parametrize("seed", [0, 3])
def test_interval_equals_a_search_over_differences(seed):
    metric, human = draw(seed, systems=40)
    result = stats.noticeable_difference(metric, human)
    assert np.isfinite(result.high)
    assert (result.low, result.high) == pytest.approx(plain_interval(metric, human), rel=5e-3)
    assert result.low < result.value < result.high


def test_few_systems_have_no_upper_limit():
    result = stats.noticeable_difference(*draw(2, systems=8, noise=0.3), share=0.8)
    assert result.high == np.inf
    assert 0 <= result.low < result.value


def test_missing_systems_and_ties():
    metric, human = draw(1)
    result = stats.noticeable_difference(metric, human)
    other = stats.noticeable_difference(np.append(metric, [np.nan, 1]), np.append(human, [1, np.nan]))
    assert (result.value, result.systems) == (other.value, other.systems)
    same_score = stats.noticeable_difference(np.append(metric, metric[0]), np.append(human, human[0]))
    assert same_score.curve.n == 31 * 30 / 2 - 1


def test_undefined_interval():
    with pytest.warns(UndefinedWarning, match="3 systems; it needs 4"):
        result = stats.noticeable_difference([1, 2, 3], [1, 2, 3], share=0.6)
    assert np.isnan(result.low)
    with pytest.warns(UndefinedWarning, match="no difference up to"):
        result = stats.noticeable_difference([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])
    assert np.isnan([result.value, result.low, result.high]).all()


def test_arguments():
    with pytest.raises(InputError, match="absolute differences"):
        stats.agreement_curve([-1, 2], [1, 0])
    with pytest.raises(InputError, match="agree must lie between 0 and 1"):
        stats.agreement_curve([1, 2], [1, 2])
    with pytest.raises(InputError, match="same shape"):
        stats.noticeable_difference([1, 2], [1])


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "systems"), [("normal", 15), ("normal", 30), ("heavy", 30)])
def test_coverage_of_the_interval(kind, systems):
    """Noise of .5, 4,000 runs: .971, .979 and .960 of the defined values; undefined .025, .001 and .024."""
    truth = HEAVY if kind == "heavy" else true_difference(0.5)
    covered, undefined = [], 0
    for run in range(4000):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = stats.noticeable_difference(*draw(run, systems=systems, kind=kind))
        undefined += np.isnan(result.value)
        if not np.isnan(result.value):
            covered.append(result.low <= truth <= result.high)
    assert 0.93 <= np.mean(covered) <= 0.985
    assert undefined / 4000 < 0.05


def test_blocks_of_rows_give_the_same_digits(monkeypatch):
    rng = np.random.default_rng(0)
    quality = rng.normal(size=30)
    metric = quality + rng.normal(scale=0.4, size=30)
    results = []
    for block in (1, 1000, 10**9):
        monkeypatch.setattr("assay.stats.noticeable.BLOCK", block)
        results.append(stats.noticeable_difference(metric, quality))
    assert results[0] == results[1] == results[2]
