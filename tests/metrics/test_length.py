"""Length by hand."""

from __future__ import annotations

import pytest

import assay


@pytest.mark.parametrize(
    ("name", "text", "want"),
    [
        ("length", "Don't panic: it's 3.14!", 4),
        ("length(unit=chars)", "é a", 3),
        ("length(unit=sentences)", "One.\nTwo three. Four", 3),
        ("length", "", 0),
    ],
)
def test_by_hand(name, text, want):
    assert assay.score(assay.EvalSet.from_texts([text]), name).values.item() == want
