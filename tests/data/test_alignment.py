"""Scores meet by id, and say so when they do not."""

from __future__ import annotations

import numpy as np
import pytest
from made import people, scores, shuffled

from assay.data.alignment import align_scores
from assay.data.scores import Scores
from assay.errors import AlignmentError, InputError, MismatchWarning


def test_order_does_not_matter():
    given = people()
    first, second = align_scores(given, shuffled(given))
    assert first is given
    assert second.systems == given.systems
    np.testing.assert_array_equal(second.values, given.values)


def test_corpus_scores_stay_while_no_item_is_lost():
    given = scores([[1, 2], [3, 4]], corpus=np.array([10.0, 20.0]))
    assert align_scores(given, shuffled(given), without=["s0"])[1].corpus.tolist() == [20.0]
    other = scores([[1], [2]], items=["i1"])
    with pytest.warns(MismatchWarning, match=r"1 of 2 items of 'm' .* i0"):
        assert align_scores(given, other)[0].corpus is None


def test_nothing_in_common_names_both_sides():
    with pytest.raises(AlignmentError, match=r"no system in common: 'a' has s0, s1; 'b' has x, y.*by id"):
        align_scores(scores([[1], [2]], "a"), scores([[1], [2]], "b", systems=["x", "y"]))
    with pytest.raises(AlignmentError, match="no item in common"):
        align_scores(scores([[1], [2]], "a"), scores([[1], [2]], "b", items=["x"]))


def test_partial_overlap_warns_and_names_what_is_left_out():
    wide = scores(np.ones((5, 2)), "wide")
    narrow = scores(np.ones((2, 2)), "narrow")
    with pytest.warns(MismatchWarning, match=r"3 of 5 systems of 'wide' .* s2, s3, s4"):
        first, second = align_scores(wide, narrow)
    assert first.systems == second.systems == ("s0", "s1")


def test_leaving_out_by_name_is_no_mismatch():
    wide, narrow = scores(np.ones((3, 2)), "wide"), scores(np.ones((2, 2)), "narrow")
    assert align_scores(wide, narrow, without=["s2"])[0].systems == ("s0", "s1")
    assert align_scores(wide, narrow, systems=["s1", "s0"])[0].systems == ("s1", "s0")


def test_unknown_and_doubled_names():
    with pytest.raises(AlignmentError, match="'m' have no system 'zz'; they have s0, s1"):
        align_scores(scores([[1], [2]]), systems=["zz"])
    with pytest.raises(AlignmentError, match="system 'A' twice"):
        align_scores(scores([[1], [2]], systems=["A", "A"]))
    with pytest.raises(AlignmentError, match="no system is left"):
        align_scores(scores([[1], [2]]), without=["s0", "s1"])
    with pytest.raises(InputError, match="at least one Scores"):
        align_scores()


def test_a_system_that_nobody_judged_is_left_out_with_a_warning():
    metric = Scores(np.ones((3, 2)), tuple("ABC"), tuple("12"), name="m")
    human = Scores(np.array([[1.0, 2], [np.nan, np.nan], [3, np.nan]]), tuple("ABC"), tuple("12"), name="human")
    with pytest.warns(MismatchWarning, match="1 system has no score by 'human' on these items and is left out: B"):
        ours, theirs = align_scores(metric, human)
    assert ours.systems == theirs.systems == ("A", "C")
    nobody = Scores(np.full((3, 2), np.nan), tuple("ABC"), tuple("12"), name="human")
    assert align_scores(metric, nobody)[0].systems == tuple("ABC")  # undefined, and said to be so where it is computed
