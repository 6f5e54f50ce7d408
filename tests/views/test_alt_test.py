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


def test_passing_says_nothing_where_a_constant_passes():
    people = [1.0] * 4 + [5.0] * 36
    table = np.array([people, people, people, [5.0] * 40])
    ratings = Ratings(table, ("h1", "h2", "h3", "llm"), ("A",) * 40, tuple(map(str, range(40))), "meaning")
    headline = alt_test(ratings, judge="llm", seed=0).view().headline
    assert headline.startswith("Whether llm can replace a human rater of meaning is undecided: it wins against 3 of 3")
    assert "but a judge that always answers 5 passes the test too" in headline
    assert (
        alt_test(ratings, judge="llm").view().headline.startswith("llm can replace")
    )  # who looks at nothing: not asked


def test_a_judge_that_passes_where_a_constant_fails_can_replace():
    table = np.array([TRUTH, TRUTH, TRUTH, TRUTH])
    ratings = Ratings(table, ("h1", "h2", "h3", "llm"), ("A",) * 40, tuple(map(str, range(40))), "meaning")
    result = alt_test(ratings, judge="llm", seed=0)
    assert (result.blind.constant_passes, result.blind.random_passes) == (False, False)
    assert result.view().headline.startswith("llm can replace a human rater of meaning: it wins against 3 of 3 raters")
