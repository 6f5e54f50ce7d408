"""`assay lm`: train, score, convert."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main

TEXT = ["The cat sat on the mat .", "A dog sat on the log .", "The dog ran .", "A cat ran to the dog ."]


@pytest.fixture
def model(tmp_path, capsys):
    (tmp_path / "text.txt").write_text("\n".join(TEXT) + "\n")
    assert (
        main(["lm", "train", str(tmp_path / "text.txt"), "--out", str(tmp_path / "m.npz"), "--tokenizer", "space"]) == 0
    )
    assert "4 sentences with 25 words" in " ".join(capsys.readouterr().out.split())
    return tmp_path / "m.npz"


def test_score(model, tmp_path, capsys):
    assert main(["lm", "score", str(tmp_path / "text.txt"), "--model", str(model), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["sentences"], record["words"], record["unknown"]) == (4, 25, 0)
    assert 1 < record["value"] < 10


def test_score_line_by_line(model, tmp_path, capsys):
    (tmp_path / "new.txt").write_text("the cat ran .\n\nzebra\n")
    assert main(["lm", "score", str(tmp_path / "new.txt"), "--model", str(model), "--per-line", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["words"], r["unknown"]) for r in rows] == [(4, 0), (0, 0), (1, 1)]
    assert rows[1]["log_p"] is None


def test_convert_there_and_back(model, tmp_path, capsys):
    arpa = tmp_path / "m.arpa"
    assert main(["lm", "convert", str(model), str(arpa)]) == 0
    assert "14 1-grams" in capsys.readouterr().out
    assert arpa.read_text().startswith("\\data\\\nngram 1=14\n")
    values = []
    for path in (model, arpa):
        main(["lm", "score", str(tmp_path / "text.txt"), "--model", str(path), "--json"])
        values.append(json.loads(capsys.readouterr().out)["value"])
    assert values[0] == pytest.approx(values[1], rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "text.txt"], "train needs --out FILE"),
        (["train", "text.txt", "--out", "m.bin"], "a language model is written as .npz, .arpa or .arpa.gz, not m.bin"),
        (["train", "none.txt", "--out", "m.npz"], "there is no such file"),
        (["train", "text.txt", "--out", "no/where/m.npz"], "the folder to write into does not exist"),
        (["score", "text.txt", "--model", "none.npz"], "no language model none.npz"),
        (["score", "empty.txt"], "has no words to score"),
        (["convert", "m.npz"], "convert needs two files"),
    ],
)
def test_errors_are_one_line(arguments, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("\n".join(TEXT))
    (tmp_path / "empty.txt").write_text("\n")
    assert main(["lm", *arguments]) == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
