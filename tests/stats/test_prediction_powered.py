"""Prediction-powered means against ppi-python, a plain regression estimator, and what must hold of any."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError, UndefinedWarning
from assay.stats import ppi_mean, prediction_powered

# ppi-python 0.2.3 (numpy 2.4.6): ppi_mean_pointestimate and ppi_mean_ci, alpha=.05, on the numbers of `draw_labels`.
PPI_PYTHON = {
    0: (3.509834775767113, 3.2451262539914683, 3.7745432975427575),
    1: (3.0165013969436565, 2.730956897963245, 3.302045895924068),
    4: (1.0, 0.7701738509556751, 1.2298261490443247),
}


def draw_labels(k: int):
    """Ratings by a plain rule: labels, the judge's scores of the same, and its scores of others."""
    i, j = np.arange(40.0), np.arange(150.0)
    labels = (i * (7 + k)) % 5 + 1
    return labels, np.clip(labels + ((i * (3 + k)) % 3 - 1), 1, 5), (j * (11 + k)) % 5 + 1


@pytest.mark.parametrize("k", PPI_PYTHON)
def test_equals_ppi_python(k):
    assert ppi_mean(*draw_labels(k)) == pytest.approx(PPI_PYTHON[k], abs=1e-10)


def plain(y, f, weights):
    """The weighted regression estimator and its linearized variance, item by item."""
    labelled, w = ~np.isnan(y), np.where(np.isnan(y), 0.0, weights)
    total = w.sum()
    my, mf = (w[labelled] @ x[labelled] / total for x in (y, f))
    slope = max(w[labelled] @ ((y - my) * (f - mf))[labelled], 0) / (w[labelled] @ ((f - mf) ** 2)[labelled])
    e = np.where(labelled, y - slope * f, 0.0)
    mean_e = w @ e / total
    value = slope * f.mean() + mean_e
    m, n = len(y), labelled.sum()
    first = slope * (f - f.mean()) / m
    second = w * (e - mean_e) / total
    variance = (first**2).sum() * m / (m - 1) + (second**2).sum() * n / (n - 2) + 2 * (first * second).sum()
    return value, np.sqrt(variance), slope


@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_plain_estimator(weighted):
    rng = np.random.default_rng(3)
    truth = rng.normal(3, 1, size=(4, 90))
    scores = truth + rng.normal(0.5, 0.7, size=truth.shape)
    p = rng.uniform(0.2, 0.8, size=90) if weighted else None
    drawn = rng.random(90) < (0.4 if p is None else p)
    labels = np.where(drawn, truth, np.nan)
    result = prediction_powered(labels, scores, probabilities=p, interval="t")
    for i in range(4):
        value, error, slope = plain(labels[i], scores[i], np.ones(90) if p is None else 1 / p)
        assert (result.value[i], result.error[i], result.weight[i]) == pytest.approx((value, error, slope), rel=1e-9)


def test_all_labelled_is_the_mean_of_the_labels():
    rng = np.random.default_rng(0)
    labels, scores = rng.normal(size=(2, 50)), rng.normal(size=(2, 50))
    result = prediction_powered(labels, scores, interval="t")
    assert result.value == pytest.approx(labels.mean(axis=1))
    assert result.alone_error == pytest.approx(labels.std(axis=1, ddof=1) / np.sqrt(50))


def test_a_judge_against_people_gets_no_weight():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(1, 300))
    labels = np.where(np.arange(300) < 60, truth, np.nan)
    result = prediction_powered(labels, -truth)
    assert (result.weight[0], result.value[0]) == (0, result.alone[0])


def test_few_or_skewed_labels_are_bootstrapped():
    labels = np.full((3, 200), np.nan)
    labels[0, :100] = np.arange(100) % 5
    labels[1, :20] = np.arange(20) % 5
    labels[2, :100] = np.where(np.arange(100) % 25 == 0, 1.0, 5.0)
    scores = np.tile(np.arange(200) % 5, (3, 1)) + 0.1 * np.arange(200)
    result = prediction_powered(labels, scores, resamples=200)
    assert result.method == ("t", "bootstrap", "bootstrap")
    assert (result.low < result.value).all()
    assert (result.value < result.high).all()
    again = prediction_powered(labels, scores, resamples=200)
    assert (again.low == result.low).all()


def test_what_is_missing_does_not_count():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(1, 120))
    labels = np.where(np.arange(120) < 50, truth, np.nan)
    scores = truth + rng.normal(size=(1, 120))
    gone = scores.copy()
    gone[0, [3, 70]] = np.nan
    keep = np.delete(np.arange(120), [3, 70])
    whole, part = prediction_powered(labels, gone), prediction_powered(labels[:, keep], scores[:, keep])
    assert (whole.value[0], whole.error[0]) == pytest.approx((part.value[0], part.error[0]))


def test_it_refuses_what_it_cannot_use():
    labels = np.array([[1.0, 2, 3, np.nan]])
    with pytest.raises(InputError, match="same shape"):
        prediction_powered(labels, [[1.0, 2]])
    with pytest.raises(InputError, match="probability that it was drawn with"):
        prediction_powered(labels, labels, probabilities=[0.5, 0.0, 0.5, 0.5])
    with pytest.raises(InputError, match="one per item"):
        prediction_powered(labels, labels, probabilities=[0.5])
    with pytest.warns(UndefinedWarning, match="fewer than 3 labels"):
        assert np.isnan(prediction_powered([[1.0, 2, np.nan]], [[1.0, 2, 3]]).value[0])
    with pytest.raises(InputError, match="two labels"):
        ppi_mean([1.0], [1.0], [1.0, 2])


@pytest.fixture
def coverage(shared_file, monkeypatch):
    """The simulation that reproduce/results has the figures of."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "reproduce"))
    from summeval_judges import coverage as simulate

    folder = shared_file("summeval-llm-judges.jsonl.gz").parent
    return lambda *settings: simulate(folder, *settings)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", ["coherence", "relevance"])
def test_the_interval_covers_on_summeval(coverage, dimension):
    assert coverage(dimension, "gpt-4o", 100, 2000).both == pytest.approx(0.95, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", ["coherence", "relevance", "fluency", "consistency"])
@pytest.mark.parametrize("labels", [20, 50])
def test_the_interval_covers_nearly_as_often_as_that_of_people(coverage, dimension, labels):
    result = coverage(dimension, "gpt-4o", labels, 500)
    assert result.both >= result.alone - 0.03
