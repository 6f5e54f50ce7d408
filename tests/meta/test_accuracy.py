"""Ranks by the measures in use today."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled

from assay import stats
from assay.errors import InputError
from assay.meta import rank_metrics

HUMAN = people(10, 40)
METRICS = {name: noisy(HUMAN, s, seed=k, name=name) for k, (name, s) in enumerate({"good": 0.5, "poor": 6.0}.items())}
BLIND = {"length": scores(np.random.default_rng(3).normal(size=(10, 40)), "length")}


def test_values_are_those_of_stats():
    found = rank_metrics(METRICS, shuffled(HUMAN), resamples=100)
    good = found.ranking[0]
    m = METRICS["good"].values
    assert good.metric == "good"
    assert good.accuracy == stats.pairwise_accuracy(HUMAN.values.mean(1), m.mean(1)).value
    assert good.acc_eq == pytest.approx(stats.tie_calibration(HUMAN.values, m).accuracy)
    assert good.pdp == pytest.approx(stats.pooled_difference_pearson(HUMAN.values, m))
    assert (found.pairs, found.systems, found.items) == (45, 10, 40)


def test_ranks_are_clusters():
    found = rank_metrics(METRICS, HUMAN, sentinels=BLIND)
    assert [(p.metric, p.rank) for p in found.ranking] == [("good", 1), ("poor", 2), ("length", 3)]
    assert found.winners() == ("good",)
    assert "No sentinel (length) reaches the best metric" in str(found)


def test_a_sentinel_that_wins_is_said():
    found = rank_metrics({"poor": BLIND["length"]}, HUMAN, sentinels={"cheat": noisy(HUMAN, 0.1, name="cheat")})
    assert set(found.sentinel_wins()) >= {"accuracy", "correlation", "pdp"}
    assert "reach or beat the best metric (cheat by accuracy" in " ".join(str(found).split())


def test_refusals():
    with pytest.raises(InputError, match="both as a metric and as a sentinel"):
        rank_metrics(METRICS, HUMAN, sentinels={"good": BLIND["length"]})
    with pytest.raises(InputError, match="no metric"):
        rank_metrics({}, HUMAN)
