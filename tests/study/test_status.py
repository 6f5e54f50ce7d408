"""The design before anybody rates, and the progress while they do."""

from __future__ import annotations

import assay
from assay.cli.main import main
from assay.study.content import StudyContent
from assay.study.settings import RatingScale
from assay.study.status import describe_design, describe_export, read_progress

SCALES = (RatingScale(name="meaning", high=3),)


def test_clarke_and_lapata_had_a_balanced_latin_square(make_study):
    """40 sentences of two corpora in 3 versions, 60 raters on 3 lists (2006, section 5)."""
    items = [
        assay.Item(f"{n}", outputs={s: f"{s}{n}" for s in ("gold", "tree", "word")}, sources=("s",), group="ab"[n % 2])
        for n in range(40)
    ]
    table = describe_design(make_study(assay.EvalSet(items), assignment="latin-square", raters=60))
    assert (table.places, table.units, table.tasks_fewest, table.tasks_most) == (60, 120, 40, 40)
    assert (table.ratings_fewest, table.ratings_most, table.short) == (20, 20, 0)
    assert (table.unbalanced, table.uneven) == (0, 0)
    assert len(table.lists) == 9
    assert "The design is balanced." in str(table)


def test_raters_who_were_invited_are_counted(make_study, three_systems):
    table = describe_design(make_study(three_systems, invitations=["ann", "bob"]))
    assert (table.places, table.ratings_most) == (2, 2)
    assert "With 2 raters (more may come)" in " ".join(str(table).split())


def test_a_remainder_is_named(make_study, three_systems):
    table = describe_design(make_study(three_systems, assignment="latin-square", raters=4))
    assert table.uneven == 1
    assert "Remainder: lists differ by 1 rater" in str(table)
    random = describe_design(make_study(three_systems, assignment="random", per_output=3, per_rater=7, raters=4))
    assert random.short > 0
    assert "fall short of 3 ratings" in str(random)


def test_more_raters_than_planned_can_be_tried_out(make_study, three_systems):
    folder = make_study(three_systems, assignment="latin-square", raters=3)
    assert describe_design(folder, places=6).ratings_most == 2


def test_no_overlap_is_said(make_study, three_systems):
    table = describe_design(make_study(three_systems, assignment="random", per_output=1, raters=3))
    assert table.pairs_apart == table.rater_pairs == 3
    assert "agreement cannot be computed" in str(table)


def test_progress_is_read_from_the_log(make_study, serve, three_systems):
    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann", "bob"])
    with serve(folder) as served:
        ann = served.rater("ann")
        ann.start()
        for _ in range(3):
            ann.answer({"ratings": {"meaning": 1}})
    progress = read_progress(StudyContent(folder), folder.database())
    assert (progress.rating, progress.complete, progress.answers, progress.version) == (1, 0, 3, 1)
    assert [(r.code, r.stage, r.answered, r.total) for r in progress.raters] == [
        ("ann", "rating", 3, 30),
        ("bob", "invited", 0, 0),
    ]
    assert progress.raters[0].seconds is not None
    assert "1 are rating" in str(progress)


def test_an_export_is_counted(judged):
    export = describe_export(judged, "judged.jsonl")
    assert export.judgments == sum(len(item.judgments) for item in judged)
    assert "Next: assay agree judged.jsonl" in str(export)


def test_raters_whom_nothing_links_are_counted():
    """Ann and Bob share a unit, Bob and Cy another, Dan shares none: two groups."""
    from assay.study.status import _count_groups

    unit = [(str(number), ("A",)) for number in range(5)]
    assert _count_groups([{unit[0]}, {unit[0], unit[1]}, {unit[1], unit[2]}, {unit[4]}]) == 2
    assert _count_groups([{unit[0]}, {unit[1]}, {unit[0], unit[1]}]) == 1


def test_a_design_in_groups_says_so(tmp_path, capsys):
    """Four raters of two items each, every item shown to two: two pairs that share nothing."""
    import json

    from assay.cli.main import main

    rows = [{"id": str(n), "outputs": {"A": f"a {n}", "B": f"b {n}"}} for n in range(2)]
    (tmp_path / "set.jsonl").write_text("\n".join(map(json.dumps, rows)))
    options = ["--assignment", "random", "--whole-items", "--per-output", "2", "--places", "4", "--out"]
    assert main(["study", "new", str(tmp_path / "set.jsonl"), *options, str(tmp_path / "study")]) == 0
    assert "They fall into 2 groups that nothing links" in " ".join(capsys.readouterr().out.split())


def test_a_plan_takes_the_seconds_of_the_log(make_study, serve, three_systems, capsys):
    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"])
    with serve(folder) as served:
        ann = served.rater("ann")
        ann.start()
        for _ in range(3):
            ann.answer({"ratings": {"meaning": 1}})
    seconds = read_progress(StudyContent(folder), folder.database()).seconds
    plan = ["plan", "--like", "summeval-expert", "-d", "coherence", "--difference", "0.9", "--json"]
    assert main([*plan, "--seconds-from", str(folder.path)]) == 0
    of_the_log = capsys.readouterr().out
    assert main([*plan, "--seconds", str(seconds)]) == 0
    assert capsys.readouterr().out == of_the_log
