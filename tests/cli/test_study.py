"""`assay study` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli.main import main

SET = Path(__file__).parent.parent / "three-systems.jsonl"


def run(*words):
    return main(["study", *map(str, words)])


def test_a_study_is_made_and_its_design_printed(tmp_path, capsys):
    folder = tmp_path / "study"
    new = ("new", SET, "--dimensions", "meaning,grammar", "--scale", "1-3", "--scale", "grammar=1-5; best=low")
    assert run(*new, "--assignment", "latin-square", "--places", 6, "--repeat", 0.1, "--out", folder) == 0
    assert "each of 30 outputs gets 2 ratings" in capsys.readouterr().out
    settings = json.loads((folder / "study.json").read_text())
    assert [d["name"] for d in settings["dimensions"]] == ["meaning", "grammar"]
    assert settings["dimensions"][1]["best"] == "low"
    assert run("design", folder, "--places", 9, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["ratings_most"] == 3
    assert run("status", folder) == 0
    assert "0 of 6 raters completed" in capsys.readouterr().out
    assert run("replay", folder) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["new", SET, "--protocol", "rat", "--out", "X"], "did you mean 'rate'?"),
        (["new", SET, "--protocol", "rate(hide=true)", "--out", "X"], "unknown parameter of rate 'hide'"),
        (["new", SET, "--protocol", "factoids", "--out", "X"], "lists no content units"),
        (["new", SET, "--scale", "good to bad", "--out", "X"], "write its ends first"),
        (["new", SET, "--protocol", "rank", "--dimensions", "a", "--out", "X"], "leave out --dimensions"),
        (["new", SET, "--database", "mysql://x/y", "--out", "X"], "SQLite or PostgreSQL"),
        (["new", SET, "--instructions", "none.md", "--out", "X"], "none.md"),
        (["new", SET, "--qualification", SET, "--out", "X"], "they are the known answers"),
        (["serve", "X"], "holds no study"),
        (["export", "X", "--out", "Y.jsonl"], "holds no study"),
        (["export"], "required"),
        (["nothing"], "invalid choice"),
        (["serve"], "required"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    assert run(*words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("sentences", "items"), [("only", ["a.1", "a.2", "b"]), ("too", ["a", "a.1", "a.2", "b"])])
def test_sources_are_shortened_sentence_by_sentence(tmp_path, capsys, sentences, items):
    lines = [
        {"id": "a", "source": "It rained all day. The streets were wet."},
        {"id": "b", "source": "He slept all day."},
    ]
    (tmp_path / "set.jsonl").write_text("\n".join(map(json.dumps, lines)))
    new = ("new", tmp_path / "set.jsonl", "--protocol", "shorten", "--sentences", sentences)
    assert run(*new, "--out", tmp_path / "study") == 0
    texts = [json.loads(line)["id"] for line in (tmp_path / "study" / "set.jsonl").read_text().splitlines()]
    assert texts == items
    assert run("new", SET, "--sentences", "only", "--out", tmp_path / "other") == 2
    assert "--sentences is for shortening" in capsys.readouterr().err


def test_nothing_is_exported_before_somebody_answered(tmp_path, capsys):
    assert run("new", SET, "--out", tmp_path / "study") == 0
    assert run("export", tmp_path / "study", "--out", tmp_path / "out.jsonl") == 2
    assert "no one has answered yet" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("name", ["set.jsonl", "study.db", "secret"])
def test_an_export_does_not_overwrite_the_study(tmp_path, capsys, name):
    assert run("new", SET, "--out", tmp_path / "study") == 0
    before = (tmp_path / "study" / name).read_bytes()
    assert run("export", tmp_path / "study", "--out", tmp_path / "study" / name) == 2
    assert "is a file of the study itself" in capsys.readouterr().err
    assert (tmp_path / "study" / name).read_bytes() == before


def test_the_command_alone_says_what_to_give(capsys):
    assert run() == 2
    assert "required" in capsys.readouterr().err
