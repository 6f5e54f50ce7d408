"""assay score: tables, JSON, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.metrics import metric

ITEM = {"id": "1", "references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": "a dog"}}


def write(folder: Path, *items: dict, name: str = "set.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return str(path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_score_table(tmp_path, capsys):
    code, out, err = run(capsys, "score", write(tmp_path, ITEM), "-m", "rouge1", "-m", "bleu")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["system", "rouge1", "bleu", "items"]
    assert [line.split()[0] for line in lines[2:4]] == ["A", "B"]
    assert f"rouge1 = {metric('rouge1').signature()}" in " ".join(out.split())


def test_default_metrics_with_and_without_references(tmp_path, capsys):
    assert run(capsys, "score", write(tmp_path, ITEM))[1].split()[1:5] == ["rouge1", "rouge2", "rougeL", "bleu"]
    item = {"id": "1", "source": "a b c d", "outputs": {"A": "a b"}}
    assert run(capsys, "score", write(tmp_path, item))[1].split()[:3] == ["system", "rate", "items"]


def test_same_metric_twice_gets_numbered(tmp_path, capsys):
    _, out, _ = run(capsys, "score", write(tmp_path, ITEM), "-m", "rouge1", "-m", "rouge1(stem=true)")
    assert out.split()[1:3] == ["rouge1#1", "rouge1#2"]


def test_json_per_system_and_per_item(tmp_path, capsys):
    path = write(tmp_path, ITEM)
    records = [json.loads(line) for line in run(capsys, "score", path, "-m", "rouge1", "--json")[1].splitlines()]
    metric = records[0].pop("metric")
    assert metric.startswith("rouge1(")
    assert records[0] == {"kind": "system_score", "system": "A", "score": pytest.approx(2 / 3), "n": 1}
    records = [
        json.loads(x) for x in run(capsys, "score", path, "-m", "rouge1", "--json", "--per-item")[1].splitlines()
    ]
    assert [r["item"] for r in records] == ["1", "1"]
    assert "item" in run(capsys, "score", path, "-m", "rouge1", "--per-item")[1].splitlines()[0]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_out_is_written_whole(tmp_path, capsys, suffix):
    from assay.formats import read_scores

    out = tmp_path / f"scores.{suffix}"
    assert run(capsys, "score", write(tmp_path, ITEM), "-m", "rouge1", "--per-item", "--out", str(out))[0] == 0
    (scores,) = read_scores(out)
    assert scores.values.ravel().tolist() == pytest.approx([2 / 3, 0.0])


def test_nothing_is_half_written(tmp_path, capsys):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(ITEM) + "\n{broken\n")
    out = tmp_path / "scores.jsonl"
    code, _, err = run(capsys, "score", str(bad), "-m", "rouge1", "--per-item", "--out", str(out))
    assert code == 2
    assert "bad.jsonl:2" in err
    assert err.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.jsonl"]


def test_line_files(tmp_path, capsys):
    for name, text in {
        "a.txt": "the cat\nx\n",
        "b.txt": "cat\nx y\n",
        "r0.txt": "the cat\ny\n",
        "r1.txt": "a cat\nx y\n",
    }.items():
        (tmp_path / name).write_text(text)
    a, b, r0, r1 = (str(tmp_path / n) for n in ("a.txt", "b.txt", "r0.txt", "r1.txt"))
    code, out, _ = run(
        capsys, "score", "--outputs", f"A={a}", "--outputs", f"B={b}", "--refs", r0, r1, "-m", "rouge1(refs=max)"
    )
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()[2:4]} == {"A", "B"}
    (tmp_path / "r1.txt").write_text("a cat\n")
    code, _, err = run(capsys, "score", "--outputs", f"A={a}", "--refs", r0, r1, "-m", "rouge1")
    assert code == 2
    assert "r1.txt" in err
    assert err.count("\n") == 1


def test_empty_outputs_are_counted_in_a_note(tmp_path, capsys):
    item = {**ITEM, "outputs": {"A": "", "B": "cat"}}
    code, _, err = run(capsys, "score", write(tmp_path, item), "-m", "rouge1")
    assert (code, err) == (0, "assay: note: 1 empty outputs were scored as they are\n")
    assert run(capsys, "score", write(tmp_path, item), "-m", "rouge1", "--quiet")[2] == ""


def test_parser_goes_into_the_signature(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path, ITEM)
    code, out, _ = run(capsys, "score", path, "-m", "depeval")
    assert code == 0
    assert "parser=en" in out
    assert (tmp_path / "cache").exists()
    code, _, err = run(
        capsys, "score", path, "-m", "depeval", "-m", "PARSE-2+Recall+MULT-MAX", "--parser", "no_such_model"
    )
    assert code == 2
    assert "no_such_model" in err
    assert err.count("\n") == 1


def test_a_long_table_of_items_is_cut_with_a_note(tmp_path, capsys):
    path = write(tmp_path, *({**ITEM, "id": str(i)} for i in range(2000)))
    code, out, _ = run(capsys, "score", path, "-m", "rouge1", "--per-item")
    assert code == 0
    assert out.count("0.6667") == 501  # of the first 500 items, and the mean
    assert "The first 1,000 of 4,000 rows; --out FILE writes all, --json prints all." in out
    code, out, _ = run(capsys, "score", path, "-m", "rouge1", "--per-item", "--json")
    assert (code, len(out.splitlines())) == (0, 4000)
    short = write(tmp_path, *({**ITEM, "id": str(i)} for i in range(500)), name="short.jsonl")
    assert "The first" not in run(capsys, "score", short, "-m", "rouge1", "--per-item")[1]
