"""Soft n-grams by hand: what matches by its vector, and how much it counts."""

from __future__ import annotations

import pytest

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.soft import Rule, SoftNgram
from assay.text import Reading


@pytest.mark.parametrize(
    ("rule", "match"),
    [
        (Rule("sum", 0.7, True), 2.0),  # sun = sunny (cosine 0.8), rain = rain
        (Rule("sum", 0.9, True), 1.0),
        (Rule("sum", 1e-9, False), 1.8),
    ],
)
def test_counts(tmp_path, rule, match):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("sun 1 0\nsunny 0.8 0.6\nrain 0 -1\n")
    batch = Batch(EvalSet.from_texts(["sun rain unknown"], ["sunny rain other"]))
    counts = batch.counts(SoftNgram(1, Reading("space"), str(vectors), rule))
    assert counts.match.tolist() == pytest.approx([match])
    assert (counts.output.tolist(), counts.reference.tolist()) == ([3.0], [3.0])
