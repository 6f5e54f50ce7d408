"""What is printed of plans."""

from __future__ import annotations

from dataclasses import replace

from assay.planning.components import read_study
from assay.planning.plan import plan_study
from assay.planning.simulate import SimulatedStudy

COHERENCE = read_study("summeval-expert", "coherence")


def test_components():
    view = COHERENCE.view()
    assert view.headline == (
        "19% of the differences between ratings of coherence are between systems; most of the others are system x item "
        "(32%; 4,800 ratings, 3 raters)."
    )
    assert view.notes[-1].startswith("With 3 raters, system x rater is barely known")
    negative = replace(COHERENCE, negative=("rater",), raters=20)
    assert negative.view().notes[-1] == "The estimates of raters were below 0 and were set to 0."


def test_no_design():
    plan = plan_study(COHERENCE, difference=0.1, raters=(2, 3))
    assert plan.view().headline.startswith("No design tried finds a difference of 0.100 in coherence")


def test_power_is_drawn():
    [chart] = plan_study(COHERENCE, difference=0.5).view().charts
    assert {column.head for column in chart.columns} == {"raters", "items", "power"}


def test_a_simulation_of_two_systems_has_no_false_differences():
    study = SimulatedStudy(
        "meaning", "pilot", "rating", 2, 10, 3, 3, "complete", 0.5, True, True, 100, 0.4, 0.05, 0.4, None, 0
    )
    assert study.view().headline == (
        "The study finds a difference of 0.500 in meaning in 40% of 100 simulations (for new raters)."
    )
    assert len(study.view().tables[0].columns[0].cells) == 2
    assert len(replace(study, systems=3, false=0.04).view().tables[0].columns[0].cells) == 4
