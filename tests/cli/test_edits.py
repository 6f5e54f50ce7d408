"""`assay edits` as a person meets it."""

from __future__ import annotations

import json

from assay.cli.main import main

SOURCE = "The old mayor of Lisbon resigned on Monday. Nobody knows why he did it."
ITEMS = [
    {
        "id": str(k),
        "source": SOURCE,
        "outputs": {
            "cut": "The mayor resigned on Monday.",
            "new": "The mayor stepped down on Monday. Nobody knows why.",
        },
        "judgments": [
            {"system": s, "rater": "ann", "dimension": "meaning", "score": v}
            for s, v in (("cut", 1 + k), ("new", 3 + k))
        ],
    }
    for k in range(3)
]


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def write(folder, items):
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def test_edits(tmp_path, capsys):
    code, out, err = run(capsys, "edits", write(tmp_path, ITEMS))
    assert (code, err) == (0, "")
    assert out.startswith("Of 6 outputs, 50.0% only delete words, 0.0% also reorder them, and 50.0%")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("cut", "new"))}
    assert rows["cut"][0] == "cut"
    assert "substitute" in out
    assert "sentence deletion" in out


def test_edits_as_json(tmp_path, capsys):
    _, out, _ = run(capsys, "edits", write(tmp_path, ITEMS), "--json", "--per-output")
    records = [json.loads(line) for line in out.splitlines()]
    total = next(r for r in records if r["kind"] == "system_edits")
    assert total["system"] is None
    assert total["types"]["delete"] == 0.5
    outputs = [r for r in records if "item" in r]
    assert len(outputs) == 6
    assert outputs[0]["operations"] == ["delete", "fewer sentences", "sentence deletion"]
    effect = next(r for r in records if r.get("operation") == "substitute")
    assert (effect["present"], effect["absent"], effect["sources"]) == (4.0, 2.0, 3)


def test_edits_of_lines(tmp_path, capsys):
    (tmp_path / "long.txt").write_text("The old cat slept.\n", "utf-8")
    (tmp_path / "short.txt").write_text("The cat slept.\n", "utf-8")
    code, out, _ = run(capsys, "edits", "--outputs", f"s={tmp_path / 'short.txt'}", "--source", tmp_path / "long.txt")
    assert code == 0
    assert out.startswith("Of 1 output, 100.0% only delete words")


def test_edits_of_what_cannot_be_edited(tmp_path, capsys):
    items = [{"id": "1", "references": ["a"], "outputs": {"A": "b"}}]
    code, _, err = run(capsys, "edits", write(tmp_path, items))
    assert (code, err) == (2, "assay: edits need outputs and their sources, and no item has both\n")
    assert "did you mean 'meaning'" in run(capsys, "edits", write(tmp_path, ITEMS), "-d", "meanin")[2]
