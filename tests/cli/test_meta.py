"""`assay meta` as a person meets it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import meta
from assay.cli.main import main
from assay.cli.meta import QUESTIONS

WORDS = (
    *("the", "council", "voted", "to", "close", "old", "harbour", "bridge", "cars"),
    *("from", "next", "spring", "after", "long", "debate", "on", "cost"),
)


def judged(folder: Path, *, systems: int = 8, items: int = 12, people: bool = False) -> str:
    """A set in which system k drops k + 1 words of a reference and people see it."""
    rng = random.Random(0)
    path = folder / "judged.jsonl"
    with path.open("w") as file:
        for i in range(items):
            references = [rng.sample(WORDS, 14) for _ in range(2)]
            outputs = {f"S{k}": " ".join(references[i % 2][: 13 - k]) for k in range(1, systems + 1)}
            written = [{"id": f"P{r}", "text": " ".join(text)} for r, text in enumerate(references)]
            if people:
                outputs |= {reference["id"]: reference["text"] for reference in written}
            scores = {s: 5 - 0.5 * len(outputs) + len(t.split()) / 4 + rng.random() for s, t in outputs.items()}
            judgments = [{"system": s, "rater": "r", "dimension": "adequacy", "score": v} for s, v in scores.items()]
            line = {"id": str(i), "references": written, "outputs": outputs, "judgments": judgments, "source": "a b"}
            file.write(json.dumps(line) + "\n")
    return str(path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["meta", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_sentence_first_then_a_table_that_fits(tmp_path, capsys):
    code, out, _ = run(capsys, judged(tmp_path), "-m", "rouge1", "-m", "rouge2(stem=true)", "-m", "bleu")
    assert code == 0
    lines = out.splitlines()
    assert "has the highest correlation with adequacy at system level: r = " in lines[0]
    assert next(line for line in lines if line.startswith("metric")).split()[:3] == ["metric", "r", "(system)"]
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_answers_in_words_and_in_json(tmp_path, capsys, question):
    path = judged(tmp_path, people=True)
    common = (path, "-m", "rouge1", "-m", "rouge2", "--question", question, "--resamples", "50")
    code, out, _ = run(capsys, *common)
    assert code == 0
    assert out.split("\n\n")[0].endswith(".")
    assert max(map(len, out.splitlines())) <= 100
    code, out, _ = run(capsys, *common, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert all("kind" in r for r in found)
    assert all(r["human"] == "adequacy" for r in found if question != "leak")


def test_all_asks_all(tmp_path, capsys):
    _, out, _ = run(capsys, judged(tmp_path), "-m", "rouge1", "--question", "all", "--json", "--resamples", "20")
    kinds = {json.loads(line)["kind"] for line in out.splitlines()}
    assert kinds >= {
        "correlations",
        "dominance",
        "decision_agreements",
        "noticeable_differences",
        "stabilities",
        "metric_ranking",
        "leaks",
    }


def test_people_are_left_out_and_this_is_said(tmp_path, capsys):
    path = judged(tmp_path, people=True)
    _, out, _ = run(capsys, path, "-m", "rouge1")
    assert "Left out: 2 people among the systems (P0 and P1)" in " ".join(out.split())
    assert "over 8 systems" in out
    _, out, _ = run(capsys, path, "-m", "rouge1", "--people", "include")
    assert "over 10 systems" in out


def test_people_who_meet_their_own_texts_are_named_with_what_that_does(tmp_path, capsys):
    """By default people are scored against the other references; with own=keep the headline says what that changes."""
    path = judged(tmp_path, people=True)
    asked = (path, "-m", "rouge1(own=keep)", "-m", "rouge1", "--resamples", "50")
    _, out, _ = run(capsys, *asked, "--people", "include")
    said = " ".join(out.split())
    assert "People are scored against their own texts too (own=keep), which lifts them: rouge1#1 correlates" in said
    _, out, _ = run(capsys, *asked, "--people", "include", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    [effect] = [r for r in records if r["kind"] == "leak_effect"]
    values = {r["metric"]: r["value"] for r in records if r["kind"] == "correlation"}
    assert effect["metric"] == "rouge1#1"
    assert effect["all_references"] == pytest.approx(values["rouge1#1"])
    assert effect["other_references"] == pytest.approx(values["rouge1#2"])
    assert f"= {values['rouge1#1']:.3f} with them, at {values['rouge1#2']:.3f} where they are scored" in said
    for options in (asked, (path, "-m", "rouge1", "--people", "include")):
        assert "own texts too" not in run(capsys, *options)[1]


def test_the_leak_is_found_by_itself(tmp_path, capsys):
    _, out, _ = run(capsys, judged(tmp_path, people=True), "-m", "rouge1", "--question", "leak")
    said = " ".join(out.split())
    assert said.startswith("24 outputs of P0 and P1")
    assert "scored against themselves" in said
    assert "if only against the other references" in said


def test_scores_of_another_program(tmp_path, capsys):
    path = judged(tmp_path)
    scores = tmp_path / "scores.jsonl"
    lines = [
        {"system": f"S{k}", "item": str(i), "metric": "mine", "score": -k + i / 100}
        for k in range(1, 9)
        for i in range(12)
    ]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = run(capsys, path, "--scores", str(scores), "--question", "all", "--json", "--resamples", "20")
    assert code == 0
    first = json.loads(out.splitlines()[1])
    assert (first["metric"], first["n"]) == ("mine", 8)
    assert first["value"] > 0.9


def test_scores_with_other_ids(tmp_path, capsys):
    scores = tmp_path / "scores.jsonl"
    scores.write_text('{"system": "X", "item": "0", "metric": "mine", "score": 1}\n')
    code, _, err = run(capsys, judged(tmp_path), "--scores", str(scores))
    assert code == 2
    assert "no system in common" in err


def test_two_systems_give_no_correlation_and_say_why(tmp_path, capsys):
    code, out, err = run(capsys, judged(tmp_path, systems=2), "-m", "rouge1")
    assert code == 0
    assert "has no pearson correlation" in out
    assert "3 points" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--dimension", "fluency"), "unknown dimension 'fluency' (judged: adequacy)"),
        (("-m", "rouge1", "--question", "decisions", "--baseline", "bleu"), "unknown baseline metric 'bleu'"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(tmp_path, capsys, arguments, message):
    code, out, err = run(capsys, judged(tmp_path), *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_set_without_judgments(capsys):
    example = Path(__file__).parents[1] / "three-systems.jsonl"
    code, _, err = run(capsys, str(example))
    assert code == 2
    assert "no human judgments" in err


_MEASURE = """
import os, resource, sys
silence = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[silence])
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("question", ["correlate", "dominate", "decisions"])
def test_memory_does_not_grow_with_the_pairs_of_systems(tmp_path, question):
    """19,900 pairs on 1,000 items are 160 MB for each array of differences that is formed whole."""
    rng = random.Random(5)
    with (tmp_path / "judged.jsonl").open("w") as file:
        for i in range(1000):
            names = [f"s{k}" for k in range(200)]
            outputs = {name: rng.choice(["a b c", "a b d", "a e f", "g"]) for name in names}
            judged = [
                {"system": name, "rater": "r", "dimension": "adequacy", "score": rng.randint(1, 5)} for name in names
            ]
            item = {"id": str(i), "references": ["a b c"], "outputs": outputs, "judgments": judged}
            file.write(json.dumps(item) + "\n")
    code = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
    asked = [str(tmp_path / "judged.jsonl"), "-m", "tokenf1", "--question", question, "--resamples", "100", "--json"]
    # From a small process of its own: Linux counts the memory of the process that starts a command as the command's.
    command = [sys.executable, "-S", "-c", _MEASURE, sys.executable, "-c", code, "meta", *asked]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(done.stdout) < 250  # MB


