"""Boosted trees: the same sums as walking each tree, and as scikit-learn's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.systems.fuse._trees import Trees, join_trees

TREES = [
    [(0, 1.5, 1, 2, 0.0), (-1, 0.0, 0, 0, 10.0), (1, 0.0, 3, 4, 0.0), (-1, 0.0, 0, 0, 20.0), (-1, 0.0, 0, 0, 30.0)],
    [(-1, 0.0, 0, 0, 0.5)],
]

FIELDS = ["is_leaf", "feature_idx", "num_threshold", "left", "right", "value"]


def walk(tree, row):
    place = 0
    while tree[place][0] >= 0:
        feature, threshold, left, right, _ = tree[place]
        place = left if row[feature] <= threshold else right
    return tree[place][4]


def test_sums_are_those_of_a_walk():
    rows = np.random.default_rng(0).normal(1, 2, (50, 2))
    expected = [3 + sum(walk(tree, row) for tree in TREES) for row in rows]
    assert join_trees(3.0, TREES).sum_leaves(rows) == pytest.approx(expected)
    assert len({*np.round(expected, 6)}) == 3


def test_a_threshold_belongs_to_the_left():
    assert join_trees(0.0, TREES).sum_leaves(np.array([[1.5, 0.0], [1.6, 0.0], [1.6, 0.1]])).tolist() == [
        10.5,
        20.5,
        30.5,
    ]


def test_a_record_comes_back():
    trees = join_trees(0.25, TREES)
    again = Trees.of_record(json.loads(json.dumps(trees.record())))
    rows = np.random.default_rng(1).normal(1, 2, (20, 2))
    assert again.sum_leaves(rows).tolist() == trees.sum_leaves(rows).tolist()
    assert again.sum_leaves(np.zeros((0, 2))).shape == (0,)


def test_sums_are_those_of_scikit_learn():
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 4))
    y = x[:, 0] * x[:, 1] > 0
    model = ensemble.HistGradientBoostingClassifier(max_iter=10, max_leaf_nodes=6).fit(x, y)
    trees = [
        [
            (
                -1 if n["is_leaf"] else int(n["feature_idx"]),
                n["num_threshold"],
                int(n["left"]),
                int(n["right"]),
                n["value"],
            )
            for n in predictor.nodes
        ]
        for [predictor] in model._predictors
    ]
    start = float(model._baseline_prediction.ravel()[0])
    assert join_trees(start, trees).sum_leaves(x) == pytest.approx(model.decision_function(x))
