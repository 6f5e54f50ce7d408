"""What is printed of agreement on content units."""

from __future__ import annotations

import pytest

from assay.pyramid.unit_agreement import PeerAgreement, PyramidAgreement, UnitMatch


@pytest.mark.parametrize(
    ("alpha", "words"),
    [(0.85, "agree well"), (0.7, "agree fairly well"), (0.3, "agree poorly"), (float("nan"), "cannot be compared")],
)
def test_the_headline_says_how_well(alpha, words):
    matches = (UnitMatch("D1", "a", "b", 0.5), UnitMatch("D1", "c", "", 0.0))
    pyramids = PyramidAgreement("ann", "bob", 1, 40, 0.9, alpha, 0.8, 0.7, 3, matches)
    peers = PeerAgreement(("ann", "bob"), 1, 3, 24, alpha, 0.9, 0.8)
    assert f"ann and bob {words} on what the units are" in pyramids.view().headline
    assert f"ann and bob {words} on which peer states which unit" in peers.view().headline
    assert pyramids.view().tables[1].columns[2].cells == ["b", "–"]
