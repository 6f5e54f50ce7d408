"""Recent texts: what stays within the limit."""

from __future__ import annotations

import numpy as np

from assay.text.vectors.recent import EncodedPieces, RecentTexts


def tokens(n: int) -> EncodedPieces:
    return EncodedPieces(("x",) * n, np.zeros((n, 4), np.float32))  # 16 bytes a piece


def test_the_one_that_was_not_used_for_longest_leaves():
    recent = RecentTexts(64)
    recent.add({"a": tokens(1), "b": tokens(2)})
    assert recent.get("a") is not None
    recent.add({"c": tokens(2)})  # 80 bytes: b leaves, though a is older
    assert recent.get("b") is None
    assert recent.get("a") is not None
    assert recent.get("c") is not None


def test_a_text_that_is_added_again_counts_once():
    recent = RecentTexts(64)
    for _ in range(3):
        recent.add({"a": tokens(2)})
    recent.add({"b": tokens(2)})
    assert recent.get("a") is not None
    assert recent.get("b") is not None


def test_a_text_that_is_too_long_is_not_kept():
    recent = RecentTexts(64)
    recent.add({"a": tokens(5)})
    assert recent.get("a") is None
    recent.add({"b": tokens(4)})
    assert recent.get("b") is not None
