"""Identical texts marked twice by one annotator, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from topics import read_topic, read_topics

from assay.pyramid.duplicates import duplicate_marks


def test_by_hand():
    """Peers 5 and 6 of each topic are one text. ann marks both alike; bob misses two units of the ferry (of 8), one of
    the fraud (of 7) and one of the measles (of 7) in one of them: 18 of 22 marks are the same.
    """
    result = duplicate_marks(read_topics("ann", "bob"))
    assert result.pairs == 6
    bob, ann = result.annotators
    assert (ann.annotator, ann.pairs, ann.marks, ann.same, ann.score_gap) == ("ann", 3, 22, 1.0, 0.0)
    assert ann.alpha == 1.0
    assert (bob.annotator, bob.pairs, bob.same) == ("bob", 3, pytest.approx(18 / 22))
    assert 0 < bob.alpha < 1
    assert bob.score_gap > 0


def test_an_annotator_without_a_name():
    [row] = duplicate_marks(read_topics()).annotators
    assert (row.annotator, row.pairs, row.same) == (None, 3, 1.0)


def test_no_text_comes_twice():
    ferry = read_topic("ferry")
    once = replace(ferry, peers=tuple(peer for peer in ferry.peers if peer.peer != "6"))
    result = duplicate_marks([once])
    assert (result.pairs, result.annotators) == (0, ())
