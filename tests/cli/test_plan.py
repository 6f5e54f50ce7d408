"""`assay plan` as a person meets it."""

from __future__ import annotations

import json

from assay.cli.main import main


def run(capsys, *arguments):
    code = main(["plan", *map(str, arguments)])
    out = capsys.readouterr()
    return code, out.out, out.err.strip()


LIKE = ("--like", "summeval-expert", "-d", "coherence")


def test_a_difference_a_budget_and_components(capsys):
    code, out, _ = run(capsys, *LIKE, "--difference", "0.5")
    assert code == 0
    assert out.startswith("136 judgments find a difference of 0.500 in coherence with power 0.8: 68 items x 2 systems")
    assert run(capsys, *LIKE, "--budget", "2000")[1].startswith("2,000 judgments find a difference of 0.21")
    assert "system x rater" in run(capsys, *LIKE, "--components")[1]


def test_a_pilot(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["example", "compressions"])
    code, out, err = run(capsys, "compressions.jsonl", "-d", "meaning", "--difference", "1", "--json")
    assert code == 0, err
    records = [json.loads(line) for line in out.splitlines()[1:] if line.startswith("{")]
    assert records[0]["kind"] == "power_plan"
    assert any(record["kind"] == "design" for record in records)


def test_a_simulation(capsys):
    options = ("--difference", "1", "--simulate", "--item-count", "30", "--rater-count", "8", "--simulations", "50")
    code, out, _ = run(capsys, *LIKE, *options)
    assert code == 0
    assert out.startswith("The study finds a difference of 1.000 in coherence in")


def test_errors_are_one_line(capsys):
    for arguments, message in (
        (LIKE, "give either the difference to find (--difference) or the number of judgments (--budget)"),
        (("--difference", "1"), "give a pilot, or --like STUDY to plan without one"),
        ((*LIKE, "--difference", "9"), "a difference of 9 is larger than the scale of coherence (1 to 5)"),
        ((*LIKE, "--difference", "1", "--power", "1"), "--power must be above 0 and below 1; got 1"),
        (("--like", "summeval-expret", "--difference", "1"), "unknown study 'summeval-expret'; did you mean"),
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert message in err
        assert "\n" not in err


def test_judgments_that_validate_a_metric(capsys):
    code, out, _ = run(capsys, *LIKE, "--validate", "0.6", "--width", "0.1")
    assert code == 0
    assert out.startswith("419 judgments tell a correlation of 0.60 with coherence to within 0.10")


def test_items_and_references_that_a_metric_needs(capsys, tmp_path):
    assert main(["example", "compressions", "--out", str(tmp_path / "set.jsonl")]) == 0
    capsys.readouterr()
    code, out, _ = run(capsys, str(tmp_path / "set.jsonl"), "-d", "meaning", "-m", "rouge2")
    assert code == 0
    assert "rouge2 correlates with meaning at r = " in out


def test_seconds_of_a_study_that_nobody_answered(capsys, tmp_path):
    assert main(["example", "compressions", "--out", str(tmp_path / "set.jsonl")]) == 0
    assert main(["study", "new", str(tmp_path / "set.jsonl"), "--out", str(tmp_path / "study")]) == 0
    capsys.readouterr()
    code, _, err = run(capsys, *LIKE, "--difference", "0.9", "--seconds-from", str(tmp_path / "study"))
    assert code == 2
    assert "no one has answered yet, so it is not known how long a judgment takes" in err
