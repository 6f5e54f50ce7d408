"""Human scores by several raters are tested for other raters, and the answer says what is missing."""

from __future__ import annotations

from math import isfinite, isnan

import numpy as np
import pytest

from assay.comparison import add_margin, compare
from assay.comparison.rating_evidence import explain_unusable
from assay.data.evalset import EvalSet
from assay.data.item import Item, Judgment
from assay.errors import InputError
from assay.stats.rating_contrasts import rating_contrasts

SYSTEMS = ("A", "B", "C")


def judged(table, raters=("ann", "bob", "cat", "dan"), systems=SYSTEMS):
    """Make a set from a table of systems x items x raters; NaN where a rater did not judge."""
    items = []
    for i in range(table.shape[1]):
        judgments = tuple(
            Judgment(systems[s], raters[r], "meaning", float(table[s, i, r]))
            for s in range(table.shape[0])
            for r in range(table.shape[2])
            if not np.isnan(table[s, i, r])
        )
        items.append(Item(str(i), outputs={name: f"{name} {i}" for name in systems}, judgments=judgments))
    return EvalSet(items)


def draw(systems=3, items=20, raters=4, lead=1.0, lean=0.3, seed=0):
    rng = np.random.default_rng(seed)
    table = rng.normal(3, 0.5, (systems, items, raters)) + rng.normal(0, lean, (systems, 1, raters))
    table[0] += lead
    return table


def test_the_default_for_several_raters_is_the_test_for_new_raters():
    table = draw()
    result = compare(judged(table).human("meaning"))
    expected = rating_contrasts(table.ravel(), *np.indices(table.shape).reshape(3, -1))
    assert (result.test, result.raters) == ("satterthwaite", 4)
    pair = result.pair("A", "B")
    assert pair.pvalue == pytest.approx(expected.pvalue[0, 1])
    assert pair.difference == pytest.approx(expected.difference[0, 1])
    assert isnan(result.level)  # (3 - 1) x (4 - 1) is enough


def test_these_raters_are_an_option():
    scores = judged(draw(lean=1.0)).human("meaning")
    new, these = compare(scores), compare(scores, raters="these")
    assert (these.test, these.untested_raters) == ("paired", "these")
    assert these.pair("A", "B").pvalue < new.pair("A", "B").pvalue


def test_an_item_test_can_still_be_asked_for():
    result = compare(judged(draw()).human("meaning"), test="wilcoxon")
    assert (result.test, result.raters, result.untested_raters) == ("wilcoxon", 0, "other-test")
    assert "Means over raters were tested" in " ".join(result.view().notes)


def test_more_items_cannot_replace_raters():
    """Raters who lean strongly: no number of items is enough, and the sentence says how many raters would be."""
    table = draw(systems=2, items=30, raters=3, lead=0.6, lean=0.5, seed=2)
    result = compare(judged(table, systems=("A", "B")).human("meaning"), notice=0.5)
    pair = result.against[0]
    assert not pair.significant
    assert pair.needed == np.inf
    assert isfinite(pair.raters_needed)
    headline = " ".join(result.view().sentences)
    assert "; with 3 raters no number finds one of 0.500" in headline
    assert f"it takes at least {pair.raters_needed:.0f} raters" in headline


def test_too_few_raters_for_the_level_are_said():
    result = compare(judged(draw(systems=2, raters=3), systems=("A", "B")).human("meaning"))
    assert 0.05 < result.level < 0.12
    assert "finds a difference that is not there in" in " ".join(result.view().sentences)


def test_one_rater_is_tested_over_items_and_said():
    result = compare(judged(draw(raters=1)).human("meaning"))
    assert (result.test, result.untested_raters) == ("paired", "one-rater")
    assert "whether others would say the same cannot be tested" in " ".join(result.view().sentences)


def test_positions_are_not_raters():
    table = draw(raters=3)
    table[:, ::2, 2] = np.nan
    scores = judged(table, raters=("rater1", "rater2", "rater3")).human("meaning")
    assert explain_unusable(scores) == "positions"
    assert compare(scores).test == "paired"
    with pytest.raises(InputError, match="positions on a line, not people"):
        compare(scores, test="satterthwaite")


def test_a_system_that_nobody_judged_is_not_ranked():
    table = draw()
    table[2] = np.nan
    result = compare(judged(table).human("meaning"))
    assert [r.system for r in result.ranking] == ["A", "B", "C"]
    assert result.ranking[-1].bands == ""


def test_lower_may_be_better():
    from assay.data.scale import Scale

    data = judged(draw()).with_scales({"meaning": Scale(best="low")})
    result = compare(data.human("meaning"))
    assert result.ranking[-1].system == "A"


def test_a_margin_moves_the_ratings_too():
    scores = judged(draw(lean=0.0)).human("meaning")
    moved = add_margin(scores, "A", 1.0)
    assert compare(moved).pair("A", "B").difference == pytest.approx(
        compare(scores).pair("A", "B").difference - 1, abs=1e-9
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"raters": "all"}, "raters must be one of new, these"),
        ({"raters": "these", "test": "wilcoxon"}, "does not ask which raters are meant"),
    ],
)
def test_bad_requests(options, message):
    with pytest.raises(InputError, match=message):
        compare(judged(draw()).human("meaning"), **options)
