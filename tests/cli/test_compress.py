"""`assay compress`: one line out for each line in."""

from __future__ import annotations

import json

import pytest

import assay
from assay.cli.main import main
from assay.systems.compress import families

LINES = ["The cat sat on the old mat near the door.", "", "Yes", "...", "Dogs bark at night, said Ann."]


@pytest.fixture
def file(tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(LINES) + "\n")
    return tmp_path / "in.txt"


def test_a_line_for_each_line(file, capsys):
    assert main(["compress", str(file), "--system", "lead", "--words", "3"]) == 0
    assert capsys.readouterr().out.split("\n") == ["The cat sat.", "", "Yes", "...", "Dogs bark at.", ""]


def test_json_lines_have_spans_and_rates(file, capsys):
    assert main(["compress", str(file), "--system", "lead", "--words", "3", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(LINES)
    assert rows[0]["kept"] == [[0, 11], [40, 41]]
    assert (rows[0]["words"], rows[0]["word_rate"], rows[0]["system"]) == (3, 0.3, "lead(ratio=0.5)")
    assert rows[1]["word_rate"] is None


def test_an_evaluation_set_gets_the_outputs(tmp_path, capsys):
    item = {"id": "a", "source": LINES[0], "references": ["The cat sat."], "outputs": {"x": "cat"}, "more": 1}
    (tmp_path / "set.jsonl").write_text(json.dumps(item) + "\n")
    out = tmp_path / "out.jsonl.gz"
    assert main(["compress", str(tmp_path / "set.jsonl"), "--system", "lead", "--words", "3", "--out", str(out)]) == 0
    data = assay.read(out)
    assert data.systems == ("x", "lead")
    assert assay.score(data, "rouge1").values[1, 0] == 1
    assert capsys.readouterr().out == ""


def test_notes_are_counted(file, capsys):
    assert main(["compress", str(file), "--system", "identity", "--words", "3"]) == 0
    err = capsys.readouterr().err
    assert "2 of 5 texts have notes; the first, line 1: 3 words were asked; identity leaves all 10" in err


def test_list_names_every_system(capsys):
    assert main(["compress", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(cls.name in out for cls in families())
    assert main(["compress", "--list", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(families())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.txt", "--ratio", "0"], "ratio must be above 0 and at most 1"),
        (["in.txt", "--ratio", "1.5"], "ratio must be above 0 and at most 1"),
        (["in.txt", "--words", "3", "--chars", "9"], "give one of ratio, words and chars"),
        (["in.txt", "--system", "leed"], "unknown compressor 'leed'; did you mean 'lead'?"),
        (["in.txt", "--system", "lead", "--keep", "x"], "does not keep or drop words by pattern"),
        (["in.txt", "--keep", "("], "is not a regular expression"),
        (["in.txt", "--system", "lead", "--model", "m.npz"], "lead has no model to choose"),
        (["none.txt"], "there is no such file"),
        (["bad.jsonl", "--system", "lead"], "bad.jsonl:2: not one whole JSON object"),
        (["odd.jsonl", "--system", "lead"], 'odd.jsonl:1: an item needs a "source"'),
        ([], "nothing to compress"),
    ],
)
def test_errors_are_one_line(arguments, message, file, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text('{"id": 1, "source": "a b"}\n{"source"\n')
    (tmp_path / "odd.jsonl").write_text('{"id": 1}\n')
    assert main(["compress", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
