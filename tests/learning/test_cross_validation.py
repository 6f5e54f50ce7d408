"""Scaling, normalization and cross-validation: what a fold may see, and what it must not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import pytest

from assay.errors import InputError
from assay.learning.cross_validation import cross_validate, cross_validate_systems, fit
from assay.learning.models import MODELS, Model, Ridge, model
from assay.metrics._predictors import Linear


@dataclass(frozen=True)
class Spy(Model):
    """A model that keeps what it was shown."""

    name: ClassVar[str] = "spy"

    @cached_property
    def seen(self):
        return []

    def fit(self, x, y, topic):
        self.seen.append((x, y, topic))
        return Linear(np.ones(x.shape[1]))


def within(rows, predicted):
    """The mean correlation within topics."""
    parts = [(rows.y[rows.topic == t, 0], predicted[rows.topic == t]) for t in np.unique(rows.topic)]
    return float(np.mean([np.corrcoef(a, b)[0, 1] if np.ptp(b) > 0 else 0.0 for a, b in parts]))


def test_a_fold_sees_the_other_topics_alone(make_rows):
    rows, spy = make_rows(), Spy()
    cross_validate(rows, spy)
    assert len(spy.seen) == 8
    for t, (x, y, topic) in enumerate(spy.seen):
        others = rows.rows(rows.topic != t)
        assert np.allclose(x, (others.x - others.x.mean(axis=0)) / others.x.std(axis=0))  # scaled by them, not by all
        assert not np.allclose(x, (others.x - rows.x.mean(axis=0)) / rows.x.std(axis=0))
        for k in range(7):
            assert y[topic == k].mean() == pytest.approx(0, abs=1e-12)  # one mean per topic
        assert y.std() == pytest.approx(1)


@pytest.mark.parametrize("name", ["ridge", "svr", "rank", "cca"])
def test_what_is_held_out_does_not_matter(make_rows, name):
    """Other targets and wild features of one topic leave the predictions of that topic as its own features say."""
    rows = make_rows()
    changed = replace(rows, y=np.where((rows.topic == 3)[:, None], 99.0 * np.arange(len(rows))[:, None], rows.y))
    one, other = (cross_validate(r, model(name)).scores.values[:, 3] for r in (rows, changed))
    assert (one == other).all()


def test_features_are_made_without_the_held_out_topic_where_they_must_be(make_rows):
    rows, asked = make_rows(), []

    def without(topic):
        asked.append(topic)
        return replace(rows, x=rows.x + rows.topics.index(topic))

    crossed = cross_validate(rows, Ridge(), without=without)
    assert asked == [f"t{i}" for i in range(8)]
    assert np.allclose(crossed.scores.values, cross_validate(rows, Ridge()).scores.values)  # a constant is scaled away


@pytest.mark.parametrize("name", MODELS.names)
def test_every_model_learns_what_can_be_learned(make_rows, name):
    rows = make_rows()
    crossed = cross_validate(rows, model(name))
    predicted = crossed.scores.values[rows.cell]
    assert within(rows, predicted) > 0.75
    assert within(rows, predicted) > within(rows, rows.x[:, 0]) - 0.05


@pytest.mark.parametrize("name", ["ridge", "svr", "rank", "nnls"])
def test_nothing_is_learned_from_shuffled_targets(make_rows, name):
    """Leakage test: the mean over runs is as near to 0 as chance has it."""
    found = []
    for seed in range(12):
        rows = make_rows(seed=seed, shuffled=True, topics=10)
        found.append(within(rows, cross_validate(rows, model(name)).scores.values[rows.cell]))
    assert abs(np.mean(found)) < 3 * max(np.std(found) / np.sqrt(12), 0.02)


def test_predictions_are_on_the_targets_scale(make_rows):
    rows = make_rows(noise=0.01)
    for name in MODELS.names:
        predicted = fit(rows, model(name)).predict(rows.x)
        assert predicted.mean() == pytest.approx(rows.y.mean(), abs=0.2)


def test_a_row_without_a_feature_has_no_score(make_rows):
    rows = make_rows()
    x = rows.x[:3].copy()
    x[1, 0] = np.nan
    assert np.isnan(fit(rows, Ridge()).predict(x)).tolist() == [False, True, False]


def test_a_constant_feature_is_as_good_as_none(make_rows):
    rows = make_rows()
    constant = replace(rows, x=np.column_stack([rows.x, np.full(len(rows), 7.0)]), features=(*rows.features, "c"))
    for name in MODELS.names:
        one, other = (fit(r, model(name)).predict(r.x) for r in (rows, constant))
        gamma_differs = name == "svr"  # 1 / features
        assert gamma_differs or np.allclose(one, other, atol=1e-8)
        assert np.isfinite(other).all()


def test_systems_are_left_out_each_once(make_rows):
    """With 12 systems in 10 groups, the first two groups have two; a fold never sees the systems it predicts."""
    rows, spy = make_rows(), Spy()
    crossed = cross_validate_systems(rows, spy)
    assert crossed.folds == len(spy.seen) == 10
    assert [len(x) for x, _, _ in spy.seen] == [80, 80, *[88] * 8]
    assert not np.isnan(crossed.scores.values).any()
    changed = replace(rows, y=np.where((rows.cell[0] == 4)[:, None], 99.0 * np.arange(len(rows))[:, None], rows.y))
    one, other = (cross_validate_systems(r, Ridge()).scores.values[4] for r in (rows, changed))
    assert np.allclose(one - one.mean(), other - other.mean())
    with pytest.raises(InputError, match="leaves systems out: 2 are too few"):
        cross_validate_systems(rows.rows(rows.cell[0] < 2), Ridge())


def test_the_range_of_the_features_is_kept(make_rows):
    rows = make_rows()
    fitted = fit(rows, Ridge())
    assert not fitted.outside(rows.x).any()
    beyond = rows.x[:2].copy()
    beyond[1, 2] = rows.x[:, 2].max() + 0.1
    assert fitted.outside(beyond).tolist() == [False, True]
