"""Decisions on pairs of systems."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled
from scipy.stats import wilcoxon

from assay import EvalSet, Item, Judgment, compare, stats
from assay.data.scores import CorpusStatistics, Scores
from assay.errors import InputError, UndefinedWarning
from assay.meta import decision_agreement

HUMAN = people(8, 25, spread=0.6)
METRIC = noisy(HUMAN, 1.5)


def plain(values):
    """Decisions of all pairs, one SciPy call each."""
    out = {}
    for i in range(len(values)):
        for k in range(i + 1, len(values)):
            d = values[i] - values[k]
            ranks = np.abs(d).argsort().argsort() + 1
            out[i, k] = int(np.sign((ranks * np.sign(d)).sum())) if wilcoxon(d).pvalue <= 0.05 else 0
    return out


def test_counts_are_the_plain_loop():
    found = decision_agreement(METRIC, shuffled(HUMAN), test="wilcoxon").systems
    h, m = plain(HUMAN.values), plain(METRIC.values)
    different = [p for p in h if h[p]]
    assert found.pairs == len(h) == 28
    assert found.differences.value == np.mean([h[p] == m[p] for p in different])
    assert found.no_differences.value == np.mean([h[p] == m[p] for p in h if not h[p]])
    assert found.contradictions == np.mean([h[p] * m[p] == -1 for p in h])
    assert found.same_decision.value == np.mean([h[p] == m[p] for p in h])
    hm, mm = HUMAN.values.mean(1), METRIC.values.mean(1)
    assert found.same_order.value == np.mean([(hm[i] > hm[k]) == (mm[i] > mm[k]) for i, k in h])


def corpus_metric() -> Scores:
    """A metric with corpus scores, ratios of sums that the means of its scores of items are far from."""
    rng = np.random.default_rng(3)
    long = rng.integers(1, 200, size=HUMAN.values.shape)
    rows = np.stack([long * (3 + METRIC.values), long], axis=2)
    finish = lambda sums: sums[..., 0] / sums[..., 1] ** 1.2  # noqa: E731
    statistics = CorpusStatistics(rows, finish)
    return replace(scores(finish(rows), "ratio"), corpus=statistics.scores(), statistics=statistics)


@pytest.mark.parametrize("metric", [METRIC, corpus_metric(), replace(METRIC, higher_is_better=False)])
def test_pairs_are_decided_as_compare_decides_them(metric):
    found = decision_agreement(metric, HUMAN).systems
    names = HUMAN.systems

    def decide(own):
        """Two systems differ if they have no band in common."""
        bands = compare(own).bands
        return {(a, b): not any({a, b} <= set(band) for band in bands) for a, b in combinations(names, 2)}

    h, m = decide(HUMAN), decide(metric)
    direction = np.sign(np.subtract.outer(HUMAN.means(), HUMAN.means()))
    own = metric.means() * (1 if metric.higher_is_better else -1)
    towards = np.sign(np.subtract.outer(own, own))
    same = []
    for a, b in h:
        i, k = names.index(a), names.index(b)
        same.append(h[a, b] * direction[i, k] == m[a, b] * towards[i, k])
    assert found.same_decision.value == np.mean(same)
    assert found.same_order.value == np.mean([direction[i, k] == towards[i, k] for i, k in combinations(range(8), 2)])


def test_ratings_by_several_raters_are_decided_for_other_raters():
    rng = np.random.default_rng(0)
    items = [
        Item(
            str(i),
            outputs={s: f"{s} said {i}" for s in "ABCD"},
            judgments=tuple(
                Judgment(s, r, "quality", float("ABCD".index(s) + rng.normal() + 3 * rng.random()))
                for s in "ABCD"
                for r in "xyz"
            ),
        )
        for i in range(30)
    ]
    human = EvalSet(items).human("quality")
    found = decision_agreement(replace(human, name="m", ratings=None), human)
    assert (found.test, found.human_test) == ("paired", "satterthwaite")
    assert "of people: for other raters" in " ".join(found.view().notes)


def test_people_are_counted_apart_and_not_against_each_other():
    found = decision_agreement(METRIC, HUMAN, people=("s6", "s7"))
    assert found.systems.pairs == 15
    assert found.people is not None
    assert found.people.pairs == 12
    assert decision_agreement(METRIC, HUMAN).people is None


def test_a_contradiction_is_named():
    values = np.linspace(0, 1, 10)
    human = scores(np.stack([values, values + 1 + values]), "human", systems="AB")
    found = decision_agreement(scores(-human.values, systems="AB"), human).systems
    assert found.contradicted == (("A", "B"),)
    assert found.contradictions == 1.0


def test_against_a_baseline_metric():
    good, poor = noisy(people(30, 25), 0.3, name="good"), noisy(people(30, 25), 9.0, name="poor")
    found = decision_agreement(good, people(30, 25), baseline=poor)
    assert found.systems.same_decision.verdict == "better"
    assert found.systems.same_decision.pvalue < 0.001
    assert "significantly more often than poor" in found.view().headline
    assert decision_agreement(good, people(30, 25), baseline=good).systems.same_decision.verdict == "same"


def test_pairs_with_too_few_judged_items_are_left_out():
    values = np.full((3, 20), np.nan)
    values[0, :10], values[1, 5:15], values[2, 10:] = 1.0, 2.0, 3.0
    with pytest.warns(UndefinedWarning, match="6 judged items"):
        found = decision_agreement(noisy(people(3, 20), 1.0), scores(values, "human"), test="wilcoxon")
    assert (found.n, found.systems.undecidable) == (0, 3)
    assert np.isnan(found.value)
    assert "cannot be compared" in found.view().headline
    with pytest.raises(InputError, match="at least two systems"):
        decision_agreement(METRIC, HUMAN, systems=["s0"])


def test_people_who_see_no_difference():
    human = scores(np.ones((6, 20)), "human")
    assert "no significant difference" in decision_agreement(noisy(human, 1.0), human).view().headline


def test_intervals_of_shares_are_over_systems():
    """Pairs share systems: their share varies more from one set of systems to the next than a binomial one."""
    rng = np.random.default_rng(0)
    values, covered, binomial = [], [], []
    for _ in range(60):
        quality = rng.normal(size=(12, 1))
        human = scores(quality + 0.1 * rng.normal(size=(12, 12)), "human")
        metric = scores(quality + rng.normal(size=(12, 1)) + 0.1 * rng.normal(size=(12, 12)), "m")
        share = decision_agreement(metric, human).systems.same_order
        values.append(share)
    truth = np.mean([share.value for share in values])
    covered = np.mean([share.low <= truth <= share.high for share in values])
    halves = [1.96 * np.sqrt(s.value * (1 - s.value) / s.n) for s in values]
    binomial = np.mean([abs(s.value - truth) <= half for s, half in zip(values, halves, strict=True)])
    assert covered >= 0.9 > binomial


def test_all_pairs_alike_are_worth_half_as_many_as_there_are_systems():
    human = people(10, 20)
    share = decision_agreement(scores(human.values, "m"), human).systems.same_order
    assert share.value == share.high == 1.0
    assert 0.45 < share.low < 0.6


def test_metrics_that_lean_towards_systems_are_not_called_different():
    """Two equally good metrics: pairs share systems, so a binomial test of pairs finds a difference too often."""
    rng, clustered, binomial = np.random.default_rng(0), [], []
    for _ in range(60):
        quality = rng.normal(size=(16, 1))
        human = scores(quality + 0.1 * rng.normal(size=(16, 12)), "human")
        first, second = (
            scores(quality + rng.normal(size=(16, 1)) + 0.1 * rng.normal(size=(16, 12)), name) for name in "ab"
        )
        share = decision_agreement(first, human, baseline=second).systems.same_order
        assert share.difference == pytest.approx(share.value - share.baseline)
        assert share.difference_low < share.difference < share.difference_high
        clustered.append(share.pvalue <= 0.05)
        binomial.append(stats.proportion(round(share.value * share.n), share.n, against=share.baseline).pvalue <= 0.05)
    assert np.mean(clustered) <= 0.1 < 0.3 < np.mean(binomial)
