"""Support vector regression beside scikit-learn."""

from __future__ import annotations

import numpy as np
from learning_made import NEW, TOPIC, X, Y

from assay.learning.models import Svr


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
