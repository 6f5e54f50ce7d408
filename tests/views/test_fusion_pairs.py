"""What is said of sentences made from two."""

from __future__ import annotations

from assay.corpus import FusionPair, FusionPairs


def test_counts_shares_and_examples():
    pair = FusionPair("d", "First.", "Second.", "Fused.", 0.9, 0.5, 0.4, 0, 7, 0)
    view = FusionPairs(1, sentences=4, from_one=1, from_two=2, uneven=0, other=1, pairs=(pair,)).view()
    assert view.headline == "2 of 4 sentences (50.0%) in 1 abstract were made from two sentences of their document."
    assert view.tables[0].rows()[1] == ("from two", "2", "50.0%")
    assert view.tables[1].rows() == [("fused", "Fused."), ("first", "First."), ("second", "Second.")]
