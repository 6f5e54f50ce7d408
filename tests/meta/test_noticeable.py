"""How large a difference must be."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from made import noisy, people, scores

from assay import stats
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
    assert found.pooled == pytest.approx(min(good))
    assert found.low <= found.value <= found.high
    assert found.above == sum(t >= found.pooled for t, _ in pairs)
    assert found.certain == min(t for at, (t, _) in enumerate(pairs) if all(same for _, same in pairs[at:]))
    assert found.below == np.mean([same for t, same in pairs if t < found.value])
    assert sum(b.pairs for b in found.bins) == found.n == 105
    assert sum(b.same_order for b in found.bins) == sum(same for _, same in pairs)


def test_the_value_is_about_pairs_that_differ_by_just_so_much():
    """Pooling all pairs at least so far apart puts the difference several times too low: large ones make up for it."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=60)
    human, metric = scores(quality[:, None], "human"), scores((quality + rng.normal(scale=0.35, size=60))[:, None])
    found = noticeable_difference(metric, human)
    twin = stats.noticeable_difference(metric.means(), human.means())
    assert (found.value, found.low, found.high, found.isotonic) == (
        twin.value,
        twin.low,
        twin.high,
        twin.curve.isotonic,
    )
    m, h = metric.means(), human.means()
    pairs = [(abs(m[i] - m[k]), (m[i] - m[k]) * (h[i] - h[k]) > 0) for i, k in combinations(range(60), 2)]
    near_value = [same for t, same in pairs if abs(t / found.value - 1) < 0.2]
    near_pooled = [same for t, same in pairs if abs(t / found.pooled - 1) < 0.2]
    assert 0.91 < np.mean(near_value) < 0.99
    assert np.mean(near_pooled) < 0.85
    assert found.value > 2 * found.pooled


def test_corpus_scores_are_what_is_compared():
    metric = scores(METRIC.values, "bleu", corpus=100 * HUMAN.values.mean(1))
    assert noticeable_difference(metric, HUMAN).overall == 1.0


def test_a_metric_that_knows_nothing():
    with pytest.warns(UndefinedWarning, match="no difference in m at which human agrees on 95%"):
        found = noticeable_difference(scores(-HUMAN.values), HUMAN)
    assert np.isnan(found.value)
    assert "No difference in m is large enough" in found.view().headline


def test_too_few_systems():
    found = noticeable_difference(METRIC, HUMAN, systems=["s0", "s1", "s2"])
    assert np.isnan([found.pooled, found.low, found.high]).all()
    with pytest.warns(UndefinedWarning, match="0 pairs in all"):
        assert np.isnan(noticeable_difference(METRIC, HUMAN, systems=["s0"]).value)
    with pytest.raises(InputError, match="share must be"):
        noticeable_difference(METRIC, HUMAN, share=95)
