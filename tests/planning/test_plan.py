"""Plans: what they need, what binds, and what is refused."""

from __future__ import annotations

import math

import pytest

from assay.errors import InputError
from assay.planning.components import read_study
from assay.planning.plan import plan_study
from assay.stats.rating_contrasts import ContrastDesign, contrast_power

COHERENCE = read_study("summeval-expert", "coherence")


def test_every_design_reaches_the_power_and_one_item_less_does_not():
    plan = plan_study(COHERENCE, difference=0.5)
    assert plan.designs
    for design in plan.designs:
        for items, reached in ((design.items, True), (design.items - 1, False)):
            shape = ContrastDesign(2, items, design.raters, design.per_output)
            power = contrast_power(0.5, COHERENCE.parts, shape, new_raters=design.new_raters)
            assert (power >= 0.8) == reached
        assert design.judgments == 2 * design.items * design.per_output
        assert design.detectable <= 0.5 + 1e-9


def test_too_few_raters_cannot_be_made_up_for():
    plan = plan_study(COHERENCE, difference=0.5)
    assert plan.fewest_raters == 8
    assert min(d.raters for d in plan.designs if d.new_raters) >= 8
    assert "With fewer than 8 raters no number of items is enough" in plan.view().sentences[1]


def test_a_budget_finds_the_smallest_difference_with_most_raters():
    plan = plan_study(COHERENCE, budget=2000, price=0.1, seconds=36)
    new = [d for d in plan.designs if d.new_raters]
    assert [d.detectable for d in new] == sorted(d.detectable for d in new)
    assert new[0].raters == 50
    assert all(d.judgments <= 2000 for d in plan.designs)
    assert (new[0].cost, new[0].hours) == (pytest.approx(200), pytest.approx(20))
    assert plan.view().headline.startswith(
        "2,000 judgments find a difference of 0.21 (95% CI 0.18 to 0.24) in coherence"
    )


def test_what_binds():
    plan = plan_study(COHERENCE, difference=0.5)
    by_raters = {d.raters: d.binds for d in plan.designs if d.new_raters}
    assert by_raters[50] == "items"
    assert by_raters[8] == "raters"


def test_one_rater_cannot_stand_for_new_ones():
    plan = plan_study(COHERENCE, budget=2000)
    assert all(d.raters > 1 for d in plan.designs if d.new_raters)


def test_a_latin_square_needs_more():
    complete, square = (
        plan_study(COHERENCE, difference=0.5, assignment=a).designs[0].items for a in ("complete", "latin-square")
    )
    assert square > complete


def test_intervals_and_doubtful_levels():
    plan = plan_study(COHERENCE, difference=1.0)
    few = next(d for d in plan.designs if d.new_raters and d.raters == 4)
    assert 0.04 < few.level < 0.09
    assert few.items_low <= few.items <= few.items_high
    assert "should be at least 5" in " ".join(plan.view().notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either the difference to find"),
        ({"difference": 0.5, "budget": 100}, "either the difference to find"),
        ({"difference": 9.0}, "larger than the scale of coherence"),
        ({"difference": 0.5, "power": 1.0}, "never 1"),
        ({"difference": 0.5, "systems": 1}, "at least two systems"),
        ({"budget": 5}, "too few to compare"),
        ({"difference": math.inf}, "must be above 0"),
        ({"difference": 0.5, "assignment": "random"}, "complete or latin-square"),
    ],
)
def test_bad_requests(options, message):
    with pytest.raises(InputError, match=message):
        plan_study(COHERENCE, **options)


def test_the_surface_of_a_budget_holds_its_designs():
    plan = plan_study(COHERENCE, budget=2000)
    points = {(p.raters, p.per_output): p.detectable for p in plan.surface}
    for design in plan.designs:
        if design.new_raters:
            assert points[design.raters, design.per_output] == pytest.approx(design.detectable)
    best = plan.designs[0]
    assert best.detectable == min(points.values())
    assert plan.detectable_low < best.detectable < plan.detectable_high
    titles = [chart.description for chart in plan.view().charts]
    assert titles[-1] == "Smallest difference in coherence that 2,000 judgments find, for new raters"
    assert plan_study(COHERENCE, difference=1.0).surface == ()


@pytest.mark.parametrize(("assignment", "per_item"), [("complete", 1), ("latin-square", 2)])
def test_what_a_budget_buys_gives_every_rater_something_to_judge(assignment, per_item):
    """A rater of a complete design takes all outputs of an item, one of a Latin square takes one."""
    plan = plan_study(COHERENCE, budget=40, assignment=assignment, raters=range(2, 41))
    new = [design for design in plan.designs if design.new_raters]
    for design in new:
        assert design.raters <= design.items * design.per_output * per_item
        assert design.items >= 2
        assert design.judgments <= 40
    assert max(design.raters for design in new) == 20  # from 20 on, every rating of 20 is another rater's
