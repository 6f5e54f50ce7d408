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


def test_the_default_test_swaps_systems():
    """Two metrics that lean towards systems of their own are equally good: swapping single scores tells them apart."""
    rng = np.random.default_rng(0)
    ranks = {"systems": 0, "both": 0}
    for _ in range(20):
        quality, leanings = rng.normal(size=(12, 1)), rng.normal(size=(2, 12, 1))
        human = scores(quality + rng.normal(size=(12, 30)), "human")
        pair = {f"m{k}": scores(quality + leanings[k] + rng.normal(size=(12, 30)), f"m{k}") for k in range(2)}
        for over in ranks:
            options = {} if over == "systems" else {"over": over}
            ranks[over] += len(rank_metrics(pair, human, level="system", resamples=99, **options).winners()) == 1
    assert ranks["systems"] <= 3
    assert ranks["both"] >= 7


def test_fewer_than_six_systems_are_not_tested_and_this_is_said():
    human = people(5, 30)
    pair = {"good": noisy(human, 0.5, name="good"), "poor": noisy(human, 9.0, seed=2, name="poor")}
    result = rank_metrics(pair, human, resamples=99)
    assert [m.rank for m in result.ranking] == [0, 0]
    assert (
        "5 systems are too few to test whether another metric is worse: at least 6 are needed."
        in result.view().headline
    )
    best, other = result.ranking
    assert (best.difference, other.difference) == (0.0, pytest.approx(other.correlation - best.correlation))
    assert other.difference_low < other.difference < other.difference_high < 0
    assert result.view().tables[1].rows()[0][0] == "poor"
