"""What is printed of units by weight, aspect and category."""

from __future__ import annotations

from dataclasses import replace

from assay.pyramid.categories import CategoryScore
from assay.pyramid.guided import AspectCount, AspectScore, AspectScores, GuidedAnalysis, WeightCount


def analysis(parts=("all",)):
    return GuidedAnalysis(
        topics=2,
        models=2,
        measure="modified pyramid",
        systems=("x", "y"),
        weights=tuple(
            row
            for part in parts
            for row in (WeightCount(part, "Health", 2, 4.0, 0.4, 3.0), WeightCount(part, "Health", 1, 6.0, 0.6, 1.0))
        ),
        aspects=tuple(AspectCount(part, "Health", "why", 2, 3.0, 1.5, 1.0, 2.0, 0.25) for part in parts),
        categories=tuple(
            CategoryScore(part, "systems", "modified pyramid", "Health", 2, 0.5, "A", "") for part in parts
        ),
        changes=(),
    )


def test_the_headline_quotes_the_shares():
    assert analysis().view().headline == (
        "Most units are in one model only: 60% have weight 1, 40% weight 2; 75% of those that systems state (2 topics, "
        "2 systems)."
    )


def test_parts_are_a_column_where_there_are_any():
    assert analysis().view().tables[0].columns[0].head == "category"
    assert analysis(("initial", "update")).view().tables[0].columns[0].head == "part"
    titles = [table.title for table in analysis(("initial", "update")).view().tables]
    assert titles[2:] == [f"Modified pyramid by category: systems, {part}" for part in ("initial", "update")]


def test_aspects_of_a_system():
    rows = (AspectScore("all", "Attacks", "where", 7, 0.66), AspectScore("all", "Health", "why", 12, 0.06))
    headline = "1 is best on where of Attacks (0.66) and worst on why of Health (0.06)."
    for form, units in (("original", "the text has"), ("modified", "a model has on average")):
        view = AspectScores("1", form, rows).view()
        assert view.headline == headline
        assert view.notes[0].endswith(f"by the best weight of as many as {units}.")


def test_no_category_is_a_key_that_every_object_has():
    """Vega keeps facets in an object, in which "constructor" is taken."""
    hostile = replace(analysis(), weights=(WeightCount("all", "constructor", 1, 2.0, 1.0, 1.0),))
    chart = hostile.view().charts[0]
    assert {row["cell"] for row in chart.spec["data"]["values"]} == {"constructor "}
