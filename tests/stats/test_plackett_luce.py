"""Plackett-Luce and Bradley-Terry: equal to R's PlackettLuce and to a likelihood that enumerates all subsets."""

import itertools

import numpy as np
import pytest
import scipy.optimize
from stats_twins import same

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.stats._choice_likelihood import Likelihood, symmetric_sums
from assay.stats._choices import ranking_choices

nan = np.nan
# Davidson (1970), Example 2: i, k, i preferred, k preferred, ties.
PUDDING = """
1 2 19 22 16 | 1 3 16 19 12 | 2 3 19 19 10 | 1 4 18 23 13 | 2 4 23 19  9
3 4 19 20 15 | 1 5 13 19 18 | 2 5 16 20 12 | 3 5 16 15 17 | 4 5 17 14 16
1 6 18 21 12 | 2 6 22 20 12 | 3 6 13 18 10 | 4 6 14 19 18 | 5 6 11 21 12"""
FRUITS = [[1, 2, nan], [3, 1, 2], [2, 1, 1], [1, 2, 3], [2, 1, 1], [1, nan, 2]]
TOY = [[1, 2, nan, nan], [2, nan, 1, nan], [1, nan, nan, 2], [2, 1, nan, nan], [nan, 1, 2, nan]]


def pudding():
    wins, ties = np.zeros((2, 6, 6))
    for i, k, won, lost, tied in np.array(PUDDING.replace("|", " ").split(), dtype=int).reshape(-1, 5):
        wins[i - 1, k - 1], wins[k - 1, i - 1] = won, lost
        ties[i - 1, k - 1] = ties[k - 1, i - 1] = tied
    return wins, ties


def log_worth(fit):
    """Log worths relative to the first system, as R's coef() gives them."""
    return np.log(fit.worth / fit.worth[0])


def test_pudding_equals_r():
    """Vignette of R's PlackettLuce 0.4: npseudo = 0, maxit = 7, which is Davidson's own accuracy; deviance 1619.4."""
    fit = stats.bradley_terry(*pudding(), prior=0)
    expected = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert same(fit.worth, expected, 5e-5)
    assert fit.ties == pytest.approx([1, 0.7468147], abs=5e-5)
    assert -2 * fit.loglik == pytest.approx(1619.4, abs=0.05)
    assert (fit.n, fit.items) == (745, 1)


def test_ties_and_partial_rankings_equal_r():
    """Snapshot of R's PlackettLuce (tests/testthat/_snaps/S3-methods.md), npseudo = .5."""
    fit = stats.plackett_luce(FRUITS, resamples=0)
    assert same(log_worth(fit), [0, 0.2867987, -0.4636687], 1e-6)
    assert np.log(fit.ties[1]) == pytest.approx(-1.0701129, abs=1e-6)
    assert -2 * fit.loglik == pytest.approx(21.61, abs=0.005)


def test_system_that_always_loses_equals_r():
    """Vignette of R's PlackettLuce, section 2.3: npseudo = .5, and npseudo = 0 without the fourth."""
    assert same(log_worth(stats.plackett_luce(TOY, resamples=0)), [0, 0.5184185, 0.1354707, -1.1537565], 1e-6)
    fit = stats.plackett_luce(np.array(TOY)[:, :3], prior=0, resamples=0)
    assert same(log_worth(fit), [0, 0.8392, 0.4196], 5e-5)
    assert -2 * fit.loglik == pytest.approx(5.1356, abs=5e-5)


def plain_loglik(log_worth, log_ties, ranks, prior):
    """Enumerate every subset of every set of alternatives; the hypothetical system is the last, with log worth 0."""
    theta, total = np.append(log_worth, 0.0), 0.0

    def value(subset):
        return np.exp(log_ties.get(len(subset), -np.inf) + theta[list(subset)].mean())

    def choose(chosen, alternatives):
        subsets = (s for k in range(1, len(alternatives) + 1) for s in itertools.combinations(alternatives, k))
        return np.log(value(chosen) / sum(map(value, subsets)))

    for row in ranks:
        for rank in np.unique(row[~np.isnan(row)]):
            total += choose(np.flatnonzero(row == rank), np.flatnonzero(row >= rank))
    ghost = len(log_worth)
    for i in range(ghost if prior else 0):
        total += prior * (choose([i], [i, ghost]) + choose([ghost], [i, ghost]))
    return total


