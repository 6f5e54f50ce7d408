"""`assay report` writes a page and says the answer."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from assay.cli.main import main

EXAMPLE = str(Path(__file__).parents[1] / "three-systems.jsonl")


def report(*arguments: object) -> int:
    return main(["report", *map(str, arguments)])


def test_the_answer_is_printed_and_the_page_written(tmp_path, capsys):
    out = tmp_path / "page.html"
    assert report(EXAMPLE, "-m", "rouge2", "--out", out, "--resamples", 50) == 0
    said = capsys.readouterr().out
    assert said.startswith("editor is the best of 3 systems by rouge2.\nWithout human judgments")
    assert str(out) in said
    assert "<h1>editor is the best of 3 systems" in out.read_text("utf-8")


def test_the_command_on_the_page_makes_the_page_again(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report(EXAMPLE, "-m", "rouge1(stem=true)", "--seed", 3, "--resamples", 50, "--title", "Our <set>")
    first = Path("report.html").read_text("utf-8")
    command = first.split("<code>")[1].split("</code>")[0]
    for coded, plain in (("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&amp;", "&")):
        command = command.replace(coded, plain)
    Path("report.html").unlink()
    assert main(shlex.split(command)[1:]) == 0
    assert Path("report.html").read_text("utf-8") == first


def test_json(tmp_path, capsys):
    report(EXAMPLE, "--out", tmp_path / "page.html", "--json", "--resamples", 50)
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (records[0]["kind"], records[0]["settled"]) == ("verdict", True)
    assert records[-1]["bytes"] == (tmp_path / "page.html").stat().st_size


def test_judgments_alone_are_enough(tmp_path, capsys):
    """Without references and sources there is no metric to score by; people are."""
    rows = [
        {
            "id": str(i),
            "outputs": {"A": "x", "B": "y"},
            "judgments": [
                {"system": s, "rater": r, "dimension": "d", "score": 1 + 3 * (s == "B") + (i + k) % 2}
                for s in "AB"
                for k, r in enumerate(("ann", "bob"))
            ],
        }
        for i in range(12)
    ]
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert report(path, "--out", tmp_path / "page.html", "--resamples", 50) == 0
    assert capsys.readouterr().out.startswith("People rate B significantly better than A for d.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((EXAMPLE, "--dimension", "grammar"), "unknown dimension 'grammar'"),
        ((EXAMPLE, "--resamples", 0), "--resamples must be 1 or more; got 0"),
        ((EXAMPLE, "--text-limit", -1), "--text-limit must be above 0 and at most 10000; got -1"),
        ((EXAMPLE, "--resamples", 20, "--out", "/no/such/folder/x.html"), "the folder to write into does not exist"),
        (("absent.jsonl",), "absent.jsonl"),
    ],
)
def test_bad_input_is_one_line(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert report(*arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