def test_a_system_that_repeats_references_is_left_out_with_the_other_figures(tmp_path, capsys):
    path = tmp_path / "leaked.jsonl"
    lines = [json.loads(line) for line in Path(judged(tmp_path)).read_text().splitlines()]
    for line in lines:
        line["outputs"]["copier"] = line["references"][0]["text"].upper()
        line["judgments"].append({"system": "copier", "rater": "r", "dimension": "adequacy", "score": 0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, out, _ = run(capsys, str(path), "-m", "rouge1", "--resamples", "50")
    said = " ".join(out.split())
    assert "over 8 systems" in said
    assert "copier repeats a reference on at least half of the items and is left out: rouge1 correlates at r" in said
    assert "scored against the other references, and at -" in said
    _, out, _ = run(capsys, str(path), "-m", "rouge1", "--resamples", "50", "--leaked", "include")
    assert "systems (9)" in out
    _, out, _ = run(capsys, str(path), "-m", "rouge1", "--question", "accuracy", "--resamples", "50", "--json")
    assert json.loads(out.splitlines()[0])["systems"] == 8


def authors(folder: Path, *, people: int = 40, items: int = 60) -> str:
    """A corpus whose authors are people: each output is a reference of that name, few authors share items."""
    rng = random.Random(1)
    path = folder / "authors.jsonl"
    with path.open("w") as file:
        for i in range(items):
            names = [f"A{k}" for k in rng.sample(range(people), 4)]
            written = [{"id": name, "text": " ".join(rng.sample(WORDS, rng.randint(5, 14)))} for name in names]
            judgments = [
                {
                    "system": w["id"],
                    "rater": "r",
                    "dimension": "meaning",
                    "score": len(w["text"].split()) + rng.random(),
                }
                for w in written
            ]
            line = {"id": str(i), "references": written, "judgments": judgments, "source": " ".join(WORDS)}
            file.write(json.dumps({**line, "outputs": {w["id"]: w["text"] for w in written}}) + "\n")
    return str(path)


@pytest.mark.parametrize("people", ["include", "exclude"])
@pytest.mark.parametrize("question", [q for q in QUESTIONS if q not in ("stability", "leak")])
def test_a_set_of_which_all_systems_are_people(tmp_path, capsys, question, people):
    """Authors of a corpus are no references that got among the systems: without them nothing would be left."""
    command = (authors(tmp_path), "--allow-missing", "-m", "rouge1", "-m", "chrf", "--resamples", "20")
    code, _, err = run(capsys, *command, "--people", people, "--question", question)
    assert code == 0, err
    assert "no system is left" not in err


def test_differences_are_pooled_where_authors_share_few_items(tmp_path, capsys):
    command = (authors(tmp_path), "--allow-missing", "-m", "rouge1", "-m", "chrf", "--resamples", "50")
    code, pooled, _ = run(capsys, *command, "--question", "differences")
    assert code == 0
    assert "sees differences between outputs of the same item best: r = " in " ".join(pooled.split())
    _, dominance, _ = run(capsys, *command, "--question", "dominate")
    assert dominance == pooled
    assert "unbeaten" not in dominance
    assert "Differences are pooled over systems, because only 0 of 780 pairs" in " ".join(dominance.split())


def test_all_leaves_out_what_would_take_minutes_and_says_so(tmp_path, capsys, monkeypatch):
    path = judged(tmp_path)
    monkeypatch.setattr(meta, "SECONDS", {"accuracy": (1e6, 0.0, 0.0, 0.0), "stability": (0.0, 0.0, 0.01, 0.0)})
    _, out, err = run(capsys, path, "-m", "rouge1", "--question", "all", "--json", "--resamples", "20")
    kinds = {json.loads(line)["kind"] for line in out.splitlines()}
    assert "metric_ranking" not in kinds
    assert kinds >= {"correlations", "stabilities"}
    said = " ".join(err.split())
    assert "8 systems x 12 items x 1 metrics are too many" in said
    assert "left out: accuracy (about" in said
    assert "ask for them with --question accuracy" in said
    asked = ("--question", "all", "--question", "accuracy", "--json", "--resamples", "20")
    _, out, _ = run(capsys, path, "-m", "rouge1", *asked)
    assert "metric_ranking" in {json.loads(line)["kind"] for line in out.splitlines()}