@pytest.mark.parametrize("prior", [0, 0.5, 2])
def test_equals_enumeration(prior):
    rng = np.random.default_rng(4)
    ranks = np.round(rng.normal(size=(25, 4)) * 1.2 + [0, 0.3, 0.5, 1])
    ranks[rng.random(ranks.shape) < 0.2] = nan
    fit = stats.plackett_luce(ranks, prior=prior, resamples=0)
    orders = [k for k in range(2, len(fit.ties) + 1) if fit.ties[k - 1] > 0]
    assert orders

    def loss(x):
        return -plain_loglik(x[:4], {1: 0.0, **dict(zip(orders, x[4:], strict=True))}, ranks, prior)

    plain = scipy.optimize.minimize(loss, np.zeros(4 + len(orders)), method="BFGS", options={"gtol": 1e-6}).x
    assert same(log_worth(fit), plain[:4] - plain[0], 1e-4)
    assert same(np.log(fit.ties[np.array(orders) - 1]), plain[4:], 1e-4)
    without_prior = plain_loglik(plain[:4], {1: 0.0, **dict(zip(orders, plain[4:], strict=True))}, ranks, 0)
    assert fit.loglik == pytest.approx(without_prior, abs=1e-4)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_symmetric_sums_equal_enumeration(order):
    """Columns of 5, 4 and 3 entries; where a column has no entry it is 0."""
    x = np.random.default_rng(order).random((5, 4)) * (np.arange(5)[:, None] < [5, 5, 4, 3])
    total, parts = symmetric_sums(x, order, [4, 4, 4, 3, 2])
    subsets = list(itertools.combinations(range(5), order))
    assert same(total, sum(x[list(s)].prod(axis=0) for s in subsets), 1e-12)
    for i in range(5):
        assert same(parts[i], sum(x[list(s)].prod(axis=0) for s in subsets if i in s), 1e-12)


def tied_rankings(seed, rankings=30, systems=5):
    rng = np.random.default_rng(seed)
    ranks = np.round(rng.normal(size=(rankings, systems)) + np.linspace(0, 1, systems))
    ranks[rng.random(ranks.shape) < 0.15] = nan
    return ranks, np.arange(rankings) // 3


@pytest.mark.parametrize("prior", [0.0, 0.5])
def test_likelihood_and_gradient_of_weighted_rows_equal_enumeration(prior):
    """Two rows of item weights at once, of which some are 0, against the loop over all subsets."""
    ranks, items = tied_rankings(3, rankings=12, systems=4)
    model = Likelihood(ranking_choices(ranks, items), prior)
    weights = np.array([[1.0, 2, 0, 1], [0, 0, 3, 1]])
    orders = model.choices.orders
    parameters = np.random.default_rng(0).normal(size=(2, 4 + len(orders) - 1))
    totals, observed = model._weights(weights, prior)
    value, slope = model._evaluate(parameters, model._columns(totals), observed)

    def plain(row, x):
        ties = {1: 0.0, **dict(zip(orders[1:], x[4:], strict=True))}
        repeated = np.concatenate([ranks[items == i] for i in range(4) for _ in range(int(weights[row, i]))])
        return plain_loglik(x[:4], ties, repeated, prior)

    for row, x in enumerate(parameters):
        assert value[row] == pytest.approx(plain(row, x), abs=1e-9)
        step = 1e-5 * np.eye(len(x))
        assert same(slope[row], [(plain(row, x + s) - plain(row, x - s)) / 2e-5 for s in step], 1e-5)


