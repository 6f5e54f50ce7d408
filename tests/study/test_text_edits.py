"""Edits of a text."""

from __future__ import annotations

import pytest

from assay.study.text_edits import MAX_TEXT, apply_deltas, is_text_edit


def test_edits_are_applied_in_order_and_stay_inside():
    assert apply_deltas("abc", [[0, 1, 1, "xyz"], [5, 0, 1, ""]]) == "xyzc"
    assert apply_deltas("\U0001f600b", [[0, 1, 1, "c"]]) == "\U0001f600c"  # code points, not UTF-16
    with pytest.raises(ValueError, match="outside"):
        apply_deltas("abc", [[0, 2, 2, ""]])


@pytest.mark.parametrize(
    "wrong", [None, [], [0, 1, 2], [0, 1, 2, 3], [0, -1, 0, ""], [True, 0, 0, ""], [0, 0, 0, "x" * (MAX_TEXT + 1)]]
)
def test_other_forms_are_none(wrong):
    assert not is_text_edit(wrong)
    assert is_text_edit([0, 1, 2, "x"])
