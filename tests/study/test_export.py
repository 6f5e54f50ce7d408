"""What simulated raters answer over HTTP is what the export holds, for every protocol."""

from __future__ import annotations

import assay
from assay.cli.main import main
from assay.study.content import StudyContent
from assay.study.export import export_study
from assay.study.settings import RatingScale

SCALES = (RatingScale(name="meaning", high=3), RatingScale(name="grammar", high=3))


def test_ratings_are_exported_as_they_were_given(make_study, serve, three_systems, tmp_path, capsys):
    folder = make_study(three_systems, "rate(reveal=true)", dimensions=SCALES, invitations=["ann", "bob"])
    expected = {}
    with serve(folder) as served:
        for code in ("ann", "bob"):
            rater = served.rater(code)
            rater.start()
            tasks = served.service.state.rater(1 if code == "ann" else 2).tasks
            while rater.stage == "task":
                task = tasks[rater.screen["task"] - 1]
                ratings = {"meaning": 1 + len(expected) % 3, "grammar": 1 + len(expected) % 2}
                for name, value in ratings.items():
                    expected[task.item, task.systems[0], code, name] = float(value)
                rater.answer({"ratings": ratings})
            rater.do("submitted")
            assert rater.stage == "done"
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    data = assay.read(out)
    assert {(i.id, j.system, j.rater, j.dimension): j.score for i in data for j in i.judgments} == expected
    assert data.scale("meaning").range == (1, 3)
    assert data.scale("meaning").best == "high"
    row = data.entries[0].extra["judgments"][0]
    assert {"id", "kind", "position", "shown", "revealed", "answered", "seconds", "active_seconds"} <= row.keys()
    assert row["kind"] == "human"
    capsys.readouterr()
    assert main(["agree", str(out), "--json"]) == 0
    assert '"dimension": "meaning"' in capsys.readouterr().out


def test_an_anonymous_export_has_no_names_and_no_times(make_study, serve, three_systems):
    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        rater.answer({"ratings": {"meaning": 2, "grammar": 1}})
    content = StudyContent(folder)
    data = export_study(content, folder.database(), anonymize=True)
    rows = [row for item in data for row in item.extra.get("judgments", ())]
    assert {row["rater"] for row in rows} == {"rater1"}
    assert not {"shown", "answered", "id"} & set().union(*rows)
