"""`assay describe` as a person meets it."""

from __future__ import annotations

import json

from assay.cli.main import main


def corpus(folder, *, references: bool = True) -> str:
    source = "the big dog ran home today"
    texts = [{"id": "x", "text": "the dog ran home"}, {"id": "y", "text": "the dog ran"}] if references else []
    lines = [{"id": str(k), "group": f"g{k % 2}", "source": source, "references": texts} for k in range(4)]
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(path)


def test_tables(tmp_path, capsys):
    assert main(["describe", corpus(tmp_path), "--by-group"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("4 items in 2 groups. Sources have 6.0 tokens")
    assert "References have 58.3% of the tokens" in out.replace("\n", " ")
    assert "deletion F1" in out
    assert "Groups\n" in out
    assert max(map(len, out.splitlines())) <= 100


def test_json(tmp_path, capsys):
    assert main(["describe", corpus(tmp_path), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["kind"] for r in records] == ["corpus", *["shortening"] * 3, "deletion_agreement"]
    assert records[1]["spans"] == {"1": 8}
    assert records[4]["f1"] == 0.8


def test_without_references(tmp_path, capsys):
    assert main(["describe", corpus(tmp_path, references=False)]) == 2
    err = capsys.readouterr().err
    assert "no item has references" in err
    assert err.count("\n") == 1
