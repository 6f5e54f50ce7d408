"""Sets of features by name."""

from __future__ import annotations

import assay
from assay.learning.feature_sets import BEST, FULL, expand_sets


def test_sets_of_features():
    assert expand_sets(["best"], sources=True) == list(BEST)
    assert "coverage1" in expand_sets(["full"], sources=True)
    assert "coverage1" not in expand_sets(["full"], sources=False)
    assert set(BEST) < set(FULL)
    for name in FULL:
        assert assay.metric(assay.metric(name).signature()) == assay.metric(name)
