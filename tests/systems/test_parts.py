"""A system applied to many files: what one file would give, and done once."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main
from assay.engines.manifest import read_manifest
from assay.engines.run import ThreadsEngine, run_tasks
from assay.errors import FormatError, InputError
from assay.systems.apply import Requirements, build_system
from assay.systems.budget import Budget
from assay.systems.parts import plan_parts

TEXTS = ["The cat sat on the mat in the old house.", "A dog ran over the hill and into the wood.", "It rained all day."]


@pytest.fixture
def files(tmp_path) -> list[str]:
    (tmp_path / "a.txt").write_text("\n".join(TEXTS[:2]) + "\n")
    (tmp_path / "b.jsonl").write_text(json.dumps({"id": "x", "source": TEXTS[2], "outputs": {"other": "Rain."}}) + "\n")
    return [str(tmp_path / "a.txt"), str(tmp_path / "b.jsonl")]


def test_parts_hold_the_items_with_their_outputs(files, tmp_path):
    system = build_system("lead")
    tasks = plan_parts(files, system, Requirements(Budget(words=3)))
    out = tmp_path / "out"
    entries = run_tasks(tasks, str(out), ThreadsEngine())
    lines = [json.loads(line) for entry in entries for line in (out / entry["part"]).read_text().splitlines()]
    assert [line["outputs"]["lead"] for line in lines] == ["The cat sat.", "A dog ran.", "It rained all."]
    assert lines[2]["outputs"]["other"] == "Rain."
    assert [part["rows"] for part in read_manifest(str(out))["parts"]] == [2, 1]
    other = plan_parts(files, system, Requirements(Budget(words=4)))
    assert not {task.key() for task in tasks} & {task.key() for task in other}


def test_the_command(files, tmp_path, capsys):
    command = [
        "compress",
        *files,
        "--system",
        "lead",
        "--words",
        "3",
        "--engine",
        "threads",
        "--out",
        f"{tmp_path}/out",
    ]
    assert main(command) == 0
    assert main(command) == 0
    assert capsys.readouterr().err == "assay: 2 of 2 parts were done before and are kept\n"
    assert main(["compress", *files, "--system", "lead"]) == 2
    assert "several files are worked on with --engine" in capsys.readouterr().err


def test_files_that_cannot_be_worked_on(tmp_path):
    with pytest.raises(FormatError, match="cannot be read here"):
        plan_parts([str(tmp_path / "none.txt")], build_system("lead"), Requirements())
    (tmp_path / "a.md").write_text("text")
    tasks = plan_parts([str(tmp_path / "a.md")], build_system("lead"), Requirements())
    with pytest.raises(InputError, match="the name does not tell the format"):
        run_tasks(tasks, str(tmp_path / "out"), ThreadsEngine())
