"""What is shown of the alt-test."""

from __future__ import annotations

import numpy as np

from assay import Ratings
from assay.raters import alt_test

TRUTH = [1.0, 2, 3, 4, 5] * 8


def test_against_each_rater():
    table = np.array([TRUTH, TRUTH, TRUTH, TRUTH[::-1], [1.0, *[np.nan] * 39]])
    ratings = Ratings(table, ("h1", "h2", "h3", "llm", "h4"), ("A",) * 40, tuple(map(str, range(40))), "meaning")
    view = alt_test(ratings, judge="llm").view()
    assert view.headline == (
        "llm cannot replace a human rater of meaning: it wins against 0 of 3 raters (epsilon 0.2) and is at least as "
        "close to the other raters as the rater left out on 20% of outputs."
    )
    assert [row[0] for row in view.tables[0].rows()] == ["h1", "h2", "h3"]
    assert view.notes[-1] == "Skipped, with too few outputs: h4."
