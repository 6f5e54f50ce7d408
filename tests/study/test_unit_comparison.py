"""What two annotators did, side by side."""

from __future__ import annotations

import pytest
from unit_annotators import annotated_set, bare_set, make_units, mark_peers, units_only

from assay.errors import InputError, UnknownName
from assay.pyramid.unit_agreement import peer_agreement
from assay.study.content import StudyContent
from assay.study.export import list_unit_answers
from assay.study.unit_comparison import compare_annotators, list_annotators


def rename_and_drop(units):
    return [{**units[0], "label": "another label"}, *units[1:-1]]


def test_units_are_paired_by_the_words_they_share(make_study, serve):
    folder = make_study(bare_set(), "pyramid", invitations=["ann", "bob"])
    with serve(folder) as served:
        make_units(served.rater("ann"), served, 1, annotated_set())
        make_units(served.rater("bob"), served, 2, annotated_set(), rename_and_drop)
    content = StudyContent(folder)
    answers = list_unit_answers(content, folder.database())
    item = content.data.items[0]
    assert list_annotators(content, answers) == [{"item": item, "annotators": ["ann", "bob"]}]
    result = compare_annotators(content, answers, item, "ann", "bob")
    assert result["stage"] == "models"
    assert result["pairs"][0] == {"first": "1", "second": "1", "overlap": 1.0}
    assert result["second"]["units"][0]["label"] == "another label"
    assert result["pairs"][-1]["overlap"] < 1
    assert 0.5 < result["measures"]["alpha_masi"] < 1
    assert result["texts"][0]["text"] == content.data[item].references[0].text
    for wrong in (("nothing", "ann", "bob"), (item, "ann", "cat")):
        with pytest.raises((InputError, UnknownName)):
            compare_annotators(content, answers, *wrong)


def test_marks_of_one_pyramid_are_compared_peer_by_peer(make_study, serve):
    data = annotated_set()
    folder = make_study(units_only(), "pyramid", invitations=["ann", "bob"])
    with serve(folder) as served:
        for number, name in ((1, "ann"), (2, "bob")):
            mark_peers(served.rater(name), served, number, data, name)
    content = StudyContent(folder)
    answers = list_unit_answers(content, folder.database())
    result = compare_annotators(content, answers, data.items[0], "ann", "bob")
    expected = peer_agreement(data)
    assert result["stage"] == "peers"
    assert result["measures"]["presence_alpha"] == pytest.approx(expected.presence_alpha)
    assert result["measures"]["score_alpha"] == pytest.approx(expected.score_alpha)
    assert len(result["texts"]) == len(result["scores"]) == 6
    assert any(one["first"] != one["second"] for one in result["scores"])
    with pytest.raises(InputError, match="two annotators"):
        compare_annotators(content, answers, data.items[0], "ann", "ann")
