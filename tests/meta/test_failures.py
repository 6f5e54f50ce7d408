"""Items on which a metric fails."""

from __future__ import annotations

import numpy as np
from made import noisy, people, scores

from assay.meta import failures, item_correlations


def test_the_share_below_the_threshold_is_counted_by_item():
    human = people()
    metric = noisy(human, 2.0)
    found = failures(metric, human, thresholds={"spearman": 0.55})["spearman"]
    below = [item for item, r in item_correlations(metric, human, method="spearman").items() if r < 0.55]
    assert found.items == tuple(below)
    assert found.value == len(below) / 30
    assert found.view().headline.startswith("m fails on ")


def test_the_thresholds_of_the_paper_are_the_default():
    human = scores(np.abs(people().values), "human")
    found = failures(noisy(human, 1.0), human)
    assert {method: f.threshold for method, f in found.items()} == {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}


def test_items_without_a_correlation_are_no_failures():
    human = people(items=5)
    values = human.values.copy()
    values[:, 2] = 1.0
    found = failures(scores(values), human, thresholds={"pearson": 0.65})["pearson"]
    assert (found.value, found.n, found.undefined) == (0.0, 4, 1)


def test_people_stay_where_they_are_to_stay():
    rng = np.random.default_rng(0)
    human = scores(rng.normal(size=(5, 12)), "human", people=("s3", "s4"))
    metric = scores(human.values + rng.normal(size=(5, 12)), "m", people=("s3", "s4"))
    result = failures(metric, human, thresholds={"pearson": 0.65}, without=())["pearson"]
    plain = [np.corrcoef(human.values[:, k], metric.values[:, k])[0, 1] < 0.65 for k in range(12)]
    assert result.value == np.mean(plain)
