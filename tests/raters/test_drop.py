"""Leave out the worst raters and look again."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import NAN, ratings

from assay import Scores, stats
from assay.errors import InputError, UndefinedWarning, UnknownName
from assay.raters import drop_raters

CROWD = {"ann": [1, 2, 3, 4], "bob": [1, 2, 3, 5], "cy": [4, 1, 3, 2]}


def test_crowd_by_hand():
    result = drop_raters(ratings(CROWD, systems="ABCD", items="1111"), worst=1)
    before, after = [2, 5 / 3, 3, 11 / 3], [1, 2, 3, 4.5]
    assert result.raters == ("cy",)
    assert [s.before for s in result.systems] == pytest.approx(before)
    assert [s.after for s in result.systems] == pytest.approx(after)
    assert result.pearson == pytest.approx(np.corrcoef(before, after)[0, 1])
    assert result.spearman == pytest.approx(stats.spearman(before, after))
    assert (result.items_before, result.items_after, result.remaining) == (1, 1, 2)


def test_one_rater_per_item_takes_their_items_along():
    """As in TAC: bob judged item 2 alone; without bob it is missing for people and metric."""
    rows = {"ann": [1, 2, 4, NAN, NAN, NAN], "bob": [NAN, NAN, NAN, 4, 2, 1]}
    made = ratings(rows, systems="ABCABC", items="111222")
    metric = Scores(np.array([[0.1, 9], [0.2, 0], [0.4, 5]]), ("A", "B", "C"), ("1", "2"), name="m")
    result = drop_raters(made, raters=["bob"], metrics=[metric])
    assert (result.items_before, result.items_after) == (2, 1)
    assert (result.outputs_before, result.outputs_after) == (6, 3)
    assert [s.after for s in result.systems] == [1, 2, 4]
    assert result.metrics[0].systems_after == pytest.approx(1)
    assert "Without bob and 1 of 2 items that only they rated" in result.view().headline


def test_dropped_by_consistency_with_one_rater_per_item():
    rows = {"ann": [1, 1, 4, NAN, NAN, NAN], "bob": [NAN, NAN, NAN, 3, 1, 1]}
    texts = ("x", "x", "y", "z", "z", "w")
    with pytest.warns(UndefinedWarning):  # ann's only pair has no spread
        result = drop_raters(ratings(rows, systems="ABCABC", items="111222", texts=texts), worst=1, by="consistency")
    assert result.raters == ("bob",)


def test_metric_at_both_levels():
    made = ratings(CROWD, systems="ABCD", items="1111")
    metric = Scores(np.array([[1.0], [2], [3], [5]]), tuple("ABCD"), ("1",), name="m", signature="m(x=1)")
    change = drop_raters(made, worst=1, metrics=[metric]).metrics[0]
    scores = [1, 2, 3, 5]
    per_rater = [stats.pearson(row, scores) for row in CROWD.values()]
    assert change.metric == "m(x=1)"
    assert change.systems_before == pytest.approx(stats.pearson([2, 5 / 3, 3, 11 / 3], scores))
    assert change.systems_after == pytest.approx(stats.pearson([1, 2, 3, 4.5], scores))
    assert change.outputs_before == pytest.approx(np.mean(per_rater))
    assert change.outputs_after == pytest.approx(np.mean(per_rater[:2]))


def test_metric_is_aligned_by_id():
    made = ratings(CROWD, systems="ABCD", items="1111")
    metric = Scores(np.array([[5.0, 0], [3, 0], [2, 0], [1, 0]]), tuple("DCBA"), ("1", "9"), name="m")
    assert drop_raters(made, worst=1, metrics=[metric]).metrics[0].systems_after == pytest.approx(
        stats.pearson([1, 2, 3, 4.5], [1, 2, 3, 5])
    )


def test_systems_to_rank():
    result = drop_raters(ratings(CROWD, systems="ABCD", items="1111"), worst=1, systems=["A", "B", "C"])
    assert tuple(s.system for s in result.systems) == ("A", "B", "C")


def test_share_is_rounded_down():
    rows = {f"r{i}": [1.0, 2, 3, 3 + i] for i in range(25)}
    assert len(drop_raters(ratings(rows, systems="ABCD", items="1111"), share=0.1).raters) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "a number or a share"),
        ({"worst": 1, "share": 0.1}, "a number or a share"),
        ({"worst": 3}, "dropping 3 of 3 raters leaves none"),
        ({"share": 0.1}, "a share of 0.1 of 3 raters is less than one"),
        ({"worst": 0}, "worst must be a whole number of at least 1"),
        ({"worst": 1, "by": "taste"}, "by must be one of"),
        ({"worst": 1, "by": "consistency"}, "have no texts"),
        ({"raters": []}, "no rater to drop was named"),
        ({"raters": ["ann"], "worst": 1}, "not both"),
        ({"raters": ["ann", "bob", "cy"]}, "no rating of 'meaning' is left"),
    ],
)
def test_what_cannot_be_dropped(options, message):
    with pytest.raises(InputError, match=message):
        drop_raters(ratings(CROWD, systems="ABCD", items="1111"), **options)


def test_unknown_rater():
    with pytest.raises(UnknownName, match="unknown rater 'dee'"):
        drop_raters(ratings(CROWD), raters=["dee"])


def test_too_few_systems():
    with pytest.warns(UndefinedWarning, match=r"correlation of 2 system means \(needs 3"):
        assert np.isnan(drop_raters(ratings(CROWD, systems="ABAB", items="1122"), worst=1).pearson)


def test_a_system_only_the_dropped_one_rated():
    rows = {"ann": [1, 2, 3, NAN], "bob": [1, 3, 2, 5]}
    with pytest.warns(UndefinedWarning, match=r"mean of 1 system\(s\) that no one else rated"):
        result = drop_raters(ratings(rows, systems="ABCD", items="1111"), raters=["bob"])
    assert np.isnan(result.systems[3].after)
    assert result.pearson == pytest.approx(stats.pearson([1, 2.5, 2.5], [1, 2, 3]))
