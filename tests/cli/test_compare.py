"""`assay compare` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli.main import main

EXAMPLE = str(Path(__file__).parents[1] / "three-systems.jsonl")


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["compare", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def records(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def test_sentence_first_then_a_table_that_fits(capsys):
    code, out, err = run(capsys, EXAMPLE, "-m", "rouge2", "-m", "bleu")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("editor has the highest rouge2: 0.5852 (95% CI 0.5173 to 0.6531). It is")
    assert next(line for line in lines if line.startswith("system")).split()[:3] == ["system", "rouge2", "95%"]
    assert max(map(len, lines)) <= 100
    assert "jackknife" in out


def test_json_records(capsys):
    _, out, _ = run(capsys, EXAMPLE, "-m", "rouge2", "--json", "--seed", "3")
    found = records(out)
    assert found[0]["kind"] == "comparison"
    assert found[0]["seed"] == 3
    systems = [r for r in found if r["kind"] == "system"]
    assert [r["system"] for r in systems] == ["editor", "first-words", "headline"]
    assert systems[0]["low"] < systems[0]["mean"] < systems[0]["high"]
    pairs = [r for r in found if r["kind"] == "pair"]
    assert {(r["better"], r["worse"]) for r in pairs} == {
        ("editor", "first-words"),
        ("editor", "headline"),
        ("first-words", "headline"),
    }


def test_scores_of_a_file_say_the_same(tmp_path, capsys):
    path = str(tmp_path / "scores.parquet")
    assert main(["score", EXAMPLE, "-m", "rouge2", "--per-item", "--out", path]) == 0
    capsys.readouterr()
    direct = [r for r in records(run(capsys, EXAMPLE, "-m", "rouge2", "--json")[1]) if r["kind"] == "system"]
    from_file = [r for r in records(run(capsys, "--scores", path, "--json")[1]) if r["kind"] == "system"]
    assert from_file == direct


def test_the_direction_of_a_known_metric_survives_the_file(tmp_path, capsys):
    path = str(tmp_path / "scores.jsonl")
    assert main(["score", EXAMPLE, "-m", "rate", "--per-item", "--out", path]) == 0
    capsys.readouterr()
    direct = [r["system"] for r in records(run(capsys, EXAMPLE, "-m", "rate", "--json")[1]) if r["kind"] == "system"]
    again = [r["system"] for r in records(run(capsys, "--scores", path, "--json")[1]) if r["kind"] == "system"]
    assert again == direct


def test_baseline_and_only(capsys):
    _, out, _ = run(capsys, EXAMPLE, "-m", "rouge2", "--baseline", "headline")
    assert "editor is significantly better than headline" in out
    assert "p vs baseline" in out
    _, out, _ = run(capsys, EXAMPLE, "--only", "headline", "--only", "first-words")
    assert out.startswith("No significant difference between first-words and headline in rouge2")
    assert "These items find a difference of " in " ".join(out.split())


def test_a_difference_people_do_not_notice(capsys):
    _, out, _ = run(capsys, EXAMPLE, "--only", "headline", "--only", "editor", "--notice", "0.9")
    assert "they may not notice this one" in " ".join(out.split())


def test_by_judgments(tmp_path, capsys):
    lines = [
        {
            "id": str(k),
            "outputs": {"A": "x", "B": "y"},
            "judgments": [
                {"system": s, "rater": "r", "dimension": "adequacy", "score": k % 3 + (s == "B")} for s in "AB"
            ],
        }
        for k in range(9)
    ]
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = run(capsys, str(path), "--dimension", "adequacy")
    assert code == 0
    assert out.startswith("B is significantly better than A in adequacy")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no input: give a file"),
        ((EXAMPLE, "--baseline", "edit"), "unknown baseline system 'edit'; did you mean 'editor'?"),
        ((EXAMPLE, "-m", "rogue2"), "unknown metric 'rogue2'"),
        ((EXAMPLE, "--dimension", "adequacy"), "unknown dimension 'adequacy'"),
        (("--scores", "nowhere.parquet"), "nowhere.parquet"),
        ((EXAMPLE, "--alpha", "2"), "alpha"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_one_item_has_a_dash_for_its_interval(tmp_path, capsys):
    path = tmp_path / "one.jsonl"
    path.write_text('{"id": "1", "references": ["the cat sat"], "outputs": {"A": "the cat", "B": "a dog sat"}}\n')
    assert main(["compare", str(path), "-m", "rouge1", "--json"]) == 0
    ranked = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {record["low"] for record in ranked if "low" in record} == {None}
    assert main(["compare", str(path), "-m", "rouge1"]) == 0
    out = capsys.readouterr().out
    assert "0.8000–0.8000" not in out
    assert "[nan" not in out
    assert "nan" not in out.split("rouge1 =")[0]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--baseline", "editor", "--fail-if", "worse"), 1),
        (("--baseline", "editor", "--fail-if", "worse", "--margin", "0.9"), 0),
        (("--baseline", "editor", "--fail-if", "not-better"), 1),
        (("--baseline", "headline", "--only", "headline", "--only", "editor", "--fail-if", "not-better"), 0),
    ],
)
def test_fail_if_answers_by_the_exit_code_and_a_sentence(capsys, options, code):
    assert run(capsys, EXAMPLE, "-m", "rouge2", *options)[0] == code
    _, out, _ = run(capsys, EXAMPLE, "-m", "rouge2", *options, "--json")
    gate = [record for record in records(out) if record["kind"] == "gate"]
    assert [record["failed"] for record in gate] == [bool(code)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--fail-if", "worse"), "--fail-if needs --baseline"),
        (("--baseline", "editor", "--fail-if", "worse", "--by", "group"), "leave --by group and --ranking out"),
        (("--margin", "0.5"), "--margin goes with --fail-if"),
        (("--by", "topic"), "argument --by: invalid choice: 'topic'"),
        (("--baseline", "edit", "--fail-if", "worse"), "unknown baseline system 'edit'"),
    ],
)
def test_fail_if_refuses_what_it_cannot_answer(capsys, options, message):
    code, out, err = run(capsys, EXAMPLE, "-m", "rouge2", *options)
    assert (code, out) == (2, "")
    assert message in err


def test_assist_ranks_by_people_and_a_judge(tmp_path, capsys):
    lines = []
    for number in range(60):
        judgments = [
            {"system": s, "rater": "gpt", "dimension": "m", "score": (number + k) % 5 + 1, "kind": "llm"}
            for k, s in enumerate("AB")
        ]
        if number % 2:
            judgments += [
                {"system": s, "rater": "ann", "dimension": "m", "score": (number + k) % 5 + k}
                for k, s in enumerate("AB")
            ]
        lines.append({"id": str(number), "outputs": {"A": "a", "B": "b"}, "judgments": judgments})
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert main(["compare", str(path), "-d", "m", "--assist", "gpt", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {r["system"] for r in records if r["kind"] == "assisted_system"} == {"A", "B"}
    assert main(["compare", str(path), "-d", "m", "--assist", "gpt", "--test", "t"]) == 2
    assert "--assist has a test of its own" in capsys.readouterr().err
    assert main(["compare", str(path), "--assist", "gpt"]) == 2
    assert "--assist needs an evaluation set with judgments and --dimension" in capsys.readouterr().err
