"""assay example: lists the sets, writes them whole, and never over something else."""

from __future__ import annotations

import json
import shlex
from importlib.resources import files

import pytest

import assay
from assay.cli.example import _read_contents
from assay.cli.main import main

NAMES = [example.name for example in _read_contents()]


def test_every_set_is_listed_and_every_file_is_in_a_set(capsys):
    assert main(["example"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in NAMES)
    present = {entry.name for entry in (files("assay") / "examples").iterdir()} - {"contents.json", "__pycache__"}
    assert {example.file for example in _read_contents()} == present


@pytest.mark.parametrize("example", _read_contents(), ids=lambda example: example.name)
def test_what_is_written_is_what_its_command_reads(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["example", example.name]) == 0
    assert f"Wrote {example.file}" in capsys.readouterr().out
    assert main([*shlex.split(example.command)[1:], "--quiet"]) == 0


def test_the_folder_of_lines_holds_the_texts_of_the_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["example", "compressions", "--out", "a.jsonl"]) == main(["example", "lines"]) == 0
    whole, lines = assay.read("a.jsonl"), assay.read("lines")
    assert [(i.id, i.sources, dict(i.outputs)) for i in whole] == [(i.id, i.sources, dict(i.outputs)) for i in lines]
    assert [[r.text for r in i.references] for i in whole] == [[r.text for r in i.references] for i in lines]


def test_nothing_else_is_overwritten(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sentences.txt").write_text("mine\n")
    assert main(["example", "sentences"]) == 2
    assert capsys.readouterr().err == (
        "assay: sentences.txt is there and holds something else: give another name with --out\n"
    )
    assert (tmp_path / "sentences.txt").read_text() == "mine\n"
    assert main(["example", "pairs", "--json"]) == main(["example", "pairs"]) == 0  # the same again is no harm
    assert json.loads(capsys.readouterr().out.splitlines()[0])["path"] == "pairs.tsv"
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines" / "mine.txt").write_text("mine\n")
    assert main(["example", "lines"]) == 2
    assert "the folder is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compression"], "unknown example set 'compression'; did you mean 'compressions'?"),
        (["--out", "x"], "--out needs the name of an example set"),
        (["lines", "--out", "no/such/folder"], "the folder to write into does not exist"),
    ],
)
def test_errors(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["example", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
