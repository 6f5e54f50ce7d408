"""`assay probe` on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import assay
from assay.cli.main import main

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set


def run(capsys, *arguments) -> tuple[int, str, str]:
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("probe") / "judged.jsonl"
    assay.write(made_set(people=True), path)
    return path


def test_probe(file, capsys, tmp_path):
    arguments = (
        "probe",
        file,
        "-m",
        "rouge1",
        "--against",
        "ter",
        "--items",
        "2",
        "--words",
        "20",
        "--population",
        "20",
    )
    code, out, err = run(capsys, *arguments, "--out", tmp_path / "spectrum.jsonl", "--extracts", "5")
    assert (code, err) == (0, "")
    assert out.startswith("Extracts optimized for rouge1 reach ")
    assert "Best extract by rouge1" in out
    made = assay.read(tmp_path / "spectrum.jsonl")
    assert len(made) == 2
    assert made.systems == tuple(f"spectrum-{i}" for i in range(1, 6))
    fitness = assay.score(made, "rouge1").values
    assert (fitness[:-1] >= fitness[1:]).all()
    records = [json.loads(line) for line in run(capsys, *arguments, "--json")[1].splitlines()]
    assert [r["kind"] for r in records] == ["probe", "other_metric", "probed_item", "probed_item"]
    assert (records[1]["other"], len(records[2]["extract"].split()) <= 20) == ("ter", True)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-m", "rouge1", "--words", "2"), "no sentence fits into 2 words: the shortest has 7"),
        (("-m", "rouge1", "--words", "0"), "--words must be 1 or more; got 0"),
        (("-m", "rouge1", "--against", "rouge1"), "--against takes other metrics"),
        (("-m", "rouge1", "-m", "bleu"), "one metric is probed at a time"),
        (("-m", "rouge1", "--items", "0"), "--items must be 1 or more; got 0"),
        (("-m", "rouge1", "--population", "2"), "--population must be 4 or more; got 2"),
    ],
)
def test_probe_errors(file, capsys, more, said):
    code, _, err = run(capsys, "probe", file, *more)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
