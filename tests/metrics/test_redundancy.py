"""Redundancy by hand."""

from __future__ import annotations

import pytest

import assay


@pytest.mark.parametrize(
    ("name", "text", "want"), [("red2", "sun rain sun rain", 2 / 3), ("red1", "", 0), ("red1", "sun", 1)]
)
def test_by_hand(name, text, want):
    assert assay.score(assay.EvalSet.from_texts([text]), name).values.item() == pytest.approx(want)
