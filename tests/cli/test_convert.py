"""`assay convert`: every bridge to JSON Lines and back, and nothing lost unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import EvalSet, Item, Judgment, Reference, read, write
from assay.cli.main import main
from assay.formats import FORMATS, PARTS, drop_parts, find_losses

SAMPLES = Path(__file__).parents[1] / "formats" / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
BRIDGES = [
    *("mtme", "mqm/google.tsv", "mqm/marot.tsv", "wmt-da/da.csv", "label-studio/export.json", "inspect-ai/log.json"),
    *(
        "promptfoo/results.json",
        "deepeval/run.json",
        "pearmut/annotations.jsonl",
        "factgenie",
        "lite-pyramid/realsumm.csv",
    ),
    "lite-pyramid/folder",
]
RICH = EvalSet(
    [
        Item(
            name,
            (Reference("r\none", "P"), Reference("two")),
            {"A": "a", "B": "b"} if name == "x" else {"A": "a"},
            ("s", "t"),
            "g",
            (
                Judgment("A", "ann", "d", 1.0),
                Judgment("A", "ann", "d", 2.0, 2),
                Judgment("A", "gpt", "d", 3.0, 1, "llm"),
            ),
            {"key": 1, "scales": {"d": {"best": "low"}}},
        )
        for name in ("x", "y")
    ],
    allow_missing=True,
)


@pytest.mark.parametrize("name", BRIDGES)
def test_every_bridge_to_json_lines(tmp_path, name, capsys):
    assert main(["convert", str(SAMPLES / name), str(tmp_path / "a.jsonl"), "--json"]) == 0
    [record] = map(json.loads, capsys.readouterr().out.splitlines())  # no further records: nothing was lost
    data = read(tmp_path / "a.jsonl", allow_missing=True)
    assert (record["items"], record["systems"]) == (len(data), len(data.systems))
    assert record["judgments"] == sum(len(item.judgments) for item in data) > 0


@pytest.mark.parametrize(
    ("name", "to"), [("mtme", "mtme"), ("mqm/google.tsv", "mqm"), ("mqm/marot.tsv", "mqm"), ("wmt-da/da.csv", "wmt-da")]
)
def test_through_json_lines_and_back(tmp_path, name, to):
    assert main(["convert", str(SAMPLES / name), str(tmp_path / "a.jsonl")]) == 0
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "da"), "--to", to]) == 0
    whole = FORMATS.build(to).whole or to
    assert read(tmp_path / "da", format=whole) == read(SAMPLES / name, format=whole)


@pytest.mark.parametrize("to", ["csv", "parquet", "lines", "mtme", "label-studio", "tables"])
def test_what_would_be_lost_is_an_error_or_listed(tmp_path, to, capsys):
    write(RICH, tmp_path / "a.jsonl")
    target = tmp_path / {"csv": "b.csv", "parquet": "b.parquet", "label-studio": "b.json"}.get(to, "b")
    losses = find_losses(RICH.entries, FORMATS.build(to).lacks(target))
    code = main(["convert", str(tmp_path / "a.jsonl"), str(target), "--to", to])
    error = capsys.readouterr().err
    assert code == (2 if losses else 0)
    assert target.exists() is not bool(losses)
    for part in losses:
        assert PARTS[part].what in error
    if losses:
        assert main(["convert", str(tmp_path / "a.jsonl"), str(target), "--to", to, "--lossy", "--json"]) == 0
        _, *records = map(json.loads, capsys.readouterr().out.splitlines())
        assert [record["part"] for record in records] == [PARTS[part].what for part in losses]
    left = drop_parts(RICH.entries, losses)
    again = read(target, format=to if to != "lines" else None, allow_missing=True)
    assert len(again) == len(left)
    assert [item.outputs for item in again] == [item.outputs for item in left]
    if "judgments" not in losses:
        assert [len(item.judgments) for item in again] == [len(item.judgments) for item in left]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_was_dropped_is_gone(part):
    if PARTS[part].count(RICH.entries):
        assert PARTS[part].count(drop_parts(RICH.entries, [part])) == 0
    plain = [Item("1", outputs={"A": ""})]
    assert PARTS[part].count(plain) == 0
    assert PARTS[part].drop(plain) == plain


def test_judgments_beside_outputs(tmp_path):
    arguments = ["convert", str(SAMPLES / "outputs.jsonl"), str(tmp_path / "a.jsonl"), "--llm", "deueng0102"]
    assert main([*arguments, "--judgments", str(SAMPLES / "appraise/direct.csv")]) == 0
    assert read(tmp_path / "a.jsonl").assessors == (("deueng0101", "human"), ("deueng0102", "llm"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.json", "a.jsonl"], "absent.json: there is no such file"),
        (["outputs.jsonl", "a.nope"], "a.nope: the name does not tell the format; give --to"),
        (["outputs.jsonl", "a.jsonl", "--to", "mtm"], "unknown format 'mtm'; did you mean 'mtme'?"),
        (["outputs.jsonl", "a.jsonl", "--from", "mqm"], "MQM ratings have 9 (Google) or 10 (Marot)"),
        (["outputs.jsonl", "a.json", "--to", "potato"], "files of potato are read and not written"),
        (["outputs.jsonl", "outputs.jsonl"], "is the same file as the input"),
        (["appraise/direct.csv", "a.jsonl"], "holds judgments (appraise) and no outputs"),
    ],
)
def test_what_is_refused(tmp_path, arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(SAMPLES)
    before = sorted(SAMPLES.rglob("*"))
    assert main(["convert", *arguments]) == 2
    error = capsys.readouterr().err.splitlines()
    assert message in error[-1]
    assert sorted(SAMPLES.rglob("*")) == before
