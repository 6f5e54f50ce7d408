"""Drawn items as they are shown."""

from __future__ import annotations

from assay.raters.label_draw import DrawnItem, LabelDraw


def test_efficiency_is_said_in_words():
    row = DrawnItem("1", 0.5, 0.7, False)
    draw = LabelDraw("m", "disagreement", (), ("x", "y"), 4, 1, 0.2, 0, 0.8, (row,), (0.5,) * 4, 0)
    view = draw.view()
    assert "varies 20% less than with a uniform draw" in view.sentences[1]
    assert [column.head for column in view.tables[0].columns] == ["item", "probability", "disagreement"]
