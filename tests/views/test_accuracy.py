"""Ranks of metrics in words and tables."""

from __future__ import annotations

import numpy as np
from made import noisy, people, scores

from assay.meta import rank_metrics

HUMAN = people(10, 40)
GOOD, TWIN = noisy(HUMAN, 0.5, seed=1, name="good"), noisy(HUMAN, 0.5, seed=2, name="twin")
LENGTH = scores(np.random.default_rng(3).normal(size=(10, 40)), "[length]")


def test_the_best_and_those_not_worse():
    view = rank_metrics({"good": GOOD, "twin": TWIN}, HUMAN, sentinels={"[length]": LENGTH}, resamples=100).view()
    assert "has the highest correlation with human: r = 0.9" in view.headline
    assert "of 45 system pairs in the same order. Not significantly worse: " in view.headline
    assert view.sentences[1] == "No sentinel ([length]) reaches the best metric by any measure."
    assert [row[1] for row in view.tables[0].rows()] == ["1", "1", "2"]


def test_a_sentinel_that_wins():
    view = rank_metrics({"poor": LENGTH}, HUMAN, sentinels={"[cheat]": GOOD}, resamples=50).view()
    assert view.sentences[1].startswith("Sentinels, which cannot see quality, reach or beat the best metric")
    assert "[cheat] by accuracy; [cheat] by soft accuracy" in view.sentences[1]


def test_a_sentinel_that_the_best_metric_is_not_significantly_above():
    near = noisy(HUMAN, 0.9, seed=5, name="near")
    ranking = rank_metrics({"good": GOOD}, HUMAN, sentinels={"[near]": near}, resamples=100)
    rival = ranking.rival()
    assert (rival is None) == (ranking.ranking[1].difference_high < 0)
    poor = rank_metrics({"poor": noisy(HUMAN, 6, seed=1, name="poor")}, HUMAN, sentinels={"[length]": LENGTH})
    assert poor.rival() is not None
    assert "But it is not significantly better than [length], which cannot see quality" in poor.view().headline


def test_too_few_items_are_said_first():
    human, good = people(10, 12), noisy(people(10, 12), 0.5, seed=1, name="good")
    ranking = rank_metrics({"good": good}, human, resamples=50)
    assert ranking.level == "system"
    assert ranking.view().headline == (
        "Correlations within items need 20 items with 3 or more judged systems; there are 12. "
        "So systems are correlated."
    )


def test_without_sentinels_nothing_is_said_of_them():
    view = rank_metrics({"good": GOOD}, HUMAN, resamples=50).view()
    assert len(view.sentences) == 1
    assert not any("sentinel" in note for note in view.notes)
