"""assay demo: the main job on the example set."""

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


def test_demo_scores_asks_and_writes_the_page(tmp_path, capsys):
    page = tmp_path / "demo.html"
    code, out, err = run(capsys, "demo", "--out", str(page))
    assert (code, err) == (0, "")
    assert [f"$ assay {name} example.jsonl" in out for name in ("score", "meta", "agree", "report")] == [True] * 4
    assert "People rate birch best of 4 systems" in out
    assert page.stat().st_size > 100_000
