"""What is shown of raters and authors who are left out."""

from __future__ import annotations

import numpy as np

from assay import Ratings, Scores
from assay.raters import drop_each_rater, drop_editors, drop_raters

TABLE = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [4, 1, 3, 2.0]])
RATINGS = Ratings(TABLE, ("ann", "bob", "cy"), tuple("ABCD"), ("1",) * 4, "meaning")
METRIC = Scores(np.array([[1.0], [2], [3], [5]]), tuple("ABCD"), ("1",), name="m", signature="m(x=1)")


def test_without_the_worst_rater():
    view = drop_raters(RATINGS, worst=1, metrics=[METRIC]).view()
    assert view.title == "meaning without the worst rater by correlation with the others"
    assert view.sentences == [
        "Without cy, system means on meaning correlate with those of all raters at r = 0.902 (Spearman 0.800).",
        "Krippendorff's alpha changes from 0.176 to 0.937.",
    ]
    assert view.tables[0].rows() == [("m", "0.904", "0.997", "0.535", "0.991")]
    assert view.notes == ["m = m(x=1)"]


def test_without_named_raters():
    view = drop_raters(RATINGS, raters=["ann", "cy"]).view()
    assert view.title == "meaning without ann and cy"
    assert not view.tables


def test_each_rater_in_turn():
    result = drop_each_rater(RATINGS, metrics=[METRIC], most=2)
    view = result.view()
    assert result.left_out[0].raters == ("cy",)
    assert view.headline.startswith("Without bob, system means on meaning correlate")  # the largest change first
    assert view.tables[0].rows()[0][0] == "bob"
    assert view.notes[-1] == "Only the 2 raters who agree least with the others were left out in turn."


def test_without_the_worst_editors():
    view = drop_editors(RATINGS, worst=1).view()
    assert view.headline.startswith(
        "Without the worst 1 of 4 editors (1 of 4 outputs), mean meaning rises from 2.583 to "
    )
    assert len(view.tables[0].rows()) == 1
    assert "ratings" not in drop_editors(RATINGS, worst=1).records()[0]  # a table of data is no record
