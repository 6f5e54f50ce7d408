"""Compression rate by hand."""

from __future__ import annotations

import pytest

import assay
from assay import EvalSet
from assay.metrics import metric


def test_rates_are_named():
    """Token and character rate have a signature each, so that no one takes one for the other."""
    data = EvalSet.from_texts(["ab c"], sources=["ab c de"])
    assert assay.score(data, "rate").values.item() == pytest.approx(2 / 3)
    assert assay.score(data, "rate(unit=chars)").values.item() == pytest.approx(4 / 7)
    assert metric("rate").signature().startswith("rate(unit=tokens")
