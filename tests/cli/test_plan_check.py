"""From a plan to a study and back: the files that three commands share."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main


@pytest.fixture
def planned(tmp_path, capsys):
    path = tmp_path / "plan.json"
    like = ["plan", "--like", "summeval-expert", "-d", "coherence", "--difference", "0.9", "--system-count", "4"]
    assert main([*like, "--out", str(path)]) == 0
    assert main(["example", "compressions", "--out", str(tmp_path / "set.jsonl")]) == 0
    capsys.readouterr()
    return path


def test_a_study_takes_its_design_from_the_plan(planned, tmp_path, capsys):
    folder = tmp_path / "study"
    assert main(["study", "new", str(tmp_path / "set.jsonl"), "--plan", str(planned), "--out", str(folder)]) == 0
    plan = json.loads(planned.read_text())
    outputs = plan["items"] * plan["systems"]
    assert f"each of {outputs} outputs gets {plan['per_output']} rating" in capsys.readouterr().out
    design = json.loads((folder / "study.json").read_text())["design"]
    assert (design["assignment"], design["raters"], design["whole_items"]) == ("random", plan["raters"], True)


def test_what_does_not_fit_the_plan_is_refused(planned, tmp_path, capsys):
    command = ["study", "new", str(tmp_path / "set.jsonl"), "--plan", str(planned), "--out", str(tmp_path / "study")]
    assert main([*command, "--places", "7"]) == 2
    assert (
        f"plans --places {json.loads(planned.read_text())['raters']}; leave the option out, or make another plan"
        in capsys.readouterr().err
    )
    fields = json.loads(planned.read_text()) | {"items": 500}
    planned.write_text(json.dumps(fields))
    assert main(command) == 2
    assert "the plan is for 500 items; the set has 40" in capsys.readouterr().err


def test_the_check_prints_both_designs(planned, tmp_path, capsys):
    assert main(["plan", "check", str(tmp_path / "set.jsonl"), "--plan", str(planned), "-d", "meaning"]) == 0
    out = capsys.readouterr().out
    assert "The assumptions held: the power of the study" in out
    assert "2  fewer" in next(line for line in out.splitlines() if line.startswith("raters "))


def test_a_plan_is_written_only_of_a_plan(tmp_path, capsys):
    like = ["plan", "--like", "summeval-expert", "-d", "coherence", "--out", str(tmp_path / "plan.json")]
    assert main([*like, "--components"]) == 2
    assert "--out writes a plan" in capsys.readouterr().err
    assert not (tmp_path / "plan.json").exists()
