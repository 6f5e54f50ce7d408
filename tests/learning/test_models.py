"""Each model against an implementation of somebody else's, or its own definition."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UnknownName
from assay.learning.models import MODELS, Canonical, NonNegative, Rank, Ridge, Robust, Svr, model
from assay.learning.pairwise import pair_rows, ranking_weights
from assay.learning.regression import irls
from assay.metrics._predictors import Kernel, Linear, from_arrays

X = np.random.default_rng(0).normal(size=(90, 4))
TOPIC = np.repeat(np.arange(6), 15)
Y = (X @ [1.0, 0.5, -0.2, 0.0] + 0.4 * np.random.default_rng(1).normal(size=90))[:, None]
NEW = np.random.default_rng(2).normal(size=(50, 4))


def test_plain_svr_predicts_what_scikit_learn_predicts():
    from sklearn.svm import SVR

    theirs = SVR(C=1.0, epsilon=0.1, gamma=0.25).fit(X, Y[:, 0])
    ours = Svr(within=False, epsilon=0.1, gamma=0.25).fit(X, Y, TOPIC)
    assert np.abs(ours.predict(NEW) - theirs.predict(NEW)).max() < 1e-10


def test_svr_with_topics_is_scikit_learns_on_the_centred_kernel():
    from sklearn.svm import SVR

    def kernel(a, b):
        return np.exp(-0.25 * ((a[:, None] - b[None]) ** 2).sum(-1))

    center = np.eye(90) - (TOPIC[:, None] == TOPIC) / 15
    theirs = SVR(kernel="precomputed", C=1.0, epsilon=0.1).fit(center @ kernel(X, X) @ center, Y[:, 0])
    wanted = theirs.predict(kernel(NEW, X) @ center)
    got = Svr(epsilon=0.1).fit(X, Y, TOPIC).predict(NEW)
    assert np.abs((got - got[0]) - (wanted - wanted[0])).max() < 1e-9  # a constant apart
    assert abs(Svr().fit(X, Y, TOPIC).predict(X).mean()) < 1e-9


def test_svr_with_topics_does_not_see_what_is_added_to_a_whole_topics_targets():
    moved = Y + np.array([0.0, 5, -3, 8, 1, 2])[TOPIC][:, None]
    one, other = (Svr(epsilon=0.5).fit(X, y - _means(y), TOPIC).predict(NEW) for y in (Y, moved))
    assert np.abs(one - other).max() < 1e-9


def _means(y):
    return np.array([y[t == TOPIC].mean() for t in range(6)])[TOPIC][:, None]


def test_ridge_is_scikit_learns_on_differences_from_the_topics_mean():
    from sklearn.linear_model import Ridge as Theirs

    def inner(a):
        return a - np.stack([a[t == TOPIC].mean(axis=0) for t in range(6)])[TOPIC]

    theirs = Theirs(alpha=2.0, fit_intercept=False).fit(inner(X), inner(Y)[:, 0])
    assert np.allclose(Ridge(penalty=2.0).fit(X, inner(Y), TOPIC).weights, theirs.coef_, atol=1e-12)


def test_rank_is_a_linear_svm_on_differences():
    from sklearn.svm import LinearSVC

    up, down = pair_rows(Y[:, 0], TOPIC, most=10**6, seed=0)
    assert len(up) == 6 * 15 * 14 // 2
    d = X[up] - X[down]
    theirs = LinearSVC(loss="squared_hinge", C=0.5, fit_intercept=False, dual=False, tol=1e-10, max_iter=10_000)
    theirs.fit(np.concatenate([d, -d]), np.repeat([1, -1], len(d)))  # each pair twice: C is halved
    assert np.allclose(ranking_weights(X, Y[:, 0], TOPIC, c=1.0), theirs.coef_[0], atol=1e-5)


def test_rank_draws_pairs_where_there_are_too_many():
    up, down = pair_rows(Y[:, 0], TOPIC, most=50, seed=1)
    assert len(up) == 50
    assert (Y[up, 0] > Y[down, 0]).all()
    assert (TOPIC[up] == TOPIC[down]).all()
    whole, some = (ranking_weights(X, Y[:, 0], TOPIC, most=n) for n in (10**6, 300))
    assert np.corrcoef(X @ whole, X @ some)[0, 1] > 0.99


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


@pytest.mark.parametrize("name", MODELS.names)
def test_a_model_is_what_it_is_spelled(name):
    assert model(model(name).signature()) == model(name)


@pytest.mark.parametrize("made", [Linear(np.array([1.0, 2.0]), 0.5), Kernel(X, Y[:, 0], 0.5, 0.25)])
def test_predictors_come_back_from_their_arrays(made):
    new = NEW[:, : made.width]
    assert (from_arrays(made.kind, made.arrays()).predict(new) == made.predict(new)).all()


def test_bad_parameters():
    with pytest.raises(UnknownName, match=r"unknown parameter of ridge 'alpha' .there are penalty"):
        model("ridge(alpha=1)")
    with pytest.raises(InputError, match="penalty of ridge must be above 0; got -1"):
        model("ridge(penalty=-1)")
    with pytest.raises(UnknownName, match="bisquare or huber"):
        model("robust(weight=cauchy)")
    with pytest.raises(InputError, match="nothing to rank"):
        Rank().fit(X, np.zeros((90, 1)), TOPIC)
    with pytest.raises(InputError, match="13,000 are too many"):
        Svr().fit(np.zeros((13_000, 1)), np.zeros((13_000, 1)), np.zeros(13_000, dtype=int))
    with pytest.raises(InputError, match="lack 'weights'"):
        from_arrays("linear", {})
    with pytest.raises(InputError, match="wrong shape"):
        from_arrays("linear", {"weights": np.zeros((2, 2)), "intercept": np.array(0.0)})