def test_resamples_of_heavy_ties_equal_fits_from_scratch():
    """The warm start and the common curvature change nothing but the road."""
    ranks, items = tied_rankings(5, rankings=90, systems=6)
    model = Likelihood(ranking_choices(ranks, items), 0.5)
    start = model.maximize()
    weights = np.random.default_rng(1).multinomial(30, np.full(30, 1 / 30), size=4).astype(float)
    samples = model.maximize_many(weights, start, model.inverse_curvature(start))
    for weight, sample in zip(weights, samples, strict=True):
        drawn = np.repeat(np.arange(30), weight.astype(int))
        rows = np.concatenate([ranks[items == i] for i in drawn])
        fit = stats.plackett_luce(rows, resamples=0)
        spread = np.sqrt(np.diag(model.inverse_curvature(start))[:6])
        own = sample[:6] - sample[:6].mean()
        assert np.abs((own - fit.log_worth) / spread).max() < 0.05


def test_pairs_are_rankings_of_two():
    rng = np.random.default_rng(0)
    wins, ties, ranks, items = np.zeros((30, 3, 3)), np.zeros((30, 3, 3)), [], []
    for item, (i, k) in itertools.product(range(30), [(0, 1), (0, 2), (1, 2)]):
        row = np.full(3, nan)
        row[[i, k]] = rng.choice([(1, 2), (2, 1), (1, 1)], p=[0.5, 0.3, 0.2])
        wins[item, i, k], wins[item, k, i] = row[i] < row[k], row[k] < row[i]
        ties[item, i, k] = ties[item, k, i] = row[i] == row[k]
        ranks.append(row)
        items.append(item)
    pairs = stats.bradley_terry(wins, ties, resamples=50, seed=3)
    rankings = stats.plackett_luce(ranks, items=items, resamples=50, seed=3)
    assert same(pairs.worth, rankings.worth, 1e-7)
    assert same(pairs.samples, rankings.samples, 1e-2)
    assert same(pairs.worth, stats.bradley_terry(wins.sum(axis=0), ties.sum(axis=0)).worth, 1e-7)


def test_bootstrap_refits_each_resample_and_keeps_items_together():
    rng = np.random.default_rng(2)
    ranks = np.argsort(rng.normal(size=(12, 4)), axis=1) + 1.0
    items = np.repeat(list("cabd"), 3)
    fit = stats.plackett_luce(ranks, items=items, resamples=20, seed=5)
    draws = np.random.default_rng(5).integers(0, 4, size=(20, 4))
    for row, draw in zip(fit.samples, draws, strict=True):
        resample = np.concatenate([ranks[items == "abcd"[i]] for i in draw])
        assert same(row, stats.plackett_luce(resample, resamples=0).log_worth, 0.02)
    shares = np.exp(fit.samples) / np.exp(fit.samples).sum(axis=1, keepdims=True)
    assert same(fit.low, np.percentile(shares, 2.5, axis=0))
    assert (fit.items, fit.n, fit.undefined, fit.seed) == (4, 12, 0, 5)


def test_system_that_always_wins_is_finite():
    fit = stats.plackett_luce([[1, 2, 3]] * 10, resamples=30)
    assert np.isfinite(fit.log_worth).all()
    assert (np.diff(fit.worth) < 0).all()
    with pytest.raises(InputError, match=r"infinite without a prior.*A \| B \| C; set prior above 0"):
        stats.plackett_luce([[1, 2, 3]] * 10, prior=0, names="ABC")


def test_disconnected_systems_are_named():
    with pytest.raises(InputError, match=r"never ranked together: A, C \| B \| D, E"):
        stats.plackett_luce([[1, nan, 2, nan, nan], [nan, nan, nan, 1, 1]], names="ABCDE")
    with pytest.raises(InputError, match=r"never ranked together: 0, 1 \| 2"):
        stats.bradley_terry([[0, 1, 0], [2, 0, 0], [0, 0, 0]])
    with pytest.raises(InputError, match=r"never ranked together: 0 \| 1"):
        stats.plackett_luce([[1, nan], [nan, 1]])


