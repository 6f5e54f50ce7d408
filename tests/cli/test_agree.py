"""`assay agree` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assay.cli.main import main


def judged(folder: Path, *, raters: int = 4, items: int = 40, name: str = "set.jsonl") -> str:
    """Four systems of known quality, judged from 1 to 5 by raters of whom the last is blind; A and B often tie."""
    rng = np.random.default_rng(0)
    lines = []
    for i in range(items):
        outputs = {s: f"{s if s in 'CD' or i % 2 else 'same'} {i}" for s in "ABCD"}
        truth = rng.integers(0, 2, size=4) + np.arange(1, 5)
        judgments = [
            {
                "system": s,
                "rater": f"r{r}",
                "dimension": "meaning",
                "score": int(rng.integers(1, 6) if r == raters - 1 else min(5, t + rng.integers(0, 2))),
            }
            for r in range(raters)
            for s, t in zip("ABCD", truth, strict=True)
        ]
        lines.append({"id": str(i), "references": [outputs["D"]], "outputs": outputs, "judgments": judgments})
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def records(out: str, kind: str) -> list[dict]:
    return [r for r in map(json.loads, out.splitlines()) if r["kind"] == kind]


def test_the_answer_comes_first_and_everything_fits(tmp_path, capsys):
    code, out, err = run(capsys, "agree", judged(tmp_path), "--resamples", "50")
    assert (code, err) == (0, "")
    assert out.startswith("The raters agree ")
    assert "on meaning: Krippendorff's alpha 0." in out.splitlines()[0]
    assert max(map(len, out.splitlines())) <= 100
    assert "rater  outputs  mean" in out
    assert "r3" in out
    assert "and rater" in out  # six pairs are few


def test_json(tmp_path, capsys):
    _, out, _ = run(capsys, "agree", judged(tmp_path), "--json", "--resamples", "50", "--seed", "3")
    (found,) = records(out, "agreement")
    assert (found["dimension"], len(found["raters"]), found["outputs"], found["seed"]) == ("meaning", 4, 160, 3)
    assert found["alpha_low"] < found["alpha"] < found["alpha_high"]
    assert len(records(out, "rater")) == 4
    assert len(records(out, "rater_pair")) == 6
    assert records(out, "rater_consistency")[0]["pairs"] == 20
    assert records(out, "sample_size")[0]["raters_needed"] >= 1
    assert run(capsys, "agree", judged(tmp_path), "--json", "--resamples", "50", "--seed", "3")[1] == out


def test_the_blind_rater_is_left_out(tmp_path, capsys):
    path = judged(tmp_path)
    _, out, err = run(capsys, "agree", path, "--leave-out", "1", "-m", "rouge1", "--json", "--resamples", "0")
    assert err == ""
    (dropped,) = records(out, "without_raters")
    assert dropped["raters"] == ["r3"]
    assert dropped["alpha_after"] > dropped["alpha_before"]
    (metric,) = records(out, "metric_change")
    assert metric["metric"].startswith("rouge1(")
    text = run(capsys, "agree", path, "--leave-out-share", "0.25", "--leave-out-by", "consistency", "--resamples", "0")[
        1
    ]
    assert "meaning without the worst rater by self-consistency" in text


def test_experts_and_judge(tmp_path, capsys):
    path = judged(tmp_path)
    _, out, _ = run(capsys, "agree", path, "--experts", "r0,r1", "--judge", "r2", "--resamples", "0")
    assert "experts and crowd (means)" in out
    assert "r2 can replace a human rater of meaning" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 100


def test_many_raters_are_cut(tmp_path, capsys):
    _, out, _ = run(capsys, "agree", judged(tmp_path, raters=7), "--rows", "3", "--resamples", "0")
    assert "The first 3 of 7 rows; --rows N prints more." in out
    assert "and rater" not in out


def test_one_rater(tmp_path, capsys):
    code, out, err = run(capsys, "agree", judged(tmp_path, raters=1))
    assert (code, err) == (0, "")
    assert "is undefined: there is only one rater, 'r0'" in " ".join(out.split())
    assert "judged the same text twice" in out


def test_how_many_items(tmp_path, capsys):
    _, out, _ = run(capsys, "agree", judged(tmp_path), "--difference", "0.05", "--resamples", "0")
    assert "to find a difference of 0.05, " in " ".join(out.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-d", "meening"], "unknown dimension 'meening'; did you mean 'meaning'? (judged: meaning)"),
        (["-m", "rouge1"], "-m needs --leave-out: it shows the metric's correlation with and without the worst raters"),
        (["--leave-out", "9"], "dropping 9 of 4 raters leaves none"),
        (["--leave-out", "1", "--leave-out-share", "0.1"], "give a number or a share of raters to leave out, not both"),
        (["--experts", "nobody"], "unknown rater 'nobody' (given as experts)"),
        (["--judge", "nobody"], "unknown rater 'nobody' (raters: r0, r1, r2, r3)"),
        (["--seed", "-1"], "--seed must be 0 or more; got -1 (see assay agree --help)"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, options, message):
    code, out, err = run(capsys, "agree", judged(tmp_path), *options)
    assert (code, out, err) == (2, "", f"assay: {message}\n")


def test_no_judgments(tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "1", "outputs": {"A": "a"}}\n', "utf-8")
    code, _, err = run(capsys, "agree", str(path))
    assert code == 2
    assert err == f"assay: {path} has no judgments\n"


def test_positions_on_a_line(tmp_path, capsys):
    """The MSR format does not say who rated."""
    six, seven = "6\tMost important meaning Flawless language", "7\tMost important meaning Minor errors"
    lines = [f"i{i}\tnews\ta b c ||| a b\t1\t3\t{six}\t{seven}\t{six} ||| a\t2\t2\t{seven}\t{six}" for i in range(3)]
    path = tmp_path / "set.tsv"
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    code, out, _ = run(capsys, "agree", str(path), "-d", "grammar")
    assert code == 0
    assert "are positions on a line" in " ".join(out.split())
    assert "severity" not in out


def test_the_worst_editors_are_left_out(tmp_path, capsys):
    """The bottom share of editors of Toutanova et al. (2016), 3.1, and the set without them."""
    cleaned = tmp_path / "cleaned.jsonl"
    arguments = ("--leave-out-editors", "0.25", "--resamples", "0", "--out", str(cleaned))
    code, out, _ = run(capsys, "agree", judged(tmp_path), *arguments)
    assert code == 0
    assert "Without the worst 1 of 4 editors (40 of 160 outputs), mean meaning rises from" in out
    assert "A" not in json.loads(cleaned.read_text("utf-8").splitlines()[0])["outputs"]
    code, out, _ = run(capsys, "agree", judged(tmp_path), *arguments[:4], "--json")
    assert [row["editor"] for row in records(out, "editor_quality")] == ["A"]
    code, _, err = run(capsys, "agree", judged(tmp_path), "--out", str(cleaned))
    assert (code, "--out needs --leave-out-editors" in err) == (2, True)


def test_positions_on_a_line_are_not_left_out(shared_file, capsys):
    """MSR's file does not say who rated: it was rater7 who was dropped, the seventh of the few outputs with seven."""
    code, out, err = run(capsys, "agree", str(shared_file("msr-compression/RawData/valid.tsv")), "--leave-out", "1")
    assert (code, out) == (2, "")
    assert "the raters of 'meaning' (rater1, rater2, ...) are positions on a line, not people" in err


