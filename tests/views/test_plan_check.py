"""What is said of a plan that held, and of one that did not."""

from __future__ import annotations

from assay.planning.check import CheckedComponent, CheckedNumber, PlanCheck
from assay.views.plan_check import view_plan_check


def result(power, held, component_held=True):
    return PlanCheck(
        dimension="meaning",
        new_raters=True,
        difference=0.5,
        planned_power=0.8,
        components_power=power,
        reached_power=power,
        detectable=0.7,
        holds=held,
        seed=0,
        design=(CheckedNumber("items", 100, 60, False), CheckedNumber("raters", 5, 5, True)),
        components=(CheckedComponent("system_rater", 0.1, 0.4, 0.2, 0.9, component_held),),
    )


def test_what_held_is_said_with_the_power():
    headline = view_plan_check(result(0.79, True)).headline
    assert headline == (
        "The assumptions held: the power of the study to find a difference of 0.500 in meaning was 0.79 (planned 0.80)."
    )


def test_what_did_not_hold_is_named():
    view = view_plan_check(result(0.4, False, component_held=False))
    assert "because system x rater is 0.400, planned 0.100; there are fewer items than planned." in view.headline
    assert view.sentences[1] == "With power 0.8 it finds 0.700."
    assert "larger" in str(list(view.tables[1].rows()))


def test_too_few_raters():
    assert "too few raters judged" in view_plan_check(result(float("nan"), False)).headline
