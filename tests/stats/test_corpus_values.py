"""Values by cluster of a corpus score: their mean is the score, their scatter the jackknife's; swaps of clusters."""

import itertools

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats import cluster_se, compare_all, compare_corpora, corpus_values, paired_contrasts


def ratio(sums):
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[:, 0] / sums[:, 1]


def test_a_mean_keeps_its_values():
    x = np.random.default_rng(0).normal(size=(3, 8))
    scores, values = corpus_values(np.stack([x, np.ones_like(x)], axis=2), ratio)
    assert values == pytest.approx(x)
    assert scores == pytest.approx(x.mean(axis=1))


def test_error_is_the_jackknifes_by_cluster():
    rng = np.random.default_rng(1)
    rows = np.stack([rng.poisson(5, size=(2, 24)), rng.poisson(9, size=(2, 24)) + 1], axis=2).astype(float)
    clusters = np.arange(24) % 7
    scores, values = corpus_values(rows, ratio, clusters)
    left_out = np.array([ratio(rows[:, clusters != g].sum(axis=1)) for g in range(7)])
    error = np.sqrt(6 / 7 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    assert values.std(axis=1, ddof=1) / np.sqrt(7) == pytest.approx(error)
    assert values.mean(axis=1) == pytest.approx(scores)
    assert scores == pytest.approx(ratio(rows.sum(axis=1)))


def test_missing_items():
    rows = np.ones((2, 4, 2))
    rows[1, 2:] = np.nan
    rows[0, :, 0] = [1, 2, 3, 4]
    scores, values = corpus_values(rows, ratio)
    assert np.isnan(values[1, 2:]).all()
    assert not np.isnan(values[0]).any()
    assert scores.tolist() == [2.5, 1.0]
    assert np.isnan(corpus_values(np.full((1, 2, 2), np.nan), ratio)[0]).all()


def draw_counts(systems, items, seed=5):
    rng = np.random.default_rng(seed)
    hits = rng.poisson(5, size=(systems, items))
    return np.stack([hits, hits + rng.poisson(9, size=(systems, items)) + 1], axis=2).astype(float)


def test_two_systems_swap_clusters_by_hand():
    """All swaps of seven clusters, the corpus scores and their errors computed anew for each."""
    rows, clusters = draw_counts(2, 18), np.arange(18) % 7

    def studentize(swapped):
        mixed = np.where(np.array(swapped)[clusters][:, None], rows[::-1], rows)
        first, second = corpus_values(mixed, ratio, clusters)[1]
        result = cluster_se(first - second)
        return abs(result.value / result.error)

    draws = np.array([studentize(own) for own in itertools.product((False, True), repeat=7)])
    result = compare_corpora(rows, ratio, clusters)
    assert result.adjusted[0, 1] == pytest.approx((draws >= draws[0] - 1e-9).mean())
    assert result.resamples == 64
    flipped = compare_all(corpus_values(rows, ratio, clusters)[1])
    assert result.difference == pytest.approx(flipped.difference)
    assert result.adjusted[0, 1] != flipped.adjusted[0, 1]  # what a cluster adds depends on the others


def test_test_and_interval_of_swaps_are_one():
    for seed in range(60):
        result = compare_corpora(draw_counts(2, 12, seed), ratio, resamples=199, seed=seed)
        outside = result.low[0, 1] > 0 or result.high[0, 1] < 0
        assert outside == (result.adjusted[0, 1] <= 0.05)


def test_values_are_flipped_where_clusters_are_many_or_missing():
    rows = draw_counts(2, 60)
    assert compare_corpora(rows, ratio).adjusted == pytest.approx(compare_all(corpus_values(rows, ratio)[1]).adjusted)
    three = draw_counts(3, 12)
    assert compare_corpora(three, ratio).adjusted == pytest.approx(compare_all(corpus_values(three, ratio)[1]).adjusted)
    rows = rows[:, :20]
    rows[0, :3] = np.nan
    part = compare_corpora(rows, ratio)
    assert part.method == "adjusted"
    assert part.adjusted == pytest.approx(compare_all(corpus_values(rows, ratio)[1]).adjusted)
    rows[:, :3] = np.nan
    assert compare_corpora(rows, ratio).clusters == 17


def test_a_mean_swaps_as_it_flips():
    x = np.random.default_rng(2).normal(size=(2, 15)) + np.array([[0.5], [0]])
    means = np.stack([x, np.ones_like(x)], axis=2)
    swapped, flipped = compare_corpora(means, ratio), compare_all(x)
    assert swapped.adjusted == pytest.approx(flipped.adjusted)
    assert swapped.high == pytest.approx(flipped.high)


def test_swaps_are_of_values_by_cluster():
    for systems, clusters in ((2, ["a", "a", "b"]), (3, None)):
        with pytest.raises(InputError, match="swap needs values by cluster of two systems"):
            paired_contrasts(np.ones((systems, 3)), clusters, swap=lambda turned: np.zeros((len(turned), 3)))