def test_only_people_count(tmp_path, capsys):
    """--llm says who is no person, and --judge is none; --kind asks the others; --raters chooses among people."""
    path = judged(tmp_path, raters=5)

    def raters(*options: str) -> list[str]:
        code, out, err = run(capsys, "agree", path, "--json", "--resamples", "0", *options)
        assert code == 0, err
        records = [json.loads(line) for line in out.splitlines()]
        return next(record["raters"] for record in records if record["kind"] == "agreement")

    assert raters() == ["r0", "r1", "r2", "r3", "r4"]
    assert raters("--llm", "r3,r4") == ["r0", "r1", "r2"]
    assert raters("--llm", "r[34]", "--kind", "llm") == ["r3", "r4"]
    assert raters("--judge", "r4") == ["r0", "r1", "r2", "r3"]
    assert raters("--raters", "r1,r2") == ["r1", "r2"]
    code, _, err = run(capsys, "agree", path, "--kind", "metric")
    assert (code, err.count("\n")) == (2, 1)
    assert "has no judgments by assessors of kind metric, only by r0 (human)" in err


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_judgments_alone_are_enough(ending, tmp_path, capsys):
    """The same numbers from a file without texts as from the set; one output that was judged twice is a duplicate."""
    path = judged(tmp_path)
    rows = [
        {"item": line["id"], **judgment}
        for line in map(json.loads, Path(path).read_text("utf-8").splitlines())
        for judgment in line["judgments"]
    ]
    rows += [{**row, "occasion": 2} for row in rows if row["system"] == "A" and row["item"] == "1"]
    alone = tmp_path / f"ratings.{ending}"
    if ending == "csv":
        fields = ("item", "system", "rater", "dimension", "score", "occasion")
        lines = [",".join(fields), *(",".join(str(row.get(field, "")) for field in fields) for row in rows)]
    else:
        lines = [json.dumps(row) for row in rows]
    alone.write_text("\n".join(lines) + "\n", "utf-8")
    options = ("--json", "--resamples", "20")
    whole, own = (records(run(capsys, "agree", str(file), *options)[1], "agreement")[0] for file in (path, alone))
    assert own["alpha"] == whole["alpha"]
    twice = [r["pairs"] for r in records(run(capsys, "agree", str(alone), *options)[1], "rater_consistency")]
    assert twice == [1, 1, 1, 1]


def test_judgments_alone_have_nothing_to_score(tmp_path, capsys):
    (tmp_path / "r.csv").write_text("item,system,rater,score\n1,A,ann,3\n", "utf-8")
    code, _, err = run(capsys, "agree", str(tmp_path / "r.csv"), "--leave-out", "1", "-m", "rouge1")
    assert code == 2
    assert "no column 'text'" in err
