"""Differences between systems."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled
from scipy.stats import pearsonr

from assay.errors import UndefinedWarning
from assay.meta import differences

HUMAN = people(4)
METRIC = noisy(HUMAN, 1.0)


def test_each_pair_is_the_plain_correlation():
    found = differences(METRIC, shuffled(HUMAN))
    at = found.pairs.index(("s1", "s3"))
    plain = pearsonr(HUMAN.values[1] - HUMAN.values[3], METRIC.values[1] - METRIC.values[3])[0]
    assert found.values[at] == pytest.approx(plain)
    assert (len(found.pairs), found.n) == (6, 6)
    assert found.value == pytest.approx(found.values.mean())


def test_pooled_is_pearson_over_all_ordered_differences():
    h, m = HUMAN.values, METRIC.values
    pairs = [(i, k) for i in range(4) for k in range(4) if i != k]
    dh, dm = (np.concatenate([v[i] - v[k] for i, k in pairs]) for v in (h, m))
    assert differences(METRIC, HUMAN).pooled == pytest.approx(pearsonr(dh, dm)[0])


def test_constant_scores():
    with pytest.warns(UndefinedWarning):
        found = differences(scores(np.ones((4, 30))), HUMAN)
    assert np.isnan(found.value)
    assert found.n == 0
