"""The regressions of CLASSY beside implementations of others."""

from __future__ import annotations

import numpy as np
import pytest
from learning_made import NEW, TOPIC, X, Y

from assay.learning.models import MODELS, Canonical, NonNegative, Robust, model
from assay.learning.regression import irls


@pytest.mark.parametrize("weight", ["bisquare", "huber"])
def test_robust_is_statsmodels_rlm(weight):
    sm = pytest.importorskip("statsmodels.api")
    y = Y[:, 0].copy()
    y[:9] += 8.0  # outliers
    norm = sm.robust.norms.TukeyBiweight() if weight == "bisquare" else sm.robust.norms.HuberT()
    theirs = sm.RLM(y, sm.add_constant(X), M=norm).fit(maxiter=500, tol=1e-12, conv="coefs")
    weights, intercept = irls(X, y, weight=weight)
    assert np.allclose([intercept, *weights], theirs.params, atol=1e-5)


def test_robust_is_not_moved_by_outliers():
    y = Y.copy()
    y[:9] += 50.0
    clean, robust = (Robust().fit(X, t, TOPIC).weights for t in (Y, y))
    assert np.abs(clean - robust).max() < 0.1
    assert np.abs(clean - np.linalg.lstsq(X, y[:, 0], rcond=None)[0]).max() > 0.5


def test_non_negative_weights():
    found = NonNegative().fit(X, Y, TOPIC)
    assert (found.weights >= 0).all()
    assert found.weights[2] == 0  # least squares has it below 0
    kept = [0, 1, 3] if found.weights[3] > 0 else [0, 1]
    center_by_topic = X[:, kept] - X[:, kept].mean(axis=0)
    least = np.linalg.lstsq(center_by_topic, Y[:, 0] - Y[:, 0].mean(), rcond=None)[0]
    assert np.allclose(found.weights[kept], least, atol=1e-9)


def test_canonical_correlation_is_scikit_learns():
    from sklearn.cross_decomposition import CCA

    both = np.column_stack([Y[:, 0], X @ [0.2, 1.0, 0, 0] + np.random.default_rng(3).normal(size=90)])
    theirs = CCA(n_components=1, max_iter=5000, tol=1e-12).fit(X, both).transform(X)[:, 0]
    ours = Canonical().fit(X, both, TOPIC).predict(X)
    assert abs(np.corrcoef(ours, theirs)[0, 1]) == pytest.approx(1.0, abs=1e-6)
    assert np.corrcoef(ours, Y[:, 0])[0, 1] > 0


def test_canonical_correlation_with_one_target_is_least_squares():
    design = np.column_stack([np.ones(90), X])
    least = np.linalg.lstsq(design, Y[:, 0], rcond=None)[0]
    assert np.allclose(Canonical().fit(X, Y, TOPIC).predict(NEW), least[0] + NEW @ least[1:], atol=1e-9)


def test_features_that_say_the_same_twice():
    double = np.column_stack([X, X[:, 0]])
    for name in MODELS.names:
        predicted = model(name).fit(double, Y, TOPIC).predict(double)
        assert np.isfinite(predicted).all()
        assert np.corrcoef(predicted, Y[:, 0])[0, 1] > 0.8
