"""Direction, rankings and groups from the command line, on rankings as Daumé III and Marcu (2004) collected them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.cli.main import main

WORTHS = {"human": 1.5, "joint": 0.8, "decision": 0.7, "DropStop": -1.0}


@pytest.fixture
def ranked(tmp_path):
    """40 items in two groups, ranked by three raters, 1 the best, with ties and gaps; DropStop is last."""
    rng, lines = np.random.default_rng(1), []
    for i in range(40):
        judgments = []
        for rater in ("ann", "bob", "cy"):
            utility = {s: v + rng.gumbel() for s, v in WORTHS.items()}
            order = sorted(utility, key=lambda s: -utility[s])
            ranks = {s: float(k + 1) for k, s in enumerate(order)}
            if rng.random() < 0.3:
                ranks[order[1]] = 1.0
            if rng.random() < 0.2:
                del ranks[order[2]]
            judgments += [{"system": s, "rater": rater, "dimension": "rank", "score": r} for s, r in ranks.items()]
        outputs = {s: "the cat sat " + "on the mat " * k for k, s in enumerate(WORTHS)}
        item = {"id": str(i), "group": "news" if i % 2 else "web", "references": ["the cat sat on the mat"]}
        lines.append({**item, "outputs": outputs, "judgments": judgments})
    path = tmp_path / "ranked.jsonl"

    def write(**first):
        path.write_text("\n".join(json.dumps(line) for line in ([first, *lines] if first else lines)))
        return str(path)

    return write


def run(capsys, *words):
    assert main([*words, "--resamples", "100", "--quiet"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_without_a_direction_no_system_is_called_best(ranked, capsys):
    text = run(capsys, "compare", ranked(), "-d", "rank")
    assert text.startswith("Is a low or a high rank better?")
    assert "--lower-is-better rank" in text
    assert "best system" not in text
    assert "group" not in text


@pytest.mark.parametrize("how", ["header", "lower", "ranking"])
def test_people_put_dropstop_last(how, ranked, capsys):
    header = {"scales": {"rank": {"best": 1}}} if how == "header" else {}
    options = {"header": ["-d", "rank"], "lower": ["-d", "rank", "--lower-is-better", "rank"]}
    text = run(capsys, "compare", ranked(**header), *options.get(how, ["--ranking", "rank"]))
    assert text.startswith("People rank human first by rank, significantly above the other 3 systems")
    assert "Plackett-Luce" in text
    rows = text.split("p vs next")[1]
    assert rows.index("human") < rows.index("joint") < rows.index("DropStop")


def test_a_stated_rating_stays_one(ranked, capsys):
    header = {"scales": {"rank": {"best": 1, "range": [1, 4]}}}
    path = ranked(**header)
    assert "People rank human first" in run(capsys, "compare", path, "-d", "rank")
    assert "DropStop has the highest rank" in run(capsys, "compare", path, "-d", "rank", "--higher-is-better", "rank")


def test_answers_by_group(ranked, capsys):
    path = ranked()
    text = run(capsys, "compare", path, "--ranking", "rank", "--by", "group")
    assert text.startswith("All items: People rank human first")
    assert "human has the first rank in both groups." in text
    text = run(capsys, "compare", path, "-m", "rouge1", "--by", "group")
    assert "in both groups" in text
    assert "all items 40" in text
    text = run(capsys, "meta", path, "-m", "rouge1", "-d", "rank", "--lower-is-better", "rank", "--by", "group")
    assert "group items rouge1" in text
    text = run(capsys, "agree", path, "--ranking", "rank", "--by", "group")
    assert text.count("The raters agree") == 1
    assert "group items rankings tau" in text
    main(["compare", path, "--ranking", "rank", "--by", "group", "--json", "--resamples", "10"])
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {record["item_group"] for record in records} == {None, "news", "web"}


def test_agreement_of_rankings(ranked, capsys):
    text = run(capsys, "agree", ranked(), "--ranking", "rank")
    assert "on the order by rank: two rankings of an item have tau" in text
    assert "All rankings together show an order of the 4 systems" in text
    assert "severe" not in text


def test_meta_asks_for_the_direction_and_turns_the_sign(ranked, capsys):
    path = ranked()
    asked_for = run(capsys, "meta", path, "-m", "rouge1", "--question", "all")
    assert asked_for.startswith("Is a low or a high rank better?")

    def value(*options):
        main(["meta", path, "-m", "rouge1", "--level", "item", *options, "--resamples", "10", "--json"])
        records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return next(record["value"] for record in records if record["kind"] == "correlation")

    assert value("--lower-is-better", "rank") == pytest.approx(-value("--higher-is-better", "rank"))


def test_learn_needs_the_direction_and_predicts_the_negative_of_ranks(ranked, capsys):
    words = ["learn", ranked(), "-d", "rank", "--features", "rouge1", "rouge2", "--learner", "ridge"]
    assert main(words) == 2
    assert "is a low or a high rank better?" in capsys.readouterr().err
    assert "Low rank is better: scorers predict its negative" in run(capsys, *words, "--lower-is-better", "rank")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "--lower-is-better", "rnak"], "unknown dimension 'rnak'; did you mean 'rank'?"),
        (["compare", "--ranking", "rank", "--lower-is-better", "rank"], "two options state the scale of 'rank'"),
        (["compare", "--ranking", "rank", "--test", "t"], "rank is a ranking, which has a test of its own"),
    ],
)
def test_bad_options_are_one_line(words, message, ranked, capsys):
    assert main([words[0], ranked(), *words[1:]]) == 2
    assert message in capsys.readouterr().err


def test_groups_need_groups(tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({"id": "1", "references": ["a"], "outputs": {"A": "a", "B": "b"}}))
    assert main(["compare", str(path), "--by", "group"]) == 2
    assert "no item has a group" in capsys.readouterr().err


def test_scores_of_a_file_have_a_direction_too(ranked, tmp_path, capsys):
    scores = tmp_path / "scores.csv"
    rows = [f"{s},{i},my-wer,{k + i / 100}" for i in range(9) for k, s in enumerate("ABC")]
    scores.write_text("system,item,metric,score\n" + "\n".join(rows))
    assert run(capsys, "compare", "--scores", str(scores)).startswith("Is a low or a high my-wer better?")
    text = run(capsys, "compare", "--scores", str(scores), "--lower-is-better", "my-wer")
    assert text.startswith("A has the lowest my-wer")
