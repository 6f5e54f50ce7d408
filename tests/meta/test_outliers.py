"""Systems that are outliers."""

from __future__ import annotations

import numpy as np
import pytest
from made import scores
from scipy.stats import pearsonr

from assay.errors import UndefinedWarning
from assay.meta._correlation import find_outliers
from assay.meta.outliers import measure_outliers

NAMES = "ABCDEFGHIJKL"
RNG = np.random.default_rng(4)
MEANS = np.append(RNG.normal(0, 0.1, 11), -3.0)
HUMAN = scores(MEANS[:, None] + RNG.normal(0, 0.01, (12, 30)), "quality", systems=NAMES)
BLIND = scores(np.append(RNG.normal(0, 0.1, 11), -3.0)[:, None] + np.zeros((12, 30)), "blind", systems=NAMES)


def test_distances_are_those_of_the_paper():
    means = HUMAN.means()
    deviation = 1.483 * np.median(np.abs(means - np.median(means)))
    expected = {s: (m - np.median(means)) / deviation for s, m in zip(NAMES, means, strict=True)}
    (outlier,) = find_outliers(HUMAN)
    assert outlier.system == "L"
    assert outlier.deviation == pytest.approx(expected["L"])
    assert {o.system for o in find_outliers(HUMAN, threshold=0.5)} == {s for s, d in expected.items() if abs(d) > 0.5}


def test_one_system_makes_the_correlation_of_a_metric_that_sees_nothing():
    result = measure_outliers({"blind": BLIND}, HUMAN)
    (effect,) = result.effects
    assert effect.value == pytest.approx(pearsonr(BLIND.means(), HUMAN.means())[0])
    assert effect.without == pytest.approx(pearsonr(BLIND.means()[:11], HUMAN.means()[:11])[0])
    assert effect.value > 0.95
    assert abs(effect.without) < 0.7


def test_few_systems_or_no_deviation_have_no_outliers():
    assert find_outliers(HUMAN.select(systems=list("ABCDEFGHL"))) == ()
    assert find_outliers(scores(np.append(np.ones(11), -3.0)[:, None], systems=NAMES)) == ()


def test_metrics_are_sorted_by_the_correlation_without_outliers_undefined_last():
    constant = scores(np.ones((12, 30)), "constant", systems=NAMES)
    good = scores(HUMAN.values + 1, "good", systems=NAMES)
    with pytest.warns(UndefinedWarning):
        result = measure_outliers({"constant": constant, "blind": BLIND, "good": good}, HUMAN)
    assert [effect.metric for effect in result.effects] == ["good", "blind", "constant"]


def test_the_farthest_outlier_comes_first():
    means = np.array([0.1, 0.2, 0.15, 0.12, 0.18, 0.16, 0.14, 0.11, -0.5, -3.0, 1.0])
    far = find_outliers(scores(means[:, None], "quality", systems="ABCDEFGHIJK"))
    assert [outlier.system for outlier in far] == ["J", "K", "I"]
    assert [outlier.deviation > 0 for outlier in far] == [False, True, False]
    assert find_outliers(scores(means[:10, None], "quality", systems="ABCDEFGHIJ"))  # ten systems are enough
