"""assay metrics: the list and the explanations."""

from __future__ import annotations

import json
from pathlib import Path

from assay.cli.main import main

ITEM = {"id": "1", "references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": "a dog"}}


def write(folder: Path, *items: dict, name: str = "set.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return str(path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_metrics_lists_and_explains(capsys):
    out = run(capsys, "metrics", "all")[1]
    assert max(map(len, out.splitlines())) <= 100
    for name in ("rouge2", "bleu", "SKIP-2+Recall+MULT-PROB", "rate"):
        assert name in out
    explained = run(capsys, "metrics", "rouge2")[1]
    for part in ("Lin 2004", "refs:", "0/0 is 0", "signature: rouge2("):
        assert part in explained
    assert all(json.loads(line) for line in run(capsys, "metrics", "--json")[1].splitlines())


def test_the_families_fit_one_screen_and_unfold(capsys):
    out = run(capsys, "metrics")[1]
    assert len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 100
    assert "80 metrics: LR-1+Precision+SINGLE-REF" in out
    grid = run(capsys, "metrics", "grid")[1]
    assert sum("+" in line for line in grid.splitlines()) == 80
    assert "rouge2" in run(capsys, "metrics", "rouge")[1]
    records = [json.loads(line) for line in run(capsys, "metrics", "--json")[1].splitlines()]
    assert {"rouge", "translation", "grid"} <= {record["family"] for record in records}
    assert not [record["name"] for record in records if record["family"] == "other"]


def test_names_of_groups_score_each_of_their_metrics(tmp_path, capsys):
    path = write(tmp_path, ITEM)
    records = [json.loads(line) for line in run(capsys, "score", path, "-m", "rouge(best)", "--json")[1].splitlines()]
    assert {(r["metric"].partition("(")[0], "refs=best" in r["metric"]) for r in records} == {
        ("rouge1", True),
        ("rouge2", True),
        ("rougeL", True),
    }
    code, out, _ = run(capsys, "score", path, "-m", "grid", "--json")
    assert code == 0
    assert len(out.splitlines()) == 160


def test_bertscore_is_softmatch_and_says_so(tmp_path, capsys):
    code, out, err = run(capsys, "score", write(tmp_path, ITEM), "-m", "bertscore")
    assert code == 0
    assert out.split()[1] == "softmatch"
    assert err.count("softmatch is used instead") == 1
    assert "all-MiniLM-L6-v2, not roberta-large" in err


def test_a_metric_of_another_program_comes_in_as_a_score_file(tmp_path, capsys):
    code, _, err = run(capsys, "score", write(tmp_path, ITEM), "-m", "comet")
    assert code == 2
    assert "score with unbabel-comet, write the columns system, item, metric, score to a CSV file" in err
    rows = [f"{s},{i},comet,{score}" for i in range(1, 9) for s, score in (("A", 0.8 + i / 100), ("B", 0.7))]
    (tmp_path / "comet.csv").write_text("\n".join(["system,item,metric,score", *rows]) + "\n")
    code, out, err = run(capsys, "compare", "--scores", str(tmp_path / "comet.csv"))
    assert (code, err) == (0, "")
    assert out.startswith("A is significantly better than B in comet")
