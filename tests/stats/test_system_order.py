"""The share of separated pairs in people's order, against a plain loop."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from assay.errors import InputError
from assay.stats import holm, ordered_share


def draw_scores(seed: int = 0, noise: float = 0.4):
    rng = np.random.default_rng(seed)
    quality = np.array([0, 0.1, 0.5, 0.6, 1.2, 1.3])[:, None]
    h = quality + rng.normal(size=(6, 60))
    return h, quality + noise * rng.normal(size=(6, 1)) + rng.normal(size=(6, 60))


def test_equals_a_plain_loop():
    h, m = draw_scores()
    pairs = list(combinations(range(6), 2))
    separated = holm([wilcoxon(h[i] - h[k]).pvalue for i, k in pairs]).rejected
    order = [np.sign(h[i].mean() - h[k].mean()) == np.sign(m[i].mean() - m[k].mean()) for i, k in pairs]
    result = ordered_share(h, m, resamples=200)
    assert (result.pairs, result.possible) == (separated.sum(), 15)
    assert result.value == np.array(order)[separated].mean()
    assert result.low <= result.value <= result.high


def test_turned_round_is_never_in_order_and_a_tie_is_not():
    h, _ = draw_scores()
    assert ordered_share(h, -h, resamples=50).value == 0
    assert ordered_share(h, np.full_like(h, 4.0), resamples=50).high == 0


def test_missing_cells_are_left_out_of_both_means():
    h, m = draw_scores()
    gone = m.copy()
    gone[0, :30] = np.nan
    result = ordered_share(h, gone, resamples=50)
    assert 0 <= result.value <= 1


def test_no_separated_pair_says_nothing():
    rng = np.random.default_rng(0)
    result = ordered_share(rng.normal(size=(4, 30)), rng.normal(size=(4, 30)), resamples=50)
    assert result.pairs == 0
    assert np.isnan(result.value)


def test_shapes_are_checked():
    with pytest.raises(InputError, match="same shape"):
        ordered_share(np.ones((2, 3)), np.ones((3, 2)))
