"""`assay align`: two texts, files of pairs, drawings, links made by hand, and what is wrong with bad files."""

from __future__ import annotations

import json
from pathlib import Path

from assay.cli.main import main

PAIRS = Path(__file__).parents[1] / "text" / "data" / "aligned.tsv"


def run(capsys, *arguments):
    code = main(["align", *map(str, arguments)])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_two_texts(capsys):
    code, out, _ = run(capsys, "The mayor stepped down.", "The mayor resigned.")
    assert code == 0
    assert out.startswith(
        "The mayor stepped down .\n1   2     3       3    4\n\n1   2     3        4\nThe mayor resigned .\n"
    )
    row = next(line for line in out.splitlines() if "phrase" in line)
    assert row.split()[:4] == ["3", "stepped", "down", "resigned"]
    assert "·" in run(capsys, "a b", "b c", "--matrix")[1]


def test_json_has_offsets(capsys):
    _, out, _ = run(capsys, "Don't go!", "Do not go.", "--json")
    record = json.loads(out)
    assert record["a"] == [["Do", 0, 2], ["n't", 2, 5], ["go", 6, 8], ["!", 8, 9]]
    assert {"a": 1, "b": 1, "kind": "synonym"}.items() <= record["links"][1].items()


def test_a_file_of_pairs(tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text("a cat\tthe cat\n\n\tno words\nsame\tsame\n", "utf-8")
    _, out, _ = run(capsys, path, "--json")
    assert [json.loads(line)["line"] for line in out.splitlines()] == [1, 3, 4]
    assert "No words of these two texts are aligned." in run(capsys, path)[1]


def test_against_links_made_by_hand(capsys):
    code, out, _ = run(capsys, PAIRS, "--score")
    assert (code, out.splitlines()[0]) == (
        0,
        "The aligner reaches F1 0.907 on 100 pairs; linking equal words reaches 0.744.",
    )


def test_what_is_wrong_is_said(tmp_path, capsys):
    assert run(capsys, "a", "b", "c")[::2] == (
        2,
        "assay: give two texts or one file of pairs; got 3 (are the texts in quotes?)\n",
    )
    assert "there is no such file" in run(capsys, tmp_path / "none.tsv")[2]
    for text, words in (
        ("", "holds no pairs"),
        ("a\tb\n", "holds no pairs"),
        ("one column\n", "1 column(s)"),
        ("x\ty\tz\n", "links are written 0-0"),
        ("x\ty\t3-0\n", "link 3-0 in texts of 1 and 1 words"),
        ("x\ty\n", "no links in a third column"),
    ):
        path = tmp_path / "bad.tsv"
        path.write_text(text, "utf-8")
        code, _, err = run(capsys, path, "--score")
        assert code == 2
        assert words in err
        assert err.count("\n") == 1
