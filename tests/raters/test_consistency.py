"""The same text judged twice by the same rater."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import NAN, judged, ratings

from assay.errors import InputError, UndefinedWarning
from assay.raters import consistency, rank_raters

TEXTS = ("x y", " x  y\n", "z", "x y", "q", "q ")


def test_pairs_are_found_by_text_within_an_item():
    """Item 1: outputs A and B are the same text; item 2: B and C are; the same text in another item is no pair."""
    rows = {"ann": [1, 1, 2, 3, 3, 3], "bob": [1, 3, 2, 1, NAN, 2]}
    result = consistency(ratings(rows, systems="ABCABC", items="111222", texts=TEXTS), interval=False)
    ann, bob = result.raters
    assert (ann.rater, ann.pairs, ann.same, ann.alpha.value) == ("ann", 2, 1.0, 1.0)
    assert (bob.rater, bob.pairs, bob.same, bob.alpha.value) == ("bob", 1, 0.0, 0.0)
    assert result.pairs == 3
    assert result.of("cy") is None
    assert "Most consistent: ann (1.000); least consistent: bob (0.000)" in result.view().headline


def test_alpha_by_hand():
    """Pairs (1, 1), (3, 3), (1, 3): Do = 8/6, De over 1 1 3 3 1 3 = 2 * 9 * 4 / 30: alpha = 1 - (8/6) / 2.4."""
    texts = ("a", "a", "b", "b", "c", "c")
    result = consistency(
        ratings({"ann": [1, 1, 3, 3, 1, 3]}, systems="ABCDEF", items="1" * 6, texts=texts), interval=False
    )
    assert result.alpha.value == pytest.approx(1 - (8 / 6) / 2.4)


def test_three_of_a_kind_make_three_pairs():
    result = consistency(ratings({"ann": [1, 1, 2]}, systems="ABC", items="111", texts=("x",) * 3), interval=False)
    assert (result.pairs, result.same) == (3, pytest.approx(1 / 3))


def test_two_raters_of_one_text_are_no_pair():
    rows = {"ann": [1, NAN, 3], "bob": [NAN, 1, 3]}
    with pytest.warns(UndefinedWarning, match="no rater judged two identical texts"):
        result = consistency(ratings(rows, systems="ABC", items="111", texts=("x", "x", "y")))
    assert result.pairs == 0
    assert np.isnan(result.alpha.value)
    assert "self-consistency is undefined" in result.view().headline


def test_a_set_is_read_judgment_by_judgment():
    """A second judgment of one output is a pair; one judgment of two equal outputs, as WMT writes it, is none."""
    twice = judged(("1", "A", "ann", 1), ("1", "A", "ann", 3))
    assert consistency(twice, interval=False).pairs == 1
    once = judged(("1", "A+B", "ann", 1), ("2", "A", "ann", 2), texts={"A": "x", "B": "x"})
    with pytest.warns(UndefinedWarning):
        assert consistency(once).pairs == 0


def test_no_texts_and_no_spread():
    with pytest.raises(InputError, match="have no texts; identical outputs cannot be found"):
        consistency(ratings({"ann": [1, 2]}))
    with pytest.warns(UndefinedWarning, match=r"of 1 rater\(s\) \(ann\): all ratings"):
        result = consistency(ratings({"ann": [2, 2]}, systems="AB", items="11", texts=("x", "x")))
    assert result.same == 1
    assert np.isnan(result.alpha.value)


def test_ranking_leaves_out_who_judged_nothing_twice():
    rows = {"ann": [1, 1, 3, 3], "bob": [1, 3, 3, 1], "cy": [1, NAN, 2, NAN]}
    made = ratings(rows, systems="ABCD", items="1111", texts=("x", "x", "y", "y"))
    with pytest.warns(UndefinedWarning, match="consistency of 1 of 3 raters"):
        ranking = rank_raters(made, by="consistency")
    assert ranking.raters == ("ann", "bob")
    assert ranking.unranked == ("cy",)
    assert ranking.worst(1) == ("bob",)


def test_tac(shared):
    """Owczarzak et al. (2012) found 230 to 430 pairs a year, in main and update summaries; here are the main ones."""
    data = shared("tac2008.jsonl.gz")
    found = {d: consistency(data, d, interval=False) for d in ("pyramid", "responsiveness")}
    assert {r.pairs for r in found.values()} == {173}
    assert found["pyramid"].alpha.value > found["responsiveness"].alpha.value > 0.7
