"""What is said of sentences made of two."""

from __future__ import annotations

from assay.corpus import FusionSearch


def test_counts_and_shares():
    view = FusionSearch(documents=1, sentences=4, one=1, two=2, uneven=0, other=1).view()
    assert view.headline == "2 of 4 sentences (50.0%) in 1 abstract were made of two sentences of their document."
    assert view.tables[0].rows()[1] == ("two document sentences", "2", "50.0%")
