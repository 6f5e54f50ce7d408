"""Trained scorers in words and tables."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assay import learn
from assay.learning import (
    Monotonicity,
    ScorerSelections,
    build_training_set,
    compare_scorers,
    evaluate_scorer,
    select_scorer,
)
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


def test_a_scorer_that_falls_is_warned_of_and_one_that_does_not_has_a_note():
    result = learn(made_set(), dimension="content", features=["rouge1"], resamples=20)
    assert any(note.startswith("Monotonicity, ridge(") for note in result.view().notes)
    falling = replace(result, monotonicity=Monotonicity((0.5, 0.6, 0.25), 0.35, 0.5, 10))
    assert falling.view().sentences[-1] == (
        "Do not use this scorer on better outputs than it was fitted to: as the sentences of outputs are replaced one "
        "by one by those of a reference, its mean falls by up to 0.350 (0.500 at first, 0.250 for the references)."
    )
    assert not any(note.startswith("Monotonicity") for note in falling.view().notes)


def test_a_second_set_is_told_by_level():
    result = learn(made_set(), dimension="content", features=FEATURES, resamples=50, test_set=made_set(seed=3))
    item, system = (
        replace(row, difference=-0.2, pvalue=p) for row, p in zip(result.second_set, (0.01, 0.2), strict=True)
    )
    view = replace(result, second_set=(item, system)).view()
    assert "On the second set, within items, ridge reaches r = 0." in view.sentences[1]
    assert "the scorer is significantly worse (difference -0.200" in view.sentences[1]
    assert "no significant difference" in view.sentences[2]
    assert [row[1] for row in view.tables[1].rows()] == ["item", "system"]
