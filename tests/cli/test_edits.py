"""`assay edits`, `assay pairs` and `assay factoids` as a person meets them."""

from __future__ import annotations

import json

import assay
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
    assert out.startswith("Of 6 outputs, 50.0% only delete words, 0.0% delete and reorder, 50.0% rephrase.")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("cut", "new"))}
    assert rows["cut"][0] == "cut"
    assert "substitute" in out
    assert "sentence deletion" in out


def test_edits_as_json(tmp_path, capsys):
    _, out, _ = run(capsys, "edits", write(tmp_path, ITEMS), "--json", "--per-output")
    records = [json.loads(line) for line in out.splitlines()]
    assert records[0]["system"] is None
    assert records[0]["kind_delete"] == 0.5
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
    assert (code, err) == (2, "assay: edits are read off outputs and their sources, and no item has both\n")
    assert "did you mean 'meaning'" in run(capsys, "edits", write(tmp_path, ITEMS), "-d", "meanin")[2]


def test_pairs(tmp_path, capsys):
    text = "The storm reached the coast on Sunday. Nobody slept. It destroyed about forty boats in the harbour."
    (tmp_path / "one.doc").write_text(text, "utf-8")
    (tmp_path / "one.abstract").write_text("The storm reached the coast and destroyed forty boats. Sad.", "utf-8")
    out_file = tmp_path / "pairs.tsv"
    code, out, _ = run(capsys, "pairs", tmp_path, "--out", out_file)
    assert code == 0
    assert out.startswith("1 of 2 sentences (50.0%) in 1 abstract")
    assert out_file.read_text("utf-8").count("\t") == 2
    as_set = tmp_path / "pairs.jsonl"
    assert run(capsys, "pairs", tmp_path, "--out", as_set)[0] == 0
    rows = [line.split("\t") for line in out_file.read_text().splitlines()]
    made = assay.read(as_set)
    assert [[*item.sources, item.references[0].text] for item in made] == rows
    assert run(capsys, "pairs", as_set, "--out", as_set)[0] == 2
    fusion, counts = map(json.loads, run(capsys, "pairs", tmp_path, "--json")[1].splitlines())
    assert fusion["document"] == "one"
    assert (counts["kind"], counts["two"]) == ("fusion_search", 1)
    assert run(capsys, "pairs", tmp_path / "none")[0] == 2


def test_factoids(tmp_path, capsys):
    path = tmp_path / "units.csv"
    path.write_text("unit,Ref,Long,Hum\na,1,1,1\nb,1,0,1\nc,0,1,0\nd,0,1,0\n", "utf-8")
    code, out, _ = run(capsys, "factoids", path, "--gold", "Ref", "--pyramid", "Ref,Hum")
    assert code == 0
    assert "Hum shares most with Ref: F 1.000 over all units." in out
    assert "Ref and Hum agree most on what to keep: kappa 1.000." in out
    records = [json.loads(line) for line in run(capsys, "factoids", path, "--gold", "Ref", "--json")[1].splitlines()]
    assert records[1]["precision"] == 1 / 3
    assert records[1]["recall"] == 0.5
    assert "unknown column 'Reff'; did you mean 'Ref'" in run(capsys, "factoids", path, "--gold", "Reff")[2]
