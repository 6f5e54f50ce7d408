"""What is said of comparisons: every sentence quotes the table."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.comparison.compare import is_better


def scores(*means: float, n: int = 60, spread: float = 1.0) -> assay.Scores:
    rng = np.random.default_rng(1)
    values = rng.normal(scale=spread, size=(len(means), n)) + np.array(means)[:, None]
    return assay.Scores(values, tuple("ABCDEFGH"[: len(means)]), tuple(map(str, range(n))), "rouge2")


def test_a_clear_winner_is_named_with_its_closest_rival():
    headline = assay.compare(scores(0, 5, 10)).view().headline
    assert headline.startswith("C has the highest rouge2: ")
    assert "It is significantly better than the other 2 systems, the closest of which is B" in headline


def test_no_winner_where_nothing_differs():
    assert "No significant differences among the 3 systems in rouge2." in assay.compare(scores(0, 0, 0)).view().headline


@pytest.mark.parametrize(
    ("means", "text"),
    [((0, 5), "B is significantly better than A in rouge2"), ((0, 0), "No significant difference between")],
)
def test_two_systems(means, text):
    assert text in is_better(scores(*means), "A", "B").view().headline


def test_against_a_baseline():
    headline = assay.compare(scores(0, 5, -5), baseline="A").view().headline
    assert headline == "By rouge2: B is significantly better than A; C is significantly worse than A."
