"""New studies: what is taken over, and what is refused."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.study.creation import invite
from assay.study.settings import RatingScale
from assay.study.store import RATERS


def test_judgments_of_the_set_are_left_out(make_study, judged):
    folder = make_study(judged)
    assert folder.texts().dimensions == ()


def test_the_reference_may_be_judged_as_well(make_study, three_systems):
    folder = make_study(three_systems, "rank", include_references=True)
    assert "reference" in folder.texts().systems


def test_invited_raters_have_names_of_their_own(make_study, three_systems):
    folder = make_study(three_systems, invitations=["ann", "bob"])
    assert [row["code"] for row in folder.database().rows(RATERS)] == ["ann", "bob"]
    with pytest.raises(InputError, match="name of their own"):
        invite(folder.database(), ["ann"])


def test_known_answers_are_needed(make_study, three_systems):
    with pytest.raises(InputError, match="no judgments"):
        make_study(three_systems, qualification=three_systems)


def test_scales_of_a_protocol_without_a_choice_are_refused(make_study, three_systems):
    with pytest.raises(InputError, match="leave out --dimensions"):
        make_study(three_systems, "rank", dimensions=(RatingScale(name="x"),))


def test_ids_with_spaces_and_slashes_are_no_matter(make_study):
    items = [assay.Item("../a b/ c", outputs={"A/B": "x", "C D": "y"}, sources=("<b>s</b>",))]
    assert make_study(assay.EvalSet(items)).texts().items == ("../a b/ c",)
