"""A learned scorer is a weighted sum of its features; one without its outside scores says what it needs."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.metrics import metric, save_scorer
from assay.metrics._predictors import Fitted, Linear
from assay.metrics._scorer_files import load
from assay.metrics.learned import Feature, Learned

DATA = assay.EvalSet.from_texts({"A": ["the cat sat", "a b c"], "B": ["a dog", "a b"]}, [["the cat sat"], ["a b d"]])
NAMES = ("rouge1", "bleu")


def make_scorer(*outside: str) -> Learned:
    features = [Feature(metric(name).signature()) for name in NAMES] + [Feature(n, outside=True) for n in outside]
    width = len(features)
    fitted = Fitted(np.zeros(width), np.ones(width), Linear(np.arange(1.0, width + 1), 0.5), 0.0, 1.0)
    metrics = (*(metric(name) for name in NAMES), *(None for _ in outside))
    return Learned(tuple(features), fitted, metrics, {"model": "linear"})


def test_scores_are_the_weighted_sum_of_the_features():
    scores = assay.score(DATA, list(NAMES))
    expected = 0.5 + scores["rouge1"].values + 2 * scores["bleu"].values
    assert assay.score(DATA, make_scorer()).values == pytest.approx(expected)


def test_a_stored_scorer_scores_the_same(tmp_path):
    save_scorer(make_scorer(), tmp_path / "scorer")
    stored = load(tmp_path / "scorer")
    assert stored.learned
    assert assay.score(DATA, stored).values == pytest.approx(assay.score(DATA, make_scorer()).values)


def test_outside_scores_must_be_given():
    learned = make_scorer("judge")
    assert learned.outside == ("judge",)
    assert "outside scores" in learned.needs
    with pytest.raises(InputError, match="judge"):
        assay.score(DATA, learned)
    judge = assay.Scores(np.array([[1.0, 2.0], [3.0, 4.0]]), DATA.systems, DATA.items, "judge")
    with_judge = assay.score(DATA, learned.with_scores([judge])).values
    assert with_judge == pytest.approx(assay.score(DATA, make_scorer()).values + 3 * judge.values)
