"""A plan goes to a file and comes back; what is no plan is refused with the file's name."""

from __future__ import annotations

import json

import pytest

from assay.errors import FormatError, InputError
from assay.planning.components import read_study
from assay.planning.plan import plan_study
from assay.planning.plan_file import choose_design, decode_plan, encode_plan, make_plan_file

PLAN = plan_study(read_study("summeval-expert", "coherence"), difference=0.9, systems=4)


def edit(**changes):
    return json.dumps(json.loads(encode_plan(make_plan_file(PLAN, choose_design(PLAN)))) | changes)


def test_a_plan_comes_back():
    plan = make_plan_file(PLAN, choose_design(PLAN))
    assert decode_plan(encode_plan(plan).decode(), "plan.json") == plan
    assert plan.items == PLAN.designs[0].items
    assert plan.components.system_rater == pytest.approx(PLAN.components.parts.system_rater)


def test_a_budget_plans_the_difference_it_finds():
    budget = plan_study(read_study("summeval-expert", "coherence"), budget=2000)
    design = choose_design(budget)
    assert make_plan_file(budget, design).difference == design.detectable


def test_the_design_can_be_chosen_by_its_raters():
    assert choose_design(PLAN, raters=20).raters == 20
    assert not choose_design(PLAN, new_raters=False).new_raters
    with pytest.raises(InputError, match="no design for new raters has 7 raters; those found have"):
        choose_design(PLAN, raters=7)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "a plan of format 2 is not known"),
        ({"items": 1}, "two items"),
        ({"per_output": 99}, "at least as many raters"),
        ({"difference": 0}, "a difference above 0"),
        ({"variances": {"system": 1}}, "needs the variances of"),
        ({"items": "many"}, "Expected `int`"),
        ({"surprise": 1}, "unknown field"),
    ],
)
def test_what_is_no_plan(changes, message):
    with pytest.raises(FormatError, match=message) as error:
        decode_plan(edit(**changes), "plan.json")
    assert "plan.json: is not a plan that assay plan --out wrote" in str(error.value)


def test_no_json():
    with pytest.raises(FormatError, match=r"plan\.json: is not a plan"):
        decode_plan("items: 3", "plan.json")
