"""The overlap kernel on bags that were made elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet, _core
from assay.matching.bags import count_overlap
from assay.matching.batch import Batch

sys.path.insert(0, str(Path(__file__).parent))
import twins

relaxed = settings(max_examples=150)


def batch(output, references) -> Batch:
    return Batch(EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]]))


@relaxed
@given(
    st.lists(st.integers(0, 5), max_size=10), st.lists(st.lists(st.integers(0, 5), max_size=10), min_size=1, max_size=3)
)
def test_bags_made_elsewhere_and_weights(output, references):
    weights = [0.5, 1.0, 2.0, 0.0, 3.0, 1.5]
    data = batch(["x"], [["y"]] * len(references))

    def tokens(bags):
        ids = np.array([i for b in bags for i in b], dtype=np.int64)
        return _core.bags(ids, np.cumsum([0, *map(len, bags)], dtype=np.int64), 6)

    counts = count_overlap(tokens([output]), tokens(references), data.layout(False), weights=weights)
    for match, total, reference in zip(counts.match, counts.reference, references, strict=True):
        common = twins.Counter(output) & twins.Counter(reference)
        assert match == pytest.approx(sum(weights[u] * n for u, n in common.items()))
        assert total == pytest.approx(sum(weights[u] for u in reference))
    assert counts.output[0] == pytest.approx(sum(weights[u] for u in output))


def test_the_core_refuses_what_does_not_fit():
    data = batch(["a"], [["b"]])
    one = _core.bags(np.array([0]), np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="texts and layout do not fit"):
        _core.union_lcs(one, _core.bags(np.array([], dtype=np.int64), np.array([0]), 1), data.layout(False), 1.0)
    with pytest.raises(ValueError, match="id out of range"):
        _core.bags(np.array([5]), np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="offsets must not decrease"):
        _core.bags(np.array([0]), np.array([0, 1, 0]), 1)
    with pytest.raises(ValueError, match="own reference out of range"):
        _core.Layout(np.array([0, 1]), np.array([0, 1]), np.array([3]))
