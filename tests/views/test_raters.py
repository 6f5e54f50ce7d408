"""What is shown of single raters, and of how many are needed."""

from __future__ import annotations

import numpy as np
import pytest

from assay import Ratings
from assay.raters import consistency, rank_raters, rater_panel, sample_size, severity

TABLE = np.array([[1, 2, 3, 4], [2, 3, 4, 5], [1, 5, 3, 2.0]])
TEXTS = ("x", "x", "y", "z")


def ratings(texts: tuple[str, ...] = TEXTS) -> Ratings:
    return Ratings(TABLE, ("ann", "bob", "cy"), tuple("ABAB"), tuple("1122"), "meaning", texts)


def test_one_table_of_raters_with_those_who_agree_least_first():
    view = rater_panel(ratings(), interval=False).view()
    assert view.title == "Raters of meaning"
    assert view.headline.endswith("cy agrees least with the others (r = 0.076).")
    assert next(iter(view.tables[0].rows()))[0] == "cy"
    assert [c.head for c in view.tables[0].columns][-2:] == ["self alpha", "judged twice"]
    assert view.charts


def test_without_texts_nothing_is_said_of_consistency():
    panel = rater_panel(ratings(()), interval=False)
    assert panel.consistency is None
    assert [c.head for c in panel.view().tables[0].columns][-1] == "r with others"


def test_positions_are_not_shown_as_people():
    table = np.array([[1, 2, 3.0], [1, 2, np.nan]])
    panel = rater_panel(Ratings(table, ("rater1", "rater2"), ("A",) * 3, tuple("123"), "meaning"))
    assert panel.view().headline.startswith("The file does not say who rated: the raters of meaning (rater1, rater2, ")
    assert not panel.view().tables


def test_the_records_of_a_panel_are_those_of_its_parts():
    kinds = {record["kind"] for record in rater_panel(ratings(), interval=False).records()}
    assert kinds == {"panel", "sample_size", "severity", "rater", "consistency", "rater_consistency"}


def test_severity_quotes_the_table():
    view = severity(ratings()).view()
    assert view.headline.startswith("On meaning, ann is the most severe rater (0.62 below the others")
    assert "+0.62" in view.tables[0].rows()[1] + view.tables[0].rows()[2]


def test_two_raters_agree_equally_with_each_other():
    two = Ratings(TABLE[:2], ("ann", "bob"), tuple("ABAB"), tuple("1122"), "meaning")
    assert "agrees least" not in severity(two).view().headline


def test_consistency_of_each_rater():
    table = np.array([[1, 1, 3, 3], [1, 2, 2, 1.0]])
    result = consistency(Ratings(table, ("ann", "bob"), tuple("ABAB"), tuple("1122"), "meaning", ("x", "x", "y", "y")))
    assert result.view().headline.startswith(
        "Raters who judged the same text twice gave the same rating in 50% of 4 pairs"
    )
    assert [row[:3] for row in result.view().tables[0].rows()] == [("ann", "2", "100%"), ("bob", "2", "0%")]


@pytest.mark.parametrize(
    ("difference", "end"),
    [
        (None, "per output would reach 0.8."),  # and nothing of what so few items find
        (1.0, "to find a difference of 1, 48 more items are needed."),
        (400.0, "to find a difference of 400, no more items are needed."),
    ],
)
def test_how_many_items(difference, end):
    result = sample_size(ratings(), difference=difference)
    assert result.view().sentences[-1].endswith(end)


def test_a_ranking_of_raters():
    view = rank_raters(ratings()).view()
    assert view.headline.startswith("Of 3 raters of meaning, ")
    assert view.headline.endswith("and cy the worst (0.076).")
    assert view.tables[0].rows()[-1] == ("cy", "0.076")
