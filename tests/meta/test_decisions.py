"""Decisions on pairs of systems."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled
from scipy.stats import wilcoxon

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
    found = decision_agreement(METRIC, shuffled(HUMAN)).systems
    h, m = plain(HUMAN.values), plain(METRIC.values)
    different = [p for p in h if h[p]]
    assert found.pairs == len(h) == 28
    assert found.differences.value == np.mean([h[p] == m[p] for p in different])
    assert found.no_differences.value == np.mean([h[p] == m[p] for p in h if not h[p]])
    assert found.contradictions == np.mean([h[p] * m[p] == -1 for p in h])
    assert found.same_decision.value == np.mean([h[p] == m[p] for p in h])
    hm, mm = HUMAN.values.mean(1), METRIC.values.mean(1)
    assert found.same_order.value == np.mean([(hm[i] > hm[k]) == (mm[i] > mm[k]) for i, k in h])


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
    with pytest.warns(UndefinedWarning, match="shares 6 judged items"):
        found = decision_agreement(noisy(people(3, 20), 1.0), scores(values, "human"))
    assert (found.n, found.systems.undecidable) == (0, 3)
    assert np.isnan(found.value)
    assert "cannot be compared" in found.view().headline
    with pytest.raises(InputError, match="at least two systems"):
        decision_agreement(METRIC, HUMAN, systems=["s0"])


def test_people_who_see_no_difference():
    human = scores(np.ones((3, 20)), "human")
    assert "no significant difference" in decision_agreement(noisy(human, 1.0), human).view().headline
