"""Two annotators make pyramids and mark peers over HTTP; what is exported scores as the annotation they were given."""

from __future__ import annotations

import json

import pytest
from unit_annotators import annotated_set, bare_set, make_units, mark_peers, units_of, units_only

import assay
from assay.cli.main import main
from assay.data.content_units import read_pyramid
from assay.errors import InputError
from assay.pyramid.annotated import score_annotated
from assay.study.annotations import only_annotation, pyramid_protocol
from assay.study.content import StudyContent
from assay.study.replay import replay_log


def drop_last(units):
    return units[:-1]


@pytest.fixture
def two_pyramids(make_study, serve):
    """A study in which ann made the units of the example, and bob all but the last."""
    folder = make_study(bare_set(2), "pyramid", invitations=["ann", "bob"])
    with serve(folder) as served:
        make_units(served.rater("ann"), served, 1, annotated_set(2))
        make_units(served.rater("bob"), served, 2, annotated_set(2), drop_last)
    return folder


def test_a_pyramid_goes_from_the_workbench_to_files_and_back(two_pyramids, tmp_path, capsys):
    assert replay_log(StudyContent(two_pyramids), two_pyramids.database()).is_sound
    assert not replay_log(StudyContent(two_pyramids), two_pyramids.database()).unlike
    both, ann, folder = tmp_path / "both.jsonl", tmp_path / "ann.jsonl", tmp_path / "topics"
    export = ["study", "export", str(two_pyramids.path), "--out"]
    assert main([*export, str(both)]) == 0
    assert "bob made pyramids too: --annotator bob" in capsys.readouterr().out
    item = assay.read(both, allow_missing=True).entries[0]
    assert {name: len(units) for name, units in item.extra["pyramids"].items()} == {
        "ann": len(units_of(annotated_set().entries[0])),
        "bob": len(units_of(annotated_set().entries[0])) - 1,
    }
    assert main([*export, str(ann), "--annotator", "ann"]) == 0
    assert main([*export, str(folder), "--annotator", "ann"]) == 0
    expected = score_annotated(annotated_set(2)).systems
    models = [row for row in expected if row.model]
    for path in (ann, folder):
        again = score_annotated(assay.read(path, allow_missing=True))
        assert sorted(again.systems, key=lambda row: row.system) == sorted(models, key=lambda row: row.system)
    assert {path.suffix for path in folder.iterdir()} == {".pyr"}
    capsys.readouterr()
    assert main([*export, str(tmp_path / "x.pyr")]) == 2
    assert "a topic has one pyramid in DucView's files; give one of ann, bob: --annotator" in capsys.readouterr().err
    assert main([*export, str(tmp_path / "x.jsonl"), "--annotator", "bab"]) == 2
    assert "did you mean 'bob'" in capsys.readouterr().err
    assert not (tmp_path / "x.jsonl").exists()


def test_two_pyramids_are_compared_and_one_of_them_is_marked_or_adjudicated(two_pyramids, tmp_path, capsys):
    for name in ("ann", "bob"):
        words = ["study", "export", str(two_pyramids.path), "--annotator", name]
        words += ["--out", str(tmp_path / f"{name}.jsonl")]
        assert main(words) == 0
    capsys.readouterr()
    assert main(["pyramid", "compare", str(tmp_path / "ann.jsonl"), str(tmp_path / "bob.jsonl"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    assert 0.5 < record["alpha_masi"] < 1
    assert record["topics"] == 2
    for protocol, stage in (("pyramid(exhaustive=true)", "peers"), ("pyramid(models)", "models")):
        words = ["study", "new", str(tmp_path / "ann.jsonl"), "--protocol", protocol, "--out", str(tmp_path / stage)]
        assert main(words) == 0
        assert f"stage={stage}" in capsys.readouterr().out


def test_marks_in_peers_give_the_scores_of_the_example(make_study, serve, tmp_path, capsys):
    folder = make_study(units_only(2), "pyramid(exhaustive=true)", invitations=["ann", "bob"], seed=3)
    data = annotated_set(2)
    with serve(folder) as served:
        for number, name in ((1, "ann"), (2, "bob")):
            mark_peers(served.rater(name), served, number, data, name, complete=True)
        tasks = [task.item for task in served.service.state.rater(1).tasks]
        assert tasks == sorted(tasks, key=tasks.index)  # a topic is finished before the next
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    assert "marks of" in " ".join(capsys.readouterr().out.split())
    judged = assay.read(out, allow_missing=True)
    assert sorted(score_annotated(judged).systems, key=str) == sorted(score_annotated(data).systems, key=str)
    pyramid = read_pyramid(judged.entries[0])
    assert pyramid is not None
    assert all(peer.exhaustive for peer in pyramid.peers)
    assert main(["agree", str(out), "-d", "pyramid"]) == 0
    assert main(["study", "export", str(folder.path), "--out", str(tmp_path / "all")]) == 0
    everybody = score_annotated(assay.read(tmp_path / "all", allow_missing=True)).systems
    assert {row.system: row.modified for row in everybody} == pytest.approx(
        {row.system: row.modified for row in score_annotated(data).systems}
    )
    duc = tmp_path / "duc"
    assert main(["study", "export", str(folder.path), "--out", str(duc), "--annotator", "bob"]) == 0
    again, bob = assay.read(duc, allow_missing=True), assay.read(out, allow_missing=True)
    assert sum(path.suffix == ".pan" for path in duc.iterdir()) == 12
    scores = {row.system: row.modified for row in score_annotated(again).systems if not row.model}
    expected = {
        system: sum(j.score for item in bob for j in item.judgments if (j.system, j.rater) == (system, "bob")) / 2
        for system in scores
    }
    assert scores == pytest.approx(expected)
    capsys.readouterr()


def test_older_marks_are_not_this_studys(make_study, serve, tmp_path, capsys):
    """The set has marks by ann and bob; in the study ann marked one peer otherwise, and bob none."""
    data = annotated_set(2)
    folder = make_study(data, "pyramid", invitations=["ann", "bob"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        task = served.service.state.rater(1).tasks[0]
        rater.answer({"marks": [], "complete": True})
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    assert "in 1 peer by ann." in " ".join(capsys.readouterr().out.split())
    judged = assay.read(out, allow_missing=True)
    marked = [(item.id, p.peer, p.annotator, p.units) for item in judged for p in read_pyramid(item).peers]
    assert marked == [(task.item, task.systems[0], "ann", ())]
    for item, before in zip(judged, data, strict=True):
        assert item.extra["earlier_peers"] == before.extra["peers"]


def test_only_annotation_is_left_for_ducview():
    item = only_annotation(annotated_set().entries[0])
    assert item.judgments == ()
    assert set(item.extra) <= {"units", "peers", "annotator", "ducview"}
    assert only_annotation(units_only().entries[0]).outputs == {}


def test_other_studies_have_no_content_units(make_study, three_systems, tmp_path, capsys):
    folder = make_study(three_systems)
    with pytest.raises(InputError, match="is a study of rate, not of pyramid"):
        pyramid_protocol(StudyContent(folder))
    assert main(["study", "export", str(folder.path), "--out", str(tmp_path / "x.jsonl"), "--annotator", "a"]) == 2
    assert "--annotator needs a study of pyramid" in capsys.readouterr().err
