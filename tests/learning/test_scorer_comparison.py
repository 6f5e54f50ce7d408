"""Scorers beside their features."""

from __future__ import annotations

import pytest
from learning_made import quick

import assay
from assay.learning import compare_best_feature


def test_the_test_against_the_best_feature(make_set):
    lesson = quick(make_set(items=12))
    found = compare_best_feature(lesson, resamples=50)
    alone = {
        n: assay.correlate(s, lesson.human, level="item", interval=None).value for n, s in lesson.feature_scores.items()
    }
    assert found.value == pytest.approx(max(alone.values()))
    assert found.feature == max(alone, key=alone.get)
    assert found.difference == pytest.approx(lesson.correlations[0].value - found.value)
