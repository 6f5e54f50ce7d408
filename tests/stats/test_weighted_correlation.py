"""Fixed vectors under many weightings: the matrix products equal the plain loop."""

import numpy as np
import pytest
import stats_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats import weighted_correlation
from assay.stats.vectorized_correlation import METHODS


def plain(x, y, w, method):
    out = np.empty((len(w), *x.shape[:2]))
    for b, k, g in np.ndindex(out.shape):
        times = w[b].astype(int)
        out[b, k, g] = twins.coefficient(np.repeat(x[k, g], times), np.repeat(y[min(k, len(y) - 1), g], times), method)
    return out


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 8),
    ties=st.booleans(),
    of_x=st.sampled_from([0, 0.2]),
    of_y=st.sampled_from([0, 0.2]),
    method=st.sampled_from(METHODS),
)
def test_equals_twin(seed, n, ties, of_x, of_y, method):
    rng = np.random.default_rng(seed)
    x, y = twins.table(rng, (3, 2, n), ties=ties, missing=of_x), twins.table(rng, (1, 2, n), ties=ties, missing=of_y)
    w = rng.multinomial(n, np.ones(n) / n, size=5).astype(float)
    assert twins.same(weighted_correlation.prepare(x, y, method=method)(w), plain(x, y, w, method))


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_long_vectors_take_the_other_road(method, monkeypatch):
    rng = np.random.default_rng(1)
    n = weighted_correlation.SMALL + 20
    x, y = twins.table(rng, (2, 1, n), ties=True, missing=0.05), twins.table(rng, (1, 1, n), missing=0.05)
    w = rng.multinomial(n, np.ones(n) / n, size=3).astype(float)
    monkeypatch.setattr(weighted_correlation, "BLOCK", 20_000)
    assert twins.same(weighted_correlation.prepare(x, y, method=method)(w), plain(x, y, w, method))


def test_offset_costs_no_digits():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(1, 1, 9)), rng.normal(size=(1, 1, 9))
    w = rng.multinomial(9, np.ones(9) / 9, size=50).astype(float)
    expected = weighted_correlation.prepare(x, y, method="pearson")(w)
    assert twins.same(weighted_correlation.prepare(x + 1e6, y - 1e6, method="pearson")(w), expected, 1e-8)
