"""Raters from best to worst."""

from __future__ import annotations

import pytest
from judges_made import ratings

from assay.errors import InputError
from assay.raters import rank_raters


def test_rankings():
    rows = {"ann": [1, 2, 3, 4], "bob": [2, 3, 4, 5], "cy": [4, 1, 3, 2]}
    made = ratings(rows)
    assert rank_raters(made, by="rest").raters[-1] == "cy"
    assert rank_raters(made, by="severity").raters[-1] == "bob"  # .75 from the others; ann and cy .5 and .5
    assert rank_raters(made, by="mean").raters[0] == "bob"
    assert "cy the worst" in rank_raters(made).view().headline
    with pytest.raises(InputError, match="by must be one of"):
        rank_raters(made, by="taste")
