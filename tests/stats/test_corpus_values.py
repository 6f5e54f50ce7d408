"""Values by cluster of a corpus score: their mean is the score, their scatter the jackknife's."""

import numpy as np
import pytest

from assay.stats import corpus_values


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
