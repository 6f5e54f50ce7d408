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
    assert "agrees best with human: r = 0.9" in view.headline
    assert "of 45 system pairs in the same order. Not significantly worse: " in view.headline
    assert view.sentences[1] == "No sentinel ([length]) reaches the best metric by any measure."
    assert [row[1] for row in view.tables[0].rows()] == ["1", "1", "2"]


def test_a_sentinel_that_wins():
    view = rank_metrics({"poor": LENGTH}, HUMAN, sentinels={"[cheat]": GOOD}, resamples=50).view()
    assert view.sentences[1].startswith("Sentinels, which cannot see quality, reach or beat the best metric")
    assert "[cheat] by accuracy; [cheat] by soft accuracy" in view.sentences[1]


def test_without_sentinels_nothing_is_said_of_them():
    view = rank_metrics({"good": GOOD}, HUMAN, resamples=50).view()
    assert len(view.sentences) == 1
    assert not any("sentinel" in note for note in view.notes)
