"""What is shown of agreement."""

from __future__ import annotations

import numpy as np
import pytest

from assay import Ratings
from assay.errors import ignore_undefined
from assay.raters import AgreementTable, agreement, experts

RATERS = ("ann", "bob", "cy")
TABLE = np.tile(np.array([[1, 2, 3, 3, 2], [1, 2, 3, 2, 2], [1, 1, 3, 3, 2.0]]), (1, 4))


def ratings(dimension: str = "meaning", raters: int = 3) -> Ratings:
    return Ratings(TABLE[:raters], RATERS[:raters], ("A",) * 20, tuple(map(str, range(20))), dimension)


def test_the_headline_quotes_the_numbers_of_the_table():
    view = agreement(ratings(), interval=False).view()
    assert view.headline == (
        "The raters agree fairly well on meaning: Krippendorff's alpha 0.780. "
        "The mean of 3 ratings has a reliability of 0.917."
    )
    cells = dict(zip((c.head for c in view.tables[0].columns), view.tables[0].rows()[0], strict=True))
    assert (cells["alpha"], cells["equal"], cells["raters"]) == ("0.780", "0.733", "3")


def test_more_ratings_would_reach_the_target():
    table = np.tile(np.array([[1, 2, 3, 1, 2, 3], [2, 2, 3, 1, 3, 1.0]]), (1, 4))
    items = tuple(map(str, range(24)))
    result = agreement(Ratings(table, ("ann", "bob"), ("A",) * 24, items, "meaning"), interval=False)
    assert result.view().headline.endswith("ratings per output would reach 0.8.")


def test_several_dimensions_have_a_sentence_and_a_row_each():
    table = AgreementTable(tuple(agreement(ratings(d), interval=False) for d in ("meaning", "grammar")))
    view = table.view()
    assert [s.split(":")[0] for s in view.sentences] == [
        "The raters agree fairly well on meaning",
        "The raters agree fairly well on grammar",
    ]
    assert [row[0] for row in view.tables[0].rows()] == ["meaning", "grammar"]
    assert len(view.tables[1].rows()) == 6  # three pairs of raters on each
    assert [r["kind"] for r in table.records()].count("agreement") == 2


def test_one_rater_has_no_pairs_and_no_chart():
    with ignore_undefined():
        view = agreement(ratings(raters=1), interval=False).view()
    assert view.headline == "Agreement on meaning is undefined: there is only one rater, 'ann'."
    assert (len(view.tables), len(view.charts)) == (1, 0)


def test_experts_and_crowd():
    view = experts(ratings(), experts=["ann"], resamples=0).view()
    assert view.headline.startswith("On meaning, the rounded mean ratings of experts and crowd are equal for ")
    assert [row[0] for row in view.tables[0].rows()][1:] == ["two experts", "experts and crowd (means)"]
    assert view.title == "meaning: 1 expert and 2 others"


@pytest.mark.filterwarnings("ignore::assay.errors.UndefinedWarning")
def test_experts_on_a_continuous_scale():
    table = np.array([[1.5, 2, 3, 3], [1, 2, 4.5, 3]])
    result = experts(Ratings(table, ("ann", "bob"), ("A",) * 4, tuple("1234"), "meaning"), experts=["ann"])
    assert result.view().headline.startswith("On meaning, mean ratings of experts and crowd correlate at r = 0.9")
