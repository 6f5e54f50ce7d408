"""How many items and references it takes."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled

from assay.data.scores import Scores
from assay.errors import AlignmentError, InputError
from assay.meta import correlate, item_stability, reference_stability, split_half_stability

HUMAN = people(15, 24)
METRIC = noisy(HUMAN, 1.0)


def test_all_items_give_the_plain_correlation():
    found = item_stability(METRIC, shuffled(HUMAN), sizes=[3])
    actual = correlate(METRIC, HUMAN, interval=None).value
    assert found.actual == pytest.approx(actual)
    assert found.sizes[-1].mean == pytest.approx(actual)
    assert found.sizes[-1].sd == pytest.approx(0, abs=1e-12)


def test_means_of_draws_are_those_of_the_plain_loop():
    rng = np.random.default_rng(9)
    plain = [
        np.corrcoef(METRIC.values[:, rng.choice(24, 6, replace=False)].mean(1), HUMAN.values.mean(1))[0, 1]
        for _ in range(3000)
    ]
    found = next(s for s in item_stability(METRIC, HUMAN, sizes=[6], draws=3000).sizes if s.size == 6)
    assert found.mean == pytest.approx(np.mean(plain), abs=0.01)
    assert found.sd == pytest.approx(np.std(plain), rel=0.1)


def test_more_is_better_and_the_smallest_is_within_the_tolerance():
    found = item_stability(METRIC, HUMAN, tolerance=0.03)
    means = [s.mean for s in found.sizes]
    assert means == sorted(means)
    assert found.smallest == next(s.size for s in found.sizes if s.mean >= found.actual - 0.03)
    assert found.anova.pvalue < 0.001
    assert f"{found.smallest} are enough" in found.view().headline


def test_references_draw_one_choice_per_item():
    rng = np.random.default_rng(1)
    each = HUMAN.values + 4 * rng.normal(size=(4, 15, 24))
    metric = scores(each.mean(0), "m")
    found = reference_stability({1: each, 4: each.mean(0)[None]}, metric, shuffled(HUMAN))
    one, four = found.sizes
    plain = [
        np.corrcoef(each[rng.integers(0, 4, 24), :, np.arange(24)].mean(0), HUMAN.values.mean(1))[0, 1]
        for _ in range(2000)
    ]
    assert one.mean == pytest.approx(np.mean(plain), abs=0.01)
    assert four.mean == pytest.approx(found.actual)
    with pytest.raises(AlignmentError, match="choice x system x item"):
        reference_stability({1: each[:, :3]}, metric, HUMAN)
    with pytest.raises(InputError, match="tables must hold"):
        reference_stability({}, metric, HUMAN)


def test_a_table_follows_the_metrics_ids():
    rng = np.random.default_rng(1)
    each = HUMAN.values + rng.normal(size=(4, 15, 24))
    metric = scores(each.mean(0), "m")
    other = Scores(metric.values[::-1], metric.systems[::-1], metric.items, "m")
    same = reference_stability({1: each[:, ::-1]}, other, HUMAN).sizes[0]
    assert same.mean == pytest.approx(reference_stability({1: each}, metric, HUMAN).sizes[0].mean, abs=0.01)


def test_halves_share_no_item():
    found = split_half_stability(HUMAN, sizes=[2, 12])
    assert found.sizes[0].mean < found.sizes[1].mean < 1
    assert "two separate sets of 12 items" in found.view().headline
    with pytest.raises(InputError, match="sizes must lie between 1 and 12"):
        split_half_stability(HUMAN, sizes=[13])


def test_missing_scores_stay_missing():
    values = HUMAN.values.copy()
    values[:, ::2] = np.nan
    found = item_stability(METRIC, scores(values, "human"), sizes=[3])
    assert found.actual == pytest.approx(np.corrcoef(METRIC.values.mean(1), HUMAN.values[:, 1::2].mean(1))[0, 1])


def test_seed_is_recorded():
    assert item_stability(METRIC, HUMAN, sizes=[3], seed=4) == item_stability(METRIC, HUMAN, sizes=[3], seed=4)
    assert (
        item_stability(METRIC, HUMAN, sizes=[3], seed=4).sizes[0]
        != item_stability(METRIC, HUMAN, sizes=[3], seed=5).sizes[0]
    )
