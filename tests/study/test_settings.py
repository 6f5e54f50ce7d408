"""Scales as they are typed, and what a design refuses."""

from __future__ import annotations

import msgspec
import pytest

from assay.errors import InputError
from assay.study.settings import RatingScale, StudyDesign, StudySettings, check_dimensions, read_scale


def test_a_scale_is_read_as_it_is_typed():
    scale = read_scale("score", "1-5; best=low; 1=best; 5=worst")
    assert (scale.low, scale.high, scale.best) == (1, 5, "low")
    assert scale.labels == {"1": "best", "5": "worst"}
    assert scale.points == (1, 2, 3, 4, 5)
    assert scale.to_scale().lower_is_better


def test_a_slider_takes_every_step_between_its_ends():
    scale = read_scale("quality", "0-100; slider; step=0.5")
    assert scale.accepts(33.5)
    assert not scale.accepts(33.3)
    assert not scale.accepts(100.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one to five", "write its ends first"),
        ("5-1", "low end must be below"),
        ("0-100", "add slider"),
        ("1-5; good", "none of best=high"),
    ],
)
def test_what_is_no_scale_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        read_scale("meaning", text)


@pytest.mark.parametrize("options", [{"raters": 0}, {"repeats": 1.5}, {"per_output": 0}, {"abandoned_after": 0}])
def test_an_impossible_design_is_refused(options):
    with pytest.raises(InputError):
        StudyDesign(**options)


def test_two_dimensions_of_one_name_are_refused():
    with pytest.raises(InputError, match="named twice"):
        check_dimensions((RatingScale(name="a"), RatingScale(name="a")))


def test_labels_may_change_and_the_design_may_not():
    one = StudySettings(id="x", protocol="rate", items=1, texts_sha256="", dimensions=(RatingScale(name="a"),))
    labels = msgspec.structs.replace(one, dimensions=(RatingScale(name="a", labels={"1": "bad"}),))
    design = msgspec.structs.replace(one, design=StudyDesign(assignment="random"))
    assert labels.fixed_part() == one.fixed_part() != design.fixed_part()


def test_a_scale_has_five_points_unless_said_otherwise():
    scale = RatingScale(name="meaning")
    assert (scale.points, scale.best, scale.slider) == ((1, 2, 3, 4, 5), "high", False)
    for wrong in ({"low": 3, "high": 3}, {"step": 0}, {"name": " "}):
        with pytest.raises(InputError):
            RatingScale(**{"name": "meaning", **wrong})
