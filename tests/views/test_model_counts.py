"""The sentence and the table on the number of models."""

from __future__ import annotations

from math import nan

from assay.pyramid.models import ModelCount, ModelCounts


def test_the_headline_quotes_the_table():
    counts = (
        ModelCount(1, 0.3, 0.95, 0.9, 0.99, nan, 0.8),
        ModelCount(2, 0.35, 0.98, 0.95, 1.0, nan, nan),
        ModelCount(3, 0.36, 1.0, 1.0, 1.0, nan, nan),
    )
    view = ModelCounts(12, 20, None, "truncate", 1000, 0, counts).view()
    assert view.headline == (
        "With one model instead of 3, the scores of 20 systems correlate with the full ones at r = 0.950 on average; "
        "with 2, at 0.980 (12 topics)."
    )
    assert [column.head for column in view.tables[0].columns][-1] == "r with others"
    judged = ModelCounts(12, 20, "quality", "truncate", 1000, 0, counts).view()
    assert judged.tables[0].columns[-1].head == "r with quality"
