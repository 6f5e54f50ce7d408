"""`assay learn` on the command line, and `assay score` with what was learned."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import assay
from assay.cli.main import main

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set

FAST = ("--learner", "ridge", "--resamples", "20")


@pytest.fixture
def file(tmp_path):
    assay.write(made_set(people=True), tmp_path / "judged.jsonl")
    return tmp_path / "judged.jsonl"


def run(capsys, *arguments) -> tuple[int, str, str]:
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def learned(capsys, file, *more):
    dimension = () if "--dimension" in more else ("--dimension", "content")
    return run(capsys, "learn", file, *dimension, "--features", "rouge1,rouge2", "ter", *FAST, *more)


def test_learn_then_score(file, capsys, tmp_path, monkeypatch):
    code, out, err = learned(capsys, file, "--out", tmp_path / "scorer")
    assert (code, err) == (0, "")
    assert out.startswith("ridge of 3 features correlates with content within items at r = 0.")
    assert "The best single feature, " in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("ridge(", "rouge", "ter"))][:4]
    assert f"assay score FILE -m {tmp_path / 'scorer'}" in " ".join(out.split())
    monkeypatch.chdir(tmp_path)
    for name in ("./scorer", "scorer"):
        code, out, err = run(capsys, "score", file, "-m", name, "-m", "rouge1")
        assert (code, err.count("\n")) == (0, 1)
        assert f"{name}: a feature lies outside its range in training" in err  # people, who were left out
        assert f"{name} = {name}(checksum=" in out
        assert "ridge(penalty=1, monotone=true) of 3 features, fitted to content" in " ".join(out.split())
    records = [json.loads(line) for line in run(capsys, "score", file, "-m", "./scorer", "--json")[1].splitlines()]
    assert records[0]["metric"].startswith("./scorer(checksum=")


def test_json_has_the_scorer_and_every_feature(file, capsys):
    records = [json.loads(line) for line in learned(capsys, file, "--json")[1].splitlines()]
    kinds = [r["kind"] for r in records]
    scorer = ["trained_scorer", *["correlation"] * 3, *["unseen_systems"] * 3]
    assert kinds == ["scorer_comparison", *scorer, "best_feature", *["correlation"] * 9]
    assert (records[2]["level"], records[2]["method"]) == ("item", "pearson")
    assert records[2]["value"] > 0.6
    assert {r["metric"] for r in records[9:]} == {"rouge1", "rouge2", "ter"}


def test_people_are_jackknifed_and_it_says_so(file, capsys):
    out = learned(capsys, file, "--people", "include")[1]
    assert "jackknifed: people's own texts were scored against the other references" in " ".join(out.split())


def test_outside_scores(file, capsys, tmp_path):
    data = assay.read(file)
    lines = [
        json.dumps({"system": s, "item": i, "metric": "gpt", "score": float(v)})
        for s, row in zip(data.systems, data.human("content").values, strict=True)
        for i, v in zip(data.items, row, strict=True)
    ]
    (tmp_path / "gpt.jsonl").write_text("\n".join(lines), "utf-8")
    out = tmp_path / "scorer"
    code, said, _ = learned(capsys, file, "--scores", tmp_path / "gpt.jsonl", "--out", out)
    assert code == 0
    assert "ridge of 4 features correlates with content within items at r = 0.9" in said
    code, _, err = run(capsys, "score", file, "-m", f"{out}")
    assert (code, err.count("\n")) == (2, 1)
    assert "was trained with scores by 'gpt'" in err
    assert run(capsys, "score", file, "-m", f"{out}", "--scores", tmp_path / "gpt.jsonl")[0] == 0


def test_three_sets_with_and_without_an_assessor(capsys, tmp_path):
    names = []
    for seed in range(3):
        names.append(tmp_path / f"y{seed}.jsonl")
        assay.write(made_set(items=8, seed=seed, raters=("ann", "bob")), names[-1])
    code, out, err = run(
        capsys,
        "learn",
        names[0],
        "--validation",
        names[1],
        "--test-set",
        names[2],
        "--dimension",
        "content",
        "--features",
        "rouge1",
        "rouge2",
        "--level",
        "item",
        "--resamples",
        "20",
    )
    assert (code, err.count("\n")) == (0, 1)
    assert "outside its range in training, so that the score is extrapolated" in err
    assert out.startswith("All raters: ")
    assert "9 fits, all sets of features" in " ".join(out.split())
    assert "on the third set it reaches 0." in " ".join(out.split())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--test-dimension", "overall"), "--test-dimension needs --test-set FILE"),
        (("--drop-raters", "1"), "--drop-raters needs a second set"),
        (("--learner", "forest"), "unknown learner 'forest'"),
        (("--features", "rogue1"), "unknown metric 'rogue1'; did you mean 'rouge1'?"),
        (("--dimension", "contents"), "unknown dimension 'contents'; did you mean 'content'?"),
        (("--topic", "group"), "has no group"),
    ],
)
def test_errors_are_one_line(file, capsys, more, said):
    code, out, err = learned(capsys, file, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_out_is_refused_before_the_work(file, capsys, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    code, _, err = learned(capsys, file, "--out", tmp_path / "there", "--dimension", "nothing")
    assert code == 2
    assert "exists already" in err


def test_a_second_set(file, capsys, tmp_path):
    assay.write(made_set(items=8, seed=4), tmp_path / "other.jsonl")
    other = ("--test-set", tmp_path / "other.jsonl")
    code, out, err = learned(capsys, file, *other)
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert "On the second set, within items, ridge reaches r = 0." in words
    assert "On the second set, at system level, ridge reaches r = 0." in words
    assert "Second set: 5 systems, 8 items; " in words
    records = [json.loads(line) for line in learned(capsys, file, *other, "--json")[1].splitlines()]
    rows = [r for r in records if r["kind"] == "second_set"]
    assert [(r["level"], r["dimension"], r["outputs"]) for r in rows] == [
        ("item", "content", 40),
        ("system", "content", 40),
    ]
    records = [
        json.loads(line)
        for line in learned(capsys, file, *other, "--test-dimension", "overall", "--json")[1].splitlines()
    ]
    assert {r["dimension"] for r in records if r["kind"] == "second_set"} == {"overall"}


def test_the_default_learner_is_monotone(file, capsys):
    code, out, err = run(capsys, "learn", file, "--dimension", "content", "--features", "rouge1", "--resamples", "5")
    assert (code, err) == (0, "")
    assert out.startswith("ridge of 1 feature ")
    assert "Monotonicity, ridge(penalty=1, monotone=true): the mean score of" in " ".join(out.split())
