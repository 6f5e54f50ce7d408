"""CLASSY's choice of features and model, against a plain loop; and the greedy search beyond it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.errors import InputError
from assay.learning.cross_validation import fit
from assay.learning.examples import center_by_topic
from assay.learning.models import model
from assay.learning.subsets import select_features

MODELS = [model(m) for m in ("robust", "nnls", "cca")]


def criterion(predicted, rows):
    if not np.ptp(predicted) > 0:  # nnls may leave nothing
        return float("nan")
    return float(np.corrcoef(center_by_topic(predicted, rows.topic), center_by_topic(rows.y[:, 0], rows.topic))[0, 1])


def test_it_is_the_best_of_all_sets_and_models(make_rows):
    first, second = make_rows(seed=1), make_rows(seed=2)
    found = select_features(first, second, MODELS, criterion)
    by_hand = {}
    for m in MODELS:
        for size in (1, 2, 3):
            for subset in combinations(range(3), size):
                made = fit(first.columns(subset), m, normalize="none")
                by_hand[m.name, subset] = criterion(made.predict(second.columns(subset).x), second)
    assert found.value == pytest.approx(np.nanmax(list(by_hand.values())), abs=1e-12)
    assert (found.tried, found.greedy) == (21, False)
    name = found.model.partition("(")[0]
    assert by_hand[name, found.features] == pytest.approx(found.value, abs=1e-12)


def test_the_chosen_model_is_fitted_to_the_second_set(make_rows):
    first, second = make_rows(seed=1), make_rows(seed=2)
    found = select_features(first, second, MODELS, criterion)
    again = fit(second.columns(found.features), model(found.model), normalize="none")
    other = fit(first.columns(found.features), model(found.model), normalize="none")
    x = second.columns(found.features).x
    assert np.allclose(found.fitted.predict(x), again.predict(x))
    assert not np.allclose(found.fitted.predict(x), other.predict(x))


def test_beyond_the_limit_it_steps_forward(make_rows):
    first, second = (make_rows((1.0, 0.6, 0.3, 0.0, 0.0), seed=s) for s in (1, 2))
    greedy = select_features(first, second, MODELS[2:], criterion, normalize="mean", exhaustive=4)
    whole = select_features(first, second, MODELS[2:], criterion, normalize="mean")
    assert greedy.greedy
    assert greedy.tried < whole.tried == 31
    assert greedy.value <= whole.value + 1e-12
    assert greedy.value > whole.value - 0.02
    assert {0, 1} <= set(greedy.features)


def test_of_equals_the_smaller_set_wins(make_rows):
    first, second = make_rows(seed=1), make_rows(seed=2)
    assert select_features(first, second, MODELS, lambda *_: 0.5).features == (0,)


def test_bad_input(make_rows):
    first, second = make_rows(seed=1), make_rows(seed=2)
    with pytest.raises(InputError, match="the same features"):
        select_features(first, second.columns([0, 1]), MODELS, criterion)
    with pytest.raises(InputError, match="no model"):
        select_features(first, second, [], criterion)
    with pytest.raises(InputError, match="every correlation is undefined"):
        select_features(first, second, MODELS, lambda *_: float("nan"))