def test_disconnected_resamples_are_counted():
    ranks = [[1, 2, nan], [2, 1, nan], [nan, 1, 2]]
    fit = stats.plackett_luce(ranks, resamples=100)
    draws = np.random.default_rng(0).integers(0, 3, size=(100, 3))
    lacking = ~((draws == 2).any(axis=1) & (draws < 2).any(axis=1))
    assert fit.undefined == lacking.sum() > 0
    assert np.isfinite(fit.low).all()


def test_nothing_but_disconnected_resamples_warns():
    ranks = [[1, 2, nan], [nan, 1, 2]]
    seed = next(s for s in range(99) if len(set(np.random.default_rng(s).integers(0, 2, size=(1, 2))[0])) == 1)
    with pytest.warns(UndefinedWarning, match="interval of worths"):
        fit = stats.plackett_luce(ranks, resamples=1, seed=seed)
    assert np.isnan(fit.low).all()
    assert np.isfinite(fit.worth).all()


def test_nothing_but_ties_has_an_infinite_tie_parameter():
    fit = stats.plackett_luce([[1, 1, 1]] * 3, resamples=0)
    assert fit.ties.tolist() == [1, 0, np.inf]
    assert same(fit.worth, [1 / 3] * 3, 1e-6)


def test_only_order_counts_and_single_ranks_say_nothing():
    fit = stats.plackett_luce(FRUITS, resamples=0)
    other = stats.plackett_luce(np.vstack([10 * np.array(FRUITS) - 3, [nan, 1, nan]]), resamples=0)
    assert same(fit.worth, other.worth, 1e-9)
    assert fit.n == other.n == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ranks": [[1], [1]]}, "at least two systems, got 1"),
        ({"ranks": [[nan, nan]]}, r"never ranked together: 0 \| 1"),
        ({"ranks": [[1, 2]], "items": [0, 1]}, "one item per ranking"),
        ({"ranks": [[1, 2]], "names": ["A"]}, "one name per system"),
        ({"ranks": [[1, 2]], "prior": -1}, "prior must be"),
        ({"ranks": [[1, 2]], "confidence": 1}, "confidence must lie"),
    ],
)
def test_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        stats.plackett_luce(arguments.pop("ranks"), **arguments)


@pytest.mark.parametrize(
    ("wins", "ties", "message"),
    [
        ([[0, 1, 2]], None, "tables of one shape"),
        ([[0, -1], [1, 0]], None, "at least 0"),
        ([[0, nan], [1, 0]], None, "without NaN"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], "symmetric"),
    ],
)
def test_tables(wins, ties, message):
    with pytest.raises(InputError, match=message):
        stats.bradley_terry(wins, ties)


def draw_rankings(rng, worth, items, judges, spread):
    """Items shift the log worths; `judges` people rank each item by adding noise of the exponential race."""
    shift = rng.normal(scale=spread, size=(items, 1, len(worth)))
    race = rng.gumbel(size=(items, judges, len(worth))) + np.log(worth) + shift
    return (np.argsort(np.argsort(-race, axis=2), axis=2) + 1.0).reshape(-1, len(worth)), np.repeat(
        range(items), judges
    )


@pytest.mark.slow
def test_coverage_of_the_interval():
    """50 items, 3 rankings each, 4 systems, 4,000 runs: .933 when items are drawn, .857 when rankings are."""
    worth, covered, alone = np.array([0.4, 0.3, 0.2, 0.1]), [], []
    truth = stats.plackett_luce(
        draw_rankings(np.random.default_rng(99), worth, 60_000, 1, 1.0)[0], prior=0, resamples=0
    ).worth
    for run in range(4000):
        ranks, items = draw_rankings(np.random.default_rng(run), worth, 50, 3, 1.0)
        fit = stats.plackett_luce(ranks, items=items, resamples=200, seed=run)
        covered.append((fit.low <= truth) & (truth <= fit.high))
        if run < 1000:
            fit = stats.plackett_luce(ranks, resamples=200, seed=run)
            alone.append((fit.low <= truth) & (truth <= fit.high))
    assert 0.925 <= np.mean(covered) <= 0.96
    assert np.mean(alone) < 0.9
