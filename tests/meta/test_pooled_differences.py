"""Differences within items, for many authors with few outputs each."""

from __future__ import annotations

import numpy as np
import pytest
from made import scores

from assay import stats
from assay.meta import dominate, pool_differences
from assay.meta.dominate import comparable_pairs, is_sparse


def authors(seed=0, systems=60, items=120, share=0.05):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(systems, items))
    human = scores(np.where(rng.random(values.shape) < share, values, np.nan), "meaning")
    noise = {"good": 0.5, "fair": 1.0, "poor": 4.0}
    metrics = {n: scores(human.values + s * rng.normal(size=values.shape), n) for n, s in noise.items()}
    return metrics, human


def test_metrics_are_ranked_with_intervals_and_tests():
    metrics, human = authors()
    result = pool_differences(metrics, human, resamples=200)
    assert [row.metric for row in result.ranking] == ["good", "fair", "poor"]
    best, _, last = result.ranking
    assert best.low < best.value < best.high
    assert best.value == pytest.approx(stats.pooled_difference_pearson(human.values, metrics["good"].values))
    assert last.difference == pytest.approx(last.value - best.value)
    assert last.difference_low < last.difference < last.difference_high < 0
    assert last.pvalue < 0.05
    assert (best.difference, best.pvalue) == (0.0, 1.0)


def test_a_metric_where_low_is_better_is_turned_round():
    metrics, human = authors()
    errors = scores(-metrics["good"].values, "errors", higher_is_better=False)
    both = pool_differences({"good": metrics["good"], "errors": errors}, human, resamples=20).ranking
    assert both[0].value == both[1].value


def test_pairs_of_systems_that_share_too_few_items_are_counted():
    metrics, human = authors()
    there = ~np.isnan(human.values)
    shared = [int((there[i] & there[k]).sum()) for i in range(60) for k in range(i + 1, 60)]
    assert comparable_pairs(human) == (sum(n >= 4 for n in shared), len(shared))
    assert is_sparse(human)
    with pytest.raises(ValueError, match=r"share 4 items judged by 'meaning'.*--question differences"):
        dominate(metrics, human)
