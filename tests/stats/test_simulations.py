"""Simulations: tests keep their level, intervals their coverage. Where one cannot, the figure found is written down."""

import numpy as np
import pytest

from assay import stats
from assay.stats.dependent import williams_arrays

pytestmark = pytest.mark.slow
SYSTEMS, ITEMS = 20, 50


def trio(rng, spread=(0.7, 0.7)):
    """People and two metrics, equally good if the spreads are equal: quality + own view of the system + noise."""
    quality = rng.normal(size=(SYSTEMS, 1))
    h = quality + rng.normal(size=(SYSTEMS, ITEMS))
    views = [quality + s * rng.normal(size=(SYSTEMS, 1)) + rng.normal(size=(SYSTEMS, ITEMS)) for s in spread]
    return h, *views


def rejected(test, repetitions, *, spread=(0.7, 0.7), alpha=0.05):
    return np.mean([test(*trio(np.random.default_rng(seed), spread)) <= alpha for seed in range(repetitions)])


@pytest.mark.parametrize("level", ["system", "item"])
@pytest.mark.parametrize("over", ["systems", "inputs", "both"])
@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_permutation_keeps_its_level(level, over, method):
    def test(h, a, b):
        return stats.permutation(h, a, b, level=level, method=method, over=over, resamples=199).pvalue

    share = rejected(test, 1500)
    print("permutation", level, over, method, share)
    if over == "systems" or method == "x":
        assert 0.03 <= share <= 0.07


def test_williams_keeps_its_level():
    def test(h, a, b):
        x, y, z = h.mean(axis=1), a.mean(axis=1), b.mean(axis=1)
        r = [np.corrcoef(p, q)[0, 1] for p, q in ((x, y), (x, z), (y, z))]
        return williams_arrays(*r, n=np.float64(SYSTEMS))[1]

    share = rejected(test, 3000)
    print("williams", share)
    assert 0.03 <= share <= 0.07


@pytest.mark.parametrize("over", ["systems", "inputs", "both"])
@pytest.mark.parametrize("level", ["system", "item"])
def test_bootstrap_test_is_conservative(over, level):
    def test(h, a, b):
        return stats.bootstrap_test(h, a, b, over=over, level=level, resamples=199).pvalue

    share = rejected(test, 600)
    print("bootstrap test", level, over, share)
