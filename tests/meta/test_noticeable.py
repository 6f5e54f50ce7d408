"""How large a difference must be."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from made import noisy, people, scores

from assay.errors import InputError, UndefinedWarning
from assay.meta import noticeable_difference

HUMAN = people(15, 20)
METRIC = noisy(HUMAN, 3.0)


def test_the_threshold_is_the_plain_search():
    h, m = HUMAN.values.mean(1), METRIC.values.mean(1)
    pairs = sorted((abs(m[i] - m[k]), (m[i] - m[k]) * (h[i] - h[k]) > 0) for i, k in combinations(range(15), 2))
    good = [
        t
        for at, (t, _) in enumerate(pairs)
        if len(pairs) - at >= 20 and np.mean([same for _, same in pairs[at:]]) >= 0.95
    ]
    found = noticeable_difference(METRIC, HUMAN)
    assert found.value == pytest.approx(min(good))
    assert found.low <= found.value <= found.high
    assert found.above == sum(t >= found.value for t, _ in pairs)
    assert found.local >= found.value
    assert sum(b.pairs for b in found.bins) == found.n == 105
    assert sum(b.same_order for b in found.bins) == sum(same for _, same in pairs)


def test_corpus_scores_are_what_is_compared():
    metric = scores(METRIC.values, "bleu", corpus=100 * HUMAN.values.mean(1))
    assert noticeable_difference(metric, HUMAN).overall == 1.0


def test_a_metric_that_knows_nothing():
    with pytest.warns(UndefinedWarning, match="no difference in m from which human agrees on 95%"):
        found = noticeable_difference(scores(-HUMAN.values), HUMAN)
    assert np.isnan(found.value)
    assert "No difference in m is large enough" in found.view().headline


def test_too_few_systems():
    with pytest.warns(UndefinedWarning, match="at least 20 pairs"):
        assert np.isnan(noticeable_difference(METRIC, HUMAN, systems=["s0", "s1", "s2"]).value)
    with pytest.raises(InputError, match="share must be"):
        noticeable_difference(METRIC, HUMAN, share=95)
