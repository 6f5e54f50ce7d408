"""Trained scorers in words and tables."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assay import learn
from assay.learning import ScorerSelections, build_training_set, compare_scorers, evaluate_scorer, select_scorer
from assay.learning.models import model

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set

FEATURES = ["rouge1", "rouge2(measure=recall, stem=true, refs=max, stop=true)"]


@pytest.fixture(scope="module")
def comparison():
    training_set = build_training_set(made_set(items=8), dimension="content", features=FEATURES)
    return compare_scorers(training_set, [model("ridge"), model("nnls")], resamples=50)


def test_scorers_come_first_and_features_after_them(comparison):
    view = comparison.view()
    assert view.headline.startswith("ridge of 2 features correlates with content within items at r = 0.")
    assert "on 8 topics that were each left out once, and at 0." in view.headline
    assert view.sentences[1].startswith("The best single feature, rouge")
    assert view.sentences[2].startswith("nnls of 2 features")
    names = [row[0] for row in view.tables[0].rows()]
    assert names[:4] == ["ridge(penalty=1, monotone=true)", "ridge, unseen systems", "nnls", "nnls, unseen systems"]
    assert sorted(names[4:]) == ["rouge1", "rouge2(…)"]  # long names lose their parameters, and a note has them
    assert FEATURES[1] in view.notes


def test_one_scorer_and_where_it_was_saved():
    result = learn(made_set(), dimension="content", features=["rouge1"], learner="ridge", resamples=20)
    assert len(result.view().tables[0].rows()) == 2
    assert replace(result, path="x/scorer").view().notes[-1] == "The scorer was saved: assay score FILE -m x/scorer"


def test_selections():
    sets = [made_set(seed=seed, items=8) for seed in (1, 2, 3)]
    first, second = (build_training_set(data, dimension="content", features=["rouge1", "bleu"]) for data in sets[:2])
    whole = evaluate_scorer(select_scorer(first, second, level="item"), sets[2], resamples=20)
    fewer = evaluate_scorer(
        select_scorer(first, second, level="item", without=["i0"], dropped_raters=["r"]), sets[2], resamples=20
    )
    view = ScorerSelections((whole, fewer)).view()
    assert view.headline.startswith("All raters: ")
    assert "predicts the second set best, r = 0." in view.headline
    assert "(9 fits, all sets of features); on the third set it reaches 0." in view.headline
    assert [row[:2] for row in view.tables[0].rows()] == [("all raters", "8+8"), ("without r", "7+7")]
    assert len(whole.view().tables[0].rows()) == 1
