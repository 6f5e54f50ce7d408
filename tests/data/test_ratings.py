"""Ratings: raters x outputs, checked where they are made."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.ratings import Ratings
from assay.errors import InputError, UnknownName

NAN = np.nan
THREE = Ratings(
    np.array([[1.0, 2.0, 3.0], [NAN, 2.0, NAN]]), ("ann", "bob"), ("A", "B", "A"), ("1", "1", "2"), "meaning"
)


def test_rows_and_counts():
    assert THREE.row("ann").tolist() == [1.0, 2.0, 3.0]
    assert THREE.counts().tolist() == [3, 1]
    assert repr(THREE) == "Ratings('meaning', 2 raters x 3 outputs)"
    with pytest.raises(UnknownName, match="unknown rater 'bo'; did you mean 'bob'"):
        THREE.row("bo")


def test_without_keeps_outputs_that_nobody_judges_any_more():
    left = THREE.without("ann")
    assert left.raters == ("bob",)
    assert left.systems == THREE.systems
    assert np.isnan(left.values).tolist() == [[True, False, True]]
    with pytest.raises(UnknownName, match="rater 'cid'"):
        THREE.without("cid")


@pytest.mark.parametrize(
    ("values", "items", "texts", "message"),
    [
        (np.ones((1, 2)), ("1",), (), r"raters x outputs, \(1, 1\); got \(1, 2\)"),
        (np.ones((1, 1)), ("1", "2"), (), r"one item \(and text, and cluster\) per output"),
        (np.ones((1, 1)), ("1",), ("a", "b"), "per output"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(values, items, texts, message):
    with pytest.raises(InputError, match=message):
        Ratings(values, ("ann",), ("A",), items, "meaning", texts)


@pytest.mark.parametrize("value", [1e200, -1e308, float("inf"), 1e-318])
def test_ratings_without_a_variance_are_refused(value):
    with pytest.raises(InputError, match=r"'meaning' must be 0 or between 1e-75 and 1e\+75 in size; got "):
        Ratings(np.array([[1.0, value]]), ("ann",), ("A", "B"), ("1", "1"), "meaning")
    judgments = (assay.Judgment("A", "ann", "meaning", value), assay.Judgment("B", "ann", "meaning", 2.0))
    data = assay.EvalSet([assay.Item("1", (assay.Reference("a"),), {"A": "a", "B": "b"}, judgments=judgments)])
    with pytest.raises(InputError, match="scale them, or leave out what is not a rating"):
        data.human("meaning")


@pytest.mark.parametrize("value", [0.0, -1e75, 1e-75, float("nan")])
def test_ratings_at_the_limits_are_accepted(value):
    Ratings(np.array([[1.0, value]]), ("ann",), ("A", "B"), ("1", "1"), "meaning")
