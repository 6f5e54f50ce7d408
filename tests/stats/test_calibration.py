"""Calibration against a grid search, statsmodels-free, and its promise that no label calibrates itself."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats.calibration import cross_fit, fit_isotonic, fit_ordinal


def test_isotonic_never_falls_and_is_the_mean_of_each_score():
    rng = np.random.default_rng(0)
    x = rng.integers(1, 6, size=200).astype(float)
    y = np.clip(x + rng.normal(size=200), 1, 5)
    predict = fit_isotonic(x, y)
    values = predict(np.arange(1.0, 6))
    assert (np.diff(values) >= 0).all()
    assert values == pytest.approx([y[x == k].mean() for k in range(1, 6)])  # already in order


def test_ordinal_finds_the_parameters_of_its_own_model():
    rng = np.random.default_rng(1)
    x = rng.normal(size=4000)
    cuts, slope = np.array([-1.0, 0.5, 1.5]), 1.2
    y = 1.0 + (rng.logistic(size=4000)[:, None] + slope * x[:, None] > cuts).sum(axis=1)
    below = 1 / (1 + np.exp(-(cuts[None] - slope * np.array([[-1.0], [0.0], [1.0]]))))
    expected = 1 + (1 - below).sum(axis=1)
    assert fit_ordinal(x, y)(np.array([-1.0, 0.0, 1.0])) == pytest.approx(expected, abs=0.08)


def test_one_label_is_its_own_prediction_and_separated_labels_are_finite():
    assert fit_ordinal(np.array([1.0, 2.0]), np.array([3.0, 3.0]))(np.array([5.0])).tolist() == [3.0]
    values = fit_ordinal(np.array([1.0, 1, 2, 2]), np.array([1.0, 1, 5, 5]))(np.array([1.0, 2.0]))
    assert np.isfinite(values).all()
    assert values[0] < values[1]


@pytest.mark.parametrize("method", ["isotonic", "ordinal"])
def test_no_label_calibrates_itself(method):
    """A label that is changed leaves the calibrated score of its own item as it was."""
    rng = np.random.default_rng(2)
    scores = rng.integers(1, 6, size=(2, 40)).astype(float)
    labels = np.where(np.arange(40) < 20, np.clip(scores + rng.integers(-1, 2, size=(1, 2, 40)), 1, 5), np.nan)
    changed = labels.copy()
    changed[0, 0, 3] = 6 - changed[0, 0, 3]
    before, after = (cross_fit(y, scores, method=method).scores for y in (labels, changed))
    assert after[:, 3].tolist() == before[:, 3].tolist()
    assert not np.isnan(before).any()


def test_the_held_out_check_sees_a_shifted_judge():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, size=(3, 80)).astype(float)
    result = cross_fit(np.stack([truth, truth]), truth / 2 + 3 + 0.1 * rng.normal(size=truth.shape))
    assert result.raw_error > 1
    assert result.error < 0.3 < result.mean_error
    assert abs(result.bias) < 0.05
    assert result.labels == 240


def test_bad_arguments():
    with pytest.raises(InputError, match="method must be one of isotonic, ordinal"):
        cross_fit(np.ones((1, 2, 3)), np.ones((2, 3)), method="beta")
    with pytest.raises(InputError, match="same shape"):
        cross_fit(np.ones((1, 2, 3)), np.ones((3, 3)))
