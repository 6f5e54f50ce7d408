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
    out = run(capsys, "metrics")[1]
    assert max(map(len, out.splitlines())) <= 100
    for name in ("rouge2", "bleu", "SKIP-2+Recall+MULT-PROB", "rate"):
        assert name in out
    explained = run(capsys, "metrics", "rouge2")[1]
    for part in ("Lin 2004", "refs:", "0/0 is 0", "signature: rouge2("):
        assert part in explained
    assert all(json.loads(line) for line in run(capsys, "metrics", "--json")[1].splitlines())
