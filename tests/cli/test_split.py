"""assay split: a line out for each line in, records, sentences, evaluation, and what it refuses."""

from __future__ import annotations

import io
import json
import sys

import pytest

from assay.cli.main import main

WORDS = ["Prüfungsprogramm", "", "vielleicht", "x1", "🙂", "Sklavenmoral"]


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS) + "\n", "utf-8")
    return path


def test_a_line_for_each_line(words, capsys):
    assert main(["split", str(words), "--language", "de"]) == 0
    assert capsys.readouterr().out.split("\n") == [
        "Prüfungs|programm",
        "",
        "vielleicht",
        "x1",
        "🙂",
        "Sklaven|moral",
        "",
    ]


def test_standard_input_and_sentences(capsys, monkeypatch):
    text = 'Das "Prüfungsprogramm", vielleicht.\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
    assert main(["split", "-", "--language", "de", "--running"]) == 0
    assert capsys.readouterr().out == 'Das "Prüfungs|programm", vielleicht.\n'


def test_records_have_spans_parts_scores_and_source(words, capsys):
    assert main(["split", str(words), "--language", "de", "--json", "--n", "2"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    first = records[0]
    assert (first["kind"], first["line"], first["rank"], first["split"]) == ("split", 1, 1, "Prüfungs|programm")
    assert first["parts"][0]["link"] == "s"
    assert first["source"] == "dynamic"
    assert {r["line"] for r in records} == {1, 2, 3, 4, 5, 6}


def test_evaluation_prints_the_figures(tmp_path, capsys):
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"word": "Sklavenmoral", "split": "Sklaven|moral"}\n{"word": "Freitag", "split": "Freitag"}\n')
    assert main(["split", str(gold), "--language", "de", "--evaluate", "--resamples", "20"]) == 0
    out = capsys.readouterr().out
    assert "100.0% of 2 words are split as in the gold" in " ".join(out.split())
    assert "Never splitting gets 50.0%" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to split"),
        (["{words}"], "--language is missing"),
        (["{words}", "--language", "xx"], "unknown language 'xx'"),
        (["{words}", "--language", "de", "--n", "3"], "--json is needed"),
        (["{words}", "--language", "de", "--evaluate"], "not a JSON object"),
        (["{words}", "--language", "de", "--lexicon", "{words}"], "not a sound lexicon"),
        (["none.txt", "--language", "de"], "no such file"),
        (["build"], "--language is missing"),
    ],
)
def test_refusals_are_one_line(words, capsys, arguments, message):
    assert main(["split", *(a.format(words=words) for a in arguments)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_lexicon_of_own_words(tmp_path, capsys):
    own = tmp_path / "own.txt"
    own.write_text("나무\n집\n학교\n", "utf-8")
    out = tmp_path / "ko.lex"
    assert main(["split", "build", "--language", "ko", "--words", str(own), "--out", str(out)]) == 0
    assert "Korean" in capsys.readouterr().out
    words = tmp_path / "w.txt"
    words.write_text("나무학교\n", "utf-8")
    assert main(["split", str(words), "--language", "ko", "--lexicon", str(out), "--force"]) == 0
    assert capsys.readouterr().out == "나무|학교\n"
