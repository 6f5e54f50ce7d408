"""The raters of a dimension together."""

from __future__ import annotations

from judges_made import NAN, judged, ratings

from assay.raters import consistency, rater_panel, sample_size, severity


def test_it_holds_what_its_parts_say():
    rows = {"ann": [1, 2, 3, 4], "bob": [2, 3, 4, 4]}
    data = ratings(rows, systems="ABAB", items="1122", texts=("x", "x", "y", "z"))
    panel = rater_panel(data, difference=0.5, interval=False)
    assert panel.severity == severity(data)
    assert panel.consistency.pairs == consistency(data, interval=False).pairs == 2
    assert panel.sample_size.items_needed == sample_size(data, difference=0.5).items_needed
    assert (panel.raters, panel.anonymous) == (("ann", "bob"), False)


def test_a_set_has_texts():
    data = judged(("1", "A", "ann", 1), ("1", "B", "ann", 3), ("1", "A", "bob", 2), texts={"A": "x", "B": "x"})
    assert rater_panel(data, "meaning").consistency.pairs == 1


def test_positions_are_not_people():
    panel = rater_panel(ratings({"rater1": [1, 2, 3], "rater2": [1, 2, NAN]}))
    assert panel.anonymous
    assert panel.severity is panel.consistency is None
