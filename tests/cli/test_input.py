"""Files as people have them: each is read as the manifest of tests/wild says, by every command that can use it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from assay.cli._input import open_input
from assay.cli.main import load, main, make_parser

WILD = Path(__file__).parents[1] / "wild"
CASES: list[dict[str, Any]] = json.loads((WILD / "manifest.json").read_text("utf-8"))


def name_of(case: dict[str, Any]) -> str:
    return " ".join([*case.get("arguments", [case["file"]]), *([case["judgments"]] if "judgments" in case else [])])


def arguments_of(case: dict[str, Any]) -> list[str]:
    words = case.get("arguments", [case["file"]])
    if "columns" in case:
        words = [*words, "--columns", case["columns"]]
    return [*words, "--judgments", case["judgments"]] if "judgments" in case else words


def parse(command: str, words: list[str]) -> argparse.Namespace:
    return make_parser(command, load(command)).parse_args(words)


@pytest.fixture(autouse=True)
def in_the_folder(monkeypatch):
    monkeypatch.chdir(WILD)


every_case = pytest.mark.parametrize("case", CASES, ids=name_of)


def test_there_are_more_than_forty_files_and_all_are_used():
    files = {file.name for file in WILD.iterdir()} - {"manifest.json"}
    named = {word for case in CASES for word in (case["file"], case.get("judgments"), *case.get("arguments", ()))}
    assert len(files) >= 40
    assert files <= named


@every_case
def test_each_is_read_as_the_manifest_says(case):
    data = open_input(parse("meta", arguments_of(case))).read()
    assert (len(data), len(data.systems)) == (case["items"], case["systems"])
    assert {len(item.references) for item in data} == {case["references"]}
    assert {len(item.sources) for item in data} == {case.get("sources", 0)}
    assert list(data.dimensions) == case.get("dimensions", [])
    assert len(data.raters) == case.get("raters", 0)
    assert list(data.systems) == case.get("names", list(data.systems))
    assert list(data.items[:2]) == case.get("ids", list(data.items[:2]))
    assert next(iter(data)).outputs[data.systems[0]] == case.get("first", next(iter(data)).outputs[data.systems[0]])
    if case.get("dimensions"):
        assert all(item.judgments for item in data)


@every_case
def test_each_is_scored_and_its_judgments_are_used(case, capsys):
    words = arguments_of(case)
    plain = words[: words.index("--judgments")] if "judgments" in case else words
    if case["references"]:
        assert main(["score", *plain, "-m", "rouge1"]) == 0, capsys.readouterr().err
        assert "rouge1" in capsys.readouterr().out
    if case.get("dimensions") and "arguments" not in case:
        assert main(["agree", *words, "--resamples", "0"]) == 0, capsys.readouterr().err
        assert case["dimensions"][0] in capsys.readouterr().out
    if case.get("dimensions") and case["references"]:
        assert main(["meta", *words, "-m", "rouge1", "--resamples", "10", "--quiet"]) == 0, capsys.readouterr().err
        assert "rouge1" in capsys.readouterr().out


def test_what_was_recognized_is_said_in_one_line(capsys):
    assert main(["score", "predictions.csv", "-m", "rouge1"]) == 0
    assert capsys.readouterr().err == (
        "assay: read 4 items, 1 system: output = prediction, reference = highlights, source = article\n"
    )
    assert main(["score", "predictions.csv", "-m", "rouge1", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


JOINED = [
    (["bart.txt", "predictions.csv", "--refs", "ref.txt"], ["bart", "predictions"]),
    (["hf.jsonl", "nested.jsonl", "--refs", "ref.txt"], ["hf", "nested"]),
    (["ref.txt", "-i", "predictions.csv"], ["predictions"]),
    (["--outputs", "a=predictions.csv", "--refs", "ref.txt"], ["a"]),
    (["bart.txt", "t5.txt", "--refs", "predictions.csv", "--columns", "reference=highlights"], ["bart", "t5"]),
    (["bart.txt", "--refs", "ref.txt", "--source", "predictions.csv"], ["bart"]),
]


@pytest.mark.parametrize(("words", "systems"), JOINED, ids=lambda case: " ".join(case))
def test_the_lines_of_a_table_are_not_scored_as_texts(words, systems):
    """The lines of a JSON or CSV file were once compared with references, and the ranking turned round."""
    data = open_input(parse("score", words)).read()
    table = open_input(parse("score", ["predictions.csv"])).read()
    assert list(data.systems) == systems
    assert [[r.text for r in item.references] for item in data] == [[r.text for r in item.references] for item in table]
    if "predictions" in systems:
        assert [item.outputs["predictions"] for item in data] == [item.outputs["predictions"] for item in table]
    if "--source" in words:
        assert [item.sources for item in data] == [item.sources for item in table]


def test_other_references_are_refused(capsys):
    assert main(["score", "hf.jsonl", "nested.jsonl", "--refs", "ref2.txt"]) == 2
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert "hf.jsonl and ref2.txt have other references" in message


def test_lines_can_be_forced(tmp_path, capsys):
    for name, text in (("a.csv", "the cat, sat\na dog\n"), ("b.csv", "the cat\na dog, ran\n")):
        (tmp_path / name).write_text(text)
    words = [str(tmp_path / "a.csv"), "--refs", str(tmp_path / "b.csv"), "--input-format", "lines", "-m", "rouge1"]
    assert main(["score", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["n"] == 2


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_score_joins_files_of_the_same_items_and_takes_others_for_parts(ending: str, tmp_path: Path, capsys) -> None:
    def write(name: str, ids: str, reference: str) -> str:
        rows = [{"id": i, "reference": f"{reference} {i}", "prediction": f"{name} {i}"} for i in ids]
        path = tmp_path / f"{name}.{ending}"
        if ending == "csv":
            lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
        else:
            lines = [json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    old, new = write("old", "abc", "a text"), write("new", "cba", "a text")
    other, part = write("other", "abc", "quite another"), write("part", "def", "a text")
    assert main(["score", old, new, "-m", "chrf", "--quiet"]) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[2:4]] == ["3", "3"]
    assert main(["score", old, other, "-m", "chrf"]) == 2
    assert "have other references for 3 of 3 items" in capsys.readouterr().err
    assert main(["score", old, part, "-m", "chrf", "--quiet"]) == 0
