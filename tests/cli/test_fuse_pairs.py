"""`assay fuse pairs` as a person meets it."""

from __future__ import annotations

import json

import assay
from assay.cli.main import main


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_pairs(tmp_path, capsys):
    text = "The storm reached the coast on Sunday. Nobody slept. It destroyed about forty boats in the harbour."
    (tmp_path / "one.doc").write_text(text, "utf-8")
    (tmp_path / "one.abstract").write_text("The storm reached the coast and destroyed forty boats. Sad.", "utf-8")
    out_file = tmp_path / "pairs.tsv"
    code, out, _ = run(capsys, "fuse", "pairs", tmp_path, "--out", out_file)
    assert code == 0
    assert out.startswith("1 of 2 sentences (50.0%) in 1 abstract")
    assert out_file.read_text("utf-8").count("\t") == 2
    as_set = tmp_path / "pairs.jsonl"
    assert run(capsys, "fuse", "pairs", tmp_path, "--out", as_set)[0] == 0
    rows = [line.split("\t") for line in out_file.read_text().splitlines()]
    written = assay.read(as_set)
    assert [[*item.sources, item.references[0].text] for item in written] == rows
    assert run(capsys, "fuse", "pairs", as_set, "--out", as_set)[0] == 2
    counts, pair = map(json.loads, run(capsys, "fuse", "pairs", tmp_path, "--json")[1].splitlines())
    assert pair["document"] == "one"
    assert (counts["kind"], counts["from_two"]) == ("fusion_pairs", 1)
    assert run(capsys, "fuse", "pairs", tmp_path / "none")[0] == 2
