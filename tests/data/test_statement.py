"""Statements as records, and below the minimum."""

from __future__ import annotations

from math import nan

import pytest

from assay.data.minimums import MINIMUMS
from assay.data.statement import CLAIMS, Statement


@pytest.mark.parametrize(
    ("low", "high", "significant"),
    [(0.1, 0.2, True), (-0.2, -0.1, True), (-0.1, 0.1, False), (0.0, 0.1, False), (nan, nan, False), (nan, 1.0, False)],
)
def test_significant_is_an_interval_without_zero(low, high, significant):
    assert Statement("better", ("A",), low=low, high=high).significant is significant


def test_below_the_minimum_nothing_is_asserted():
    held = Statement("better", ("A",), ("B",), counts={"clusters": 5}, p=0.01).hold_to(MINIMUMS["comparison"])
    assert (held.claim, held.enough, held.needs, held.p != held.p) == (
        "too little evidence",
        False,
        {"clusters": 6},
        True,
    )
    enough = Statement("better", ("A",), ("B",), counts={"clusters": 6})
    assert enough.hold_to(MINIMUMS["comparison"]) is enough
    assert enough.enough


def test_every_claim_has_one_name():
    assert len(set(CLAIMS)) == len(CLAIMS)
