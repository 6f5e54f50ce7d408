"""How many items and references it takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made import noisy, people, scores, shuffled

from assay.data.scores import CorpusStatistics, Scores
from assay.errors import AlignmentError, InputError
from assay.meta import correlate, item_stability, reference_stability, split_half_stability, stabilities

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


def test_only_judged_outputs_count_as_in_the_correlation():
    values = HUMAN.values.copy()
    values[:, ::2] = np.nan
    values[3, 5] = np.nan
    human = scores(values, "human")
    found = item_stability(METRIC, human, sizes=[3])
    assert found.actual == correlate(METRIC, human, interval=None).value == pytest.approx(found.sizes[-1].mean)
    assert [size.size for size in found.sizes] == [3, 12]
    each = METRIC.values[None]
    references = reference_stability({1: each}, METRIC, human)
    assert references.sizes[-1].mean == pytest.approx(found.actual)


def corpus_metric() -> Scores:
    """A metric whose corpus score is a ratio of sums, which the mean of its scores of items is far from."""
    rng = np.random.default_rng(3)
    long = rng.integers(1, 200, size=HUMAN.values.shape)
    rows = np.stack([long * (3 + METRIC.values), long], axis=2)
    finish = lambda sums: sums[..., 0] / sums[..., 1] ** 1.2  # noqa: E731
    statistics = CorpusStatistics(rows, finish)
    own = scores(finish(rows), "ratio")
    return replace(own, corpus=statistics.scores(), statistics=statistics)


def test_corpus_scores_have_the_correlation_of_correlate():
    metric = corpus_metric()
    expected = correlate(metric, HUMAN, interval=None).value
    found = item_stability(metric, HUMAN, sizes=[6])
    means = np.corrcoef(metric.values.mean(1), HUMAN.values.mean(1))[0, 1]
    assert found.actual == pytest.approx(expected)
    assert abs(expected - means) > 0.004
    assert found.sizes[-1].mean == pytest.approx(expected)
    whole = stabilities({"ratio": metric}, HUMAN, reference_tables={"ratio": {1: metric.values[None]}}, draws=20)
    assert [s.actual for s in whole.by_items] == [found.actual]
    assert whole.by_references == ()
    with pytest.raises(InputError, match="not means of its scores of items"):
        reference_stability({1: metric.values[None]}, metric, HUMAN)


def test_corpus_scores_without_statistics_cannot_be_computed_for_some_items():
    bare = replace(corpus_metric(), statistics=None)
    with pytest.raises(InputError, match="without their statistics"):
        item_stability(bare, HUMAN)
    assert stabilities({"ratio": bare}, HUMAN, draws=20).by_items == ()


def test_seed_is_recorded():
    assert item_stability(METRIC, HUMAN, sizes=[3], seed=4) == item_stability(METRIC, HUMAN, sizes=[3], seed=4)
    assert (
        item_stability(METRIC, HUMAN, sizes=[3], seed=4).sizes[0]
        != item_stability(METRIC, HUMAN, sizes=[3], seed=5).sizes[0]
    )
