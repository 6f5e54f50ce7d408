"""`assay fuse` as a person meets it."""

from __future__ import annotations

import json

import pytest

import assay
from assay.cli.main import main


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["fuse", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_a_line_for_each_cluster_of_each_format(tmp_path, capsys):
    (tmp_path / "a.tsv").write_text("A cat sat.\tA cat sat down today.\tignored\n\t\n")
    assert (
        run(capsys, str(tmp_path / "a.tsv"), "--system", "longer", "--sentence-columns", "2")[1]
        == "A cat sat down today.\n\n"
    )
    (tmp_path / "a.txt").write_text("A cat sat.\nA cat sat down.\n\n\nDogs bark.\n")
    assert run(capsys, str(tmp_path / "a.txt"), "--system", "shorter")[1] == "A cat sat.\nDogs bark.\n"
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "7", "sources": ["A cat.", "One old cat."]}) + "\n")
    record = json.loads(run(capsys, str(tmp_path / "a.jsonl"), "--system", "longer")[1])
    assert record["outputs"] == {"longer": "One old cat."}
    told = json.loads(run(capsys, str(tmp_path / "a.jsonl"), "--system", "longer", "--json")[1])
    assert (told["id"], told["text"], told["pieces"]) == ("7", "One old cat.", [[1, 0, 12]])


def test_out_and_list(tmp_path, capsys):
    (tmp_path / "a.tsv").write_text("A cat sat.\tA cat sat down.\n")
    code, out, _ = run(capsys, str(tmp_path / "a.tsv"), "--system", "longer", "--out", str(tmp_path / "o.txt"))
    assert (code, out) == (0, "")
    assert (tmp_path / "o.txt").read_text() == "A cat sat down.\n"
    assert "joint (default)" in run(capsys, "--list")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to fuse"),
        (["a.tsv", "--sentence-columns", "0"], "--sentence-columns must be 1"),
        (["a.tsv", "--words", "0"], "--words must be 1 or more; got 0"),
        (["a.tsv", "--system", "melt"], "unknown fuser 'melt'"),
        (["a.jsonl"], 'an item needs a "source" (or "text") or "sources"'),
        (["none.tsv"], "none.tsv"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.tsv").write_text("A cat.\tA dog.\n")
    (tmp_path / "a.jsonl").write_text('{"id": "1"}\n')
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_tables_and_sets_hold_clusters(tmp_path, capsys):
    two = ("A cat sat.", "A cat sat down.")
    data = assay.EvalSet([assay.Item("7", outputs={"x": "A cat"}, sources=two)])
    for name in ("a.jsonl", "a.csv", "a.tsv", "a.parquet"):
        assay.write(data, tmp_path / name)
        out = tmp_path / f"out-{name}"
        assert run(capsys, str(tmp_path / name), "--system", "longer", "--out", str(out))[:2] == (0, "")
        assert assay.read(out)["7"] == assay.Item("7", outputs={"x": "A cat", "longer": two[1]}, sources=two)
    (tmp_path / "long.csv").write_text("id,sentence\n1,A cat sat.\n1,A cat sat down.\n2,Dogs bark.\n")
    assert run(capsys, str(tmp_path / "long.csv"), "--system", "longer")[1] == "A cat sat down.\nDogs bark.\n"
    (tmp_path / "long.tsv").write_text("item\tsource\n1\tA cat sat.\n1\tA cat sat down.\n")
    told = json.loads(run(capsys, str(tmp_path / "long.tsv"), "--system", "longer", "--json")[1])
    assert (told["id"], told["sources"]) == ("1", list(two))


def test_pairs_become_a_set(tmp_path, capsys):
    (tmp_path / "a.tsv").write_text("A cat sat.\tA cat sat down.\n")
    assert run(capsys, str(tmp_path / "a.tsv"), "--system", "longer", "--out", str(tmp_path / "o.jsonl"))[0] == 0
    assert assay.read(tmp_path / "o.jsonl")["1"].outputs == {"longer": "A cat sat down."}
