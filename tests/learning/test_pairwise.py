"""Learning to rank beside a linear support vector machine."""

from __future__ import annotations

import numpy as np
from learning_made import TOPIC, X, Y

from assay.learning.pairwise import pair_rows, ranking_weights


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
