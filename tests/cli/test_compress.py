"""`assay compress`: one line out for each line in."""

from __future__ import annotations

import io
import json
import sys

import pytest

import assay
from assay.cli.main import main
from assay.systems.compress import COMPRESSORS

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
    assert (
        "line 1: longer than the limit of 3 words: identity deletes nothing, the text has 10 (2 of 5 texts have notes; "
        in err
    )


def test_list_names_every_system(capsys):
    assert main(["compress", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMPRESSORS.names)
    assert main(["compress", "--list", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(COMPRESSORS.names)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.txt", "--ratio", "0"], "ratio must be above 0 and at most 1"),
        (["in.txt", "--ratio", "1.5"], "ratio must be above 0 and at most 1"),
        (["in.txt", "--words", "3", "--chars", "9"], "give one of ratio, words and chars"),
        (["in.txt", "--system", "leed"], "unknown compressor 'leed'; did you mean 'lead'?"),
        (["in.txt", "--system", "lead", "--keep", "x"], "does not keep or drop words by pattern"),
        (["in.txt", "--keep", "("], "is not a regular expression"),
        (["in.txt", "--system", "lead", "--model", "m.npz"], "lead has no model to set with --model"),
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


SET = [("a", "The cat sat on the old mat near the door."), ("b", "Dogs bark at night, said Ann.")]


def written(folder, name):
    """The two sources in a file of this format."""
    data = assay.EvalSet([assay.Item(i, outputs={"x": "cat"}, sources=(text,)) for i, text in SET])
    assay.write(data, folder / name)
    return str(folder / name)


@pytest.mark.parametrize("name", ["s.jsonl", "s.json", "s.csv", "s.tsv", "s.csv.gz", "s.parquet", "folder"])
@pytest.mark.parametrize("target", ["o.jsonl.gz", "o.csv", "o.tsv.gz", "o.parquet"])
def test_every_format_in_and_out(name, target, tmp_path, capsys):
    if name == "folder":
        data = assay.EvalSet([assay.Item(i, outputs={"x": "cat"}, sources=(text,)) for i, text in SET])
        assay.write(data, tmp_path / name, format="tables")
        path = str(tmp_path / name)
    else:
        path = written(tmp_path, name)
    out = str(tmp_path / target)
    assert main(["compress", path, "--system", "lead", "--words", "3", "--out", out]) == 0
    data = assay.read(out)
    assert [(i.id, i.sources, dict(i.outputs)) for i in data] == [
        ("a", (SET[0][1],), {"x": "cat", "lead": "The cat sat."}),
        ("b", (SET[1][1],), {"x": "cat", "lead": "Dogs bark at."}),
    ]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("header", ["id,text", "item,source", "doc_id,src", "id,sentence"])
def test_a_table_of_sources_alone(header, tmp_path, capsys):
    (tmp_path / "s.csv").write_text(f"{header}\n" + "".join(f'{i},"{text}"\n' for i, text in SET))
    assert main(["compress", str(tmp_path / "s.csv"), "--system", "lead", "--words", "3"]) == 0
    assert capsys.readouterr().out == "The cat sat.\nDogs bark at.\n"
    assert main(["compress", str(tmp_path / "s.csv"), "--system", "lead", "--words", "3", "--json"]) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["a", "b"]


def test_texts_alone_go_to_a_txt(tmp_path, capsys):
    out = tmp_path / "short.txt"
    assert (
        main(["compress", written(tmp_path, "s.parquet"), "--system", "lead", "--words", "3", "--out", str(out)]) == 0
    )
    assert out.read_text() == "The cat sat.\nDogs bark at.\n"
    assert capsys.readouterr().out == ""


def stdin(monkeypatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))


def test_standard_input_is_lines_or_json_lines(monkeypatch, capsys):
    stdin(monkeypatch, b"{well} one two three\n\nA B C D\n")
    assert main(["compress", "-", "--system", "lead", "--words", "2"]) == 0
    assert capsys.readouterr().out == "{well} one\n\nA B\n"
    stdin(monkeypatch, b'{"id": 7, "text": "A B C D", "more": [1]}\n')
    assert main(["compress", "-", "--system", "lead", "--words", "2"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["id"], record["outputs"], record["more"]) == (7, {"lead": "A B"}, [1])
    stdin(monkeypatch, b"")
    assert main(["compress", "-", "--system", "lead", "--words", "2"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("s.foo", [], "s.foo:2: item '1' has no source; the columns are 'item', 'system', 'text', 'reference'"),
        ("s", [], "use --input-format lines"),
        ("s.csv", [], "s.csv:2: item '1' has no source; the columns are 'item', 'system', 'text', 'reference'"),
        ("s.csv", ["--input-format", "xml"], "unknown format 'xml'"),
        ("two.csv", [], "two.csv:2: item 'a' has 2 sources, and a compressor takes one"),
        ("s.txt", ["--out", "s.txt"], "is the same file as the input"),
        ("s.txt", ["--out", "link.txt"], "is the same file as the input"),
        ("s.txt", ["--out", "o.foo"], "o.foo: the name does not tell what to write"),
        ("named.jsonl", ["--out", "o.jsonl"], "has an output of system 'lead' already; give the new one another name"),
    ],
)
def test_what_cannot_be_read_or_written_is_said(name, arguments, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = "item,system,text,reference\n1,A,a b,c\n"
    for plain in ("s.foo", "s", "s.csv", "s.txt"):
        (tmp_path / plain).write_text(table)
    (tmp_path / "two.csv").write_text("item,source\na,b c\na,d e\n")
    (tmp_path / "link.txt").symlink_to("s.txt")
    (tmp_path / "named.jsonl").write_text('{"id": "1", "source": "a b", "outputs": {"lead": "a"}}\n')
    before = sorted((file.name, file.read_bytes()) for file in tmp_path.iterdir())
    assert main(["compress", name, "--system", "lead", *arguments]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)
    assert sorted((file.name, file.read_bytes()) for file in tmp_path.iterdir()) == before


def test_format_lines_takes_any_file(tmp_path, capsys):
    log = tmp_path / "log.7"
    log.write_text("one two three\nfour five six\n")
    assert main(["compress", str(log), "--input-format", "lines", "--system", "lead", "--words", "2"]) == 0
    assert capsys.readouterr().out == "one two\nfour five\n"


LONGER = [
    "The mayor of the small town said on Monday that the old bridge near the harbour would be closed for two years.",
    "Ann Miller, who had lived in Rome since 1999, sold her house and moved to a village in the north of Wales.",
    "After a long debate the council voted to build a new school, although several members were against the plan.",
]


def test_average_ratio_of_a_file_and_of_a_pipe(tmp_path, capsys, monkeypatch):
    text = "\n".join([LONGER[0], "", *LONGER[1:]]) + "\n"
    (tmp_path / "in.txt").write_text(text)
    assert main(["compress", str(tmp_path / "in.txt"), "--average-ratio", "0.7", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert 0.45 < sum(row["token_rate"] or 0 for row in rows) / len(LONGER) <= 0.7
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["compress", "-", "--average-ratio", "0.7"]) == 0
    assert capsys.readouterr().out.splitlines() == [row["text"] for row in rows]


def test_average_ratio_says_when_it_cannot_be_reached(tmp_path, capsys):
    (tmp_path / "in.txt").write_text("Dogs bark.\n")
    assert main(["compress", str(tmp_path / "in.txt"), "--average-ratio", "0.5"]) == 0
    assert "0.5 cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--average-ratio", "0"], "above 0 and at most 1"),
        (["--average-ratio", "0.5", "--ratio", "0.5"], "give no ratio, words or chars"),
        (["--average-ratio", "0.5", "--system", "lead"], "lead has no threshold"),
        (["--average-ratio", "0.5", "--engine", "threads", "--out", "x"], "one file without --engine"),
    ],
)
def test_average_ratio_is_checked(file, capsys, options, message):
    assert main(["compress", str(file), *options]) == 2
    assert message in capsys.readouterr().err
