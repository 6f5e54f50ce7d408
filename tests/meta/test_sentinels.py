"""Sentinels score what a text looks like, not what it says."""

from __future__ import annotations

import numpy as np

from assay import EvalSet
from assay.meta import sentinel_scores


def test_length_variety_and_copying():
    data = EvalSet.from_texts({"A": ["The cat the", ""], "B": ["dog", "x y"]}, ["r", "r"], ["the dog", "x"])
    scores = sentinel_scores(data)
    assert scores["[length]"].values.tolist() == [[3, 0], [1, 2]]
    assert np.allclose(scores["[variety]"].values, [[2 / 3, 0], [1, 1]])
    assert np.allclose(scores["[copying]"].values, [[2 / 3, 0], [1, 0.5]])
    assert scores["[length]"].systems == ("A", "B")


def test_without_sources_there_is_no_copying():
    assert set(sentinel_scores(EvalSet.from_texts(["a"], ["a"]))) == {"[length]", "[variety]"}
