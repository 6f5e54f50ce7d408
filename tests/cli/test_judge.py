"""The judge command: which raters are people, and what it refuses."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main


def test_the_command_is_given_first(capsys):
    assert main(["judge", "--json", "table"]) == 2
    assert "give the command first: assay judge table" in capsys.readouterr().err


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """40 items, two systems, three people and two judges, whose kind the file does not state."""
    path = tmp_path_factory.mktemp("judged") / "set.jsonl"
    lines = []
    for number in range(40):
        judgments = [
            {"system": system, "rater": rater, "dimension": "meaning", "score": 1 + (number * k + shift) % 5}
            for system, shift in (("A", 0), ("B", 1))
            for rater, k in (("ann", 1), ("bob", 1), ("cy", 2), ("gpt-x", 1), ("gpt-y", 3))
        ]
        lines.append({"id": str(number), "outputs": {"A": f"a {number}", "B": f"b {number}"}, "judgments": judgments})
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def test_without_an_llm_there_is_no_table(judged, capsys):
    assert main(["judge", "table", judged]) == 2
    assert 'no rater is an LLM: say which with --llm "gpt*"' in capsys.readouterr().err


def run_json(capsys, *words: str) -> list[dict]:
    assert main(["judge", *words, "--json", "--quiet"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_kinds_by_option_are_no_people(judged, capsys):
    records = run_json(capsys, "table", judged, "--llm", "gpt*", "--resamples", "20")
    assert records[0]["people"] == ["ann", "bob", "cy"]
    kinds = {r["assessor"]: r["assessor_kind"] for r in records if r["kind"] == "assessor"}
    assert kinds["gpt-x"] == kinds["gpt-y"] == "llm"
    assert kinds["ann"] == "human"
    assert kinds["mean of 2 LLMs"] == "panel"


def test_families_and_limits(judged, capsys):
    words = ("table", judged, "--llm", "gpt*", "--resamples", "20", "--family", "gpt-x=o", "--family", "A=o")
    records = run_json(capsys, *words, "--order-pairs", "1", "--epsilon", "0.1")
    row = next(r for r in records if r.get("assessor") == "gpt-x" and r["kind"] == "assessor")
    assert row["own_family"] == pytest.approx(row["own_family"])
    assert next(r for r in records if r["kind"] == "alt_test")["epsilon"] == 0.1
    assert main(["judge", "table", judged, "--llm", "gpt*", "--family", "gpt-x"]) == 2
    assert "--family takes NAME=FAMILY; got 'gpt-x'" in capsys.readouterr().err


def test_a_metric_is_one_more_assessor(judged, capsys):
    records = run_json(capsys, "table", judged, "-m", "length", "--resamples", "20")
    assert [r["assessor_kind"] for r in records if r["kind"] == "assessor"][-1] == "metric"


def test_draw_writes_probabilities_and_the_items_for_people(judged, tmp_path, capsys):
    out, todo = tmp_path / "drawn.jsonl", tmp_path / "todo.jsonl"
    words = (
        "draw",
        judged,
        "--llm",
        "gpt*,ann,bob,cy",
        "-d",
        "meaning",
        "--draw",
        "10",
        "--floor",
        "0",
    )
    assert main(["judge", *words]) == 2
    assert "--floor must be at least 0.2" in capsys.readouterr().err
    records = run_json(capsys, *words[:-1], "0.5", "--out", str(out), "--people-set", str(todo))
    items = [json.loads(line) for line in out.read_text().splitlines()]
    assert sum(item["label_probability"] for item in items) == pytest.approx(10)
    assert sum(item["label_drawn"] for item in items) == 10 == len(todo.read_text().splitlines())
    assert records[0]["new"] == 10
