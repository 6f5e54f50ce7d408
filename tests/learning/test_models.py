"""Each learner by its name and parameters, and its predictor as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from learning_made import NEW, TOPIC, X, Y

from assay.errors import InputError, UnknownName
from assay.learning.models import MODELS, Rank, Ridge, Svr, model
from assay.metrics._predictors import Kernel, Linear, from_arrays


def test_ridge_is_scikit_learns_on_differences_from_the_topics_mean():
    from sklearn.linear_model import Ridge as Theirs

    def inner(a):
        return a - np.stack([a[t == TOPIC].mean(axis=0) for t in range(6)])[TOPIC]

    theirs = Theirs(alpha=2.0, fit_intercept=False).fit(inner(X), inner(Y)[:, 0])
    assert np.allclose(Ridge(penalty=2.0, monotone=False).fit(X, inner(Y), TOPIC).weights, theirs.coef_, atol=1e-12)
    positive = Theirs(alpha=2.0, fit_intercept=False, positive=True, tol=1e-12).fit(inner(X), inner(Y)[:, 0])
    ours = Ridge(penalty=2.0).fit(X, inner(Y), TOPIC).weights
    assert theirs.coef_.min() < 0 <= ours.min()
    assert np.allclose(ours, positive.coef_, atol=1e-6)


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
