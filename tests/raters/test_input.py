"""Ratings where they come in: a rater is part of every key."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import NAN, judged, ratings

from assay.errors import InputError, UnknownName, ignore_undefined
from assay.raters import (
    agreement,
    alt_test,
    combine_dimensions,
    drop_each_rater,
    drop_raters,
    experts,
    rank_raters,
)
from assay.raters.input import get_ratings, mean_scores, scale_points


def test_one_rater_is_never_counted_as_two():
    rows = ratings({"ann": [1, 2], "bob": [1, 2]})
    object.__setattr__(rows, "raters", ("ann", "ann"))
    with pytest.raises(InputError, match="rater 'ann' has 2 rows of 'meaning': one rater would count as 2"):
        agreement(rows)


def test_a_second_judgment_by_the_same_rater_is_no_second_rater():
    data = judged(("1", "A", "ann", 1), ("1", "A", "ann", 3), ("2", "A", "ann", 2))
    assert data.ratings("meaning").raters == ("ann",)
    with pytest.warns(match="there is only one rater, 'ann'"):
        assert np.isnan(agreement(data, "meaning").alpha.value)


def test_two_raters_are_never_merged():
    data = judged(("1", "A", "ann", 1), ("1", "A", "Ann", 3), ("2", "A", "ann", 1), ("2", "A", "Ann", 3))
    found = get_ratings(data)
    assert found.raters == ("ann", "Ann")
    assert found.values.tolist() == [[1, 1], [3, 3]]
    with ignore_undefined():
        result = agreement(data, interval=False)
    assert result.raters == ("ann", "Ann")
    assert result.percent_agreement == 0


def test_one_output_is_never_counted_as_two():
    with pytest.raises(InputError, match="system 'A' has 2 columns for item '1'"):
        agreement(ratings({"ann": [1, 2], "bob": [1, 2]}, items="11"))


def test_which_dimension():
    data = judged(("1", "A", "ann", 1), ("1", "A", "bob", 2))
    assert get_ratings(data).dimension == "meaning"
    with pytest.raises(UnknownName, match=r"unknown dimension 'meening'; did you mean 'meaning'.*judged: meaning"):
        get_ratings(data, "meening")
    with pytest.raises(UnknownName, match="these are ratings of meaning"):
        get_ratings(data.ratings("meaning"), "grammar")


def test_nothing_to_ask():
    from assay import EvalSet

    with pytest.raises(InputError, match="this set has no judgments"):
        get_ratings(EvalSet.from_texts({"A": ["x"]}))
    with pytest.raises(InputError, match="there are no ratings of 'meaning'"):
        get_ratings(ratings({"ann": [NAN, NAN]}))
    with pytest.raises(InputError, match="in size; got inf"):
        get_ratings(ratings({"ann": [np.inf, 1]}))


def test_scale():
    assert scale_points(ratings({"ann": [1, 3, NAN]})).tolist() == [1, 2, 3]
    assert scale_points(ratings({"ann": [1, 2.5]})) is None
    assert scale_points(ratings({"ann": [0, 100]})) is None
    assert len(scale_points(ratings({"ann": [0, 10]}))) == 11


def test_mean_scores_are_means_over_raters_by_system_and_item():
    scores = mean_scores(ratings({"ann": [1, 2, 3], "bob": [3, NAN, NAN]}, systems="ABA", items="112"))
    assert scores.systems == ("A", "B")
    np.testing.assert_array_equal(scores.values, [[2, 3], [2, np.nan]])


def test_mean_scores_are_what_the_set_says(shared):
    data = shared("summeval.jsonl.gz")
    ours, theirs = mean_scores(data.ratings("relevance")), data.human("relevance").select()
    np.testing.assert_allclose(ours.select(theirs.systems, theirs.items).values, theirs.values)


def test_combining_averages_dimensions_by_rater_and_output():
    from assay import EvalSet, Item, Judgment

    said = [("ann", "meaning", 3), ("ann", "grammar", 1), ("bob", "meaning", 2)]
    data = EvalSet([Item("1", outputs={"A": "x"}, judgments=tuple(Judgment("A", r, d, s) for r, d, s in said))])
    both = combine_dimensions(data)
    assert (both.dimension, both.raters, both.texts) == ("meaning+grammar", ("ann", "bob"), ("x",))
    np.testing.assert_array_equal(both.values, [[2], [np.nan]])


def test_positions_on_a_line_are_not_people():
    rows = {"rater1": [1, 2, 3], "rater2": [1, 2, NAN]}
    assert ratings(rows).are_positions
    assert not ratings({"rater1": [1, 2, 3], "rater2": [1, 2, 3]}).are_positions
    assert not ratings({"rater1": [1, NAN, 3], "rater2": [1, 2, NAN]}).are_positions
    assert not ratings({"ann": [1, 2, 3], "bob": [1, 2, NAN]}).are_positions


def test_positions_on_a_line_cannot_be_filtered():
    """rater8 of one line is not rater8 of another: whoever leaves them out leaves out no one."""
    positions = ratings({"rater1": [1, 2, 3, 1], "rater2": [1, 3, 3, 1], "rater3": [1, 2, NAN, 2]}, systems="ABCD")
    for ask in (
        lambda: drop_raters(positions, worst=1),
        lambda: drop_raters(positions, raters=["rater3"]),
        lambda: drop_each_rater(positions),
        lambda: rank_raters(positions),
        lambda: experts(positions, experts=["rater1"]),
        lambda: alt_test(positions, judge="rater1"),
    ):
        with pytest.raises(InputError, match="are positions on a line, not people"):
            ask()
