"""Fitted models: predictions as scikit-learn's, and what arrays make one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVR

from assay.errors import InputError
from assay.metrics._predictors import Fitted, Kernel, Linear, from_arrays, gaussian

RNG = np.random.default_rng(3)


def test_the_kernel_is_that_of_scikit_learn():
    a, b = RNG.normal(size=(7, 3)), RNG.normal(size=(5, 3))
    assert gaussian(a, b, 0.3) == pytest.approx(rbf_kernel(a, b, gamma=0.3))
    assert gaussian(a * 1e9, a * 1e9, 1.0).max() <= 1.0  # a distance is never below 0


def test_predictions_are_those_of_scikit_learns_svr(monkeypatch):
    x, y = RNG.normal(size=(40, 3)), RNG.normal(size=40)
    svr = SVR(gamma=0.2).fit(x, y)
    kernel = Kernel(svr.support_vectors_, svr.dual_coef_[0], float(svr.intercept_[0]), 0.2)
    assert kernel.predict(x) == pytest.approx(svr.predict(x))
    monkeypatch.setattr("assay.metrics._predictors._CELLS", 3 * len(svr.support_vectors_))
    assert kernel.predict(x) == pytest.approx(svr.predict(x))  # three rows at a time
    assert kernel.predict(x[:0]).shape == (0,)
    assert kernel.width == 3


@pytest.mark.parametrize("predictor", [Linear(np.array([1.0, -2.0]), 0.5), Kernel(np.eye(2), np.ones(2), 0.1, 0.2)])
def test_stored_arrays_give_it_again(predictor):
    again = from_arrays(predictor.kind, predictor.arrays())
    x = RNG.normal(size=(4, 2))
    assert again.predict(x).tolist() == predictor.predict(x).tolist()
    assert again.width == predictor.width == 2


@pytest.mark.parametrize(
    ("kind", "arrays", "message"),
    [
        ("tree", {}, "no predictor 'tree'"),
        ("linear", {"weights": np.ones(2)}, "lack 'intercept'"),
        ("linear", {"weights": np.ones((2, 1)), "intercept": np.array(0.0)}, "wrong shape"),
        ("linear", {"weights": np.ones(2), "intercept": np.ones(2)}, "wrong shape"),
        ("rbf", {**Kernel(np.eye(2), np.ones(2), 0, 1).arrays(), "dual": np.ones(3)}, "wrong shape"),
        ("rbf", {**Kernel(np.eye(2), np.ones(2), 0, 1).arrays(), "vectors": np.ones(2)}, "wrong shape"),
    ],
)
def test_other_arrays_are_refused(kind, arrays, message):
    with pytest.raises(InputError, match=message):
        from_arrays(kind, arrays)


def test_features_are_scaled_before_and_the_score_after():
    fitted = Fitted(np.array([1.0, 2.0]), np.array([2.0, 4.0]), Linear(np.array([1.0, 10.0])), 5.0, 3.0)
    x = np.array([[3.0, 6.0], [np.nan, 0.0], [1.0, 2.0]])
    np.testing.assert_array_equal(fitted.predict(x), [5 + 3 * 11, np.nan, 5.0])
    assert not fitted.outside(x).any()


def test_a_feature_beyond_its_range_in_training_is_outside():
    low, high = np.array([0.0, 0.0]), np.array([1.0, 1.0])
    fitted = Fitted(np.zeros(2), np.ones(2), Linear(np.ones(2)), 0.0, 1.0, low, high)
    x = np.array([[0.0, 1.0], [0.5, 1.01], [-0.01, 0.5], [0.0, 1.0 + 1e-12]])
    assert fitted.outside(x).tolist() == [False, True, True, False]
