"""Every protocol end to end: simulated raters answer over HTTP, the export equals it, and `assay agree` reads it."""

from __future__ import annotations

import json
from random import Random

import pytest

import assay
from assay.cli.main import main
from assay.study.content import StudyContent
from assay.study.replay import replay_log

UNITS = ["he won", "she lost", "it rained"]
SYSTEMS = ("alpha", "beta", "gamma")


def make_set(items=6):
    return assay.EvalSet(
        [
            assay.Item(
                f"item {n}/x",
                (assay.Reference(f"reference {n}"),),
                {s: f"output of place {k} for {n}" for k, s in enumerate(SYSTEMS)},
                (f"a source with number {n} that has enough words to be shortened",),
                group="ab"[n % 2],
                extra={"units": UNITS},
            )
            for n in range(items)
        ]
    )


def rate(screen, task, draw):
    return {"ratings": {"quality": draw.randint(1, 5)}}


def score(screen, task, draw):
    return {"ratings": {"score": draw.randint(1, 5)}}


def rank(screen, task, draw):
    return {"groups": {text["key"]: draw.randint(1, 3) for text in screen["texts"]}}


def compare(screen, task, draw):
    return {"choices": {"preference": draw.choice(["a", "b", "tie"])}}


def mark_units(screen, task, draw):
    return {"units": {text["key"]: [draw.random() < 0.5 for _ in UNITS] for text in screen["texts"]}}


def mark_spans(screen, task, draw):
    start = draw.randint(0, 5)
    return {
        "spans": [{"start": start, "end": start + 3, "category": "style", "severity": draw.choice(["minor", "major"])}]
    }


def mark_and_score(screen, task, draw):
    spans = [{"start": 1, "end": 4, "category": "error", "severity": "major"}] if draw.random() < 0.5 else []
    return {"spans": spans, "ratings": {"esa": draw.randint(0, 100)}}


def expected_rows(protocol, task, answer, counts, code):
    """What the export should hold of an answer, worked out apart from the protocols: (item, system, rater, ...)."""
    if "ratings" in answer:
        (dimension, value), system = next(iter(answer["ratings"].items())), task.systems[0]
        return {(task.item, system, code, dimension, task.occasion): float(value)}
    if "groups" in answer:
        ranks = sorted(set(answer["groups"].values()))
        letters = dict(zip("abcdefghijkl", task.systems, strict=False))
        return {
            (task.item, letters[k], code, "rank", task.occasion): ranks.index(v) + 1.0
            for k, v in answer["groups"].items()
        }
    if "choices" in answer:
        counts[task.item] = counts.get(task.item, 0) + 1
        scores = {"a": (1.0, 2.0), "b": (2.0, 1.0), "tie": (1.0, 1.0)}[answer["choices"]["preference"]]
        pairs = zip(task.systems, scores, strict=True)
        return {(task.item, s, code, "preference", counts[task.item]): value for s, value in pairs}
    if "units" in answer:
        letters = dict(zip("abc", task.systems, strict=False))
        return {
            (task.item, letters[k], code, "units", task.occasion): sum(marks) / 3
            for k, marks in answer["units"].items()
        }
    weight = {"minor": 1.0, "major": 5.0}[answer["spans"][0]["severity"]]
    return {(task.item, task.systems[0], code, "mqm", task.occasion): -weight}


CASES = [
    ("rate(reveal=true)", rate),
    ("absolute", score),
    ("rank", rank),
    ("compare", compare),
    ("factoids", mark_units),
    ("factoids(together=true)", mark_units),
    ("spans", mark_spans),
    ("esa", mark_and_score),
]


@pytest.mark.parametrize(("protocol", "answer_of"), CASES, ids=[name for name, _ in CASES])
def test_the_export_is_what_was_answered(make_study, serve, tmp_path, capsys, database_url, protocol, answer_of):
    folder = make_study(
        make_set(), protocol, invitations=["ann", "bob"], repeats=0.2, distance=3, database=database_url, seed=5
    )
    expected: dict[tuple, float] = {}
    with serve(folder) as served:
        for number, code in ((1, "ann"), (2, "bob")):
            rater, draw, counts = served.rater(code), Random(number), {}
            rater.start()
            tasks = served.service.state.rater(number).tasks
            while rater.stage == "task":
                task = tasks[rater.screen["task"] - 1]
                screen = rater.screen if "texts" in rater.screen else {"texts": [{"key": "a"}]}
                answer = answer_of(screen, task, draw)
                expected |= expected_rows(protocol, task, answer, counts, code)
                rater.answer(answer)
            rater.do("submitted")
    out = tmp_path / "judged.jsonl"
    words = ["study", "export", str(folder.path), "--out", str(out)]
    units = tmp_path / "units.jsonl"
    assert main([*words, *(["--units", str(units)] if protocol.startswith("factoids") else [])]) == 0
    data = assay.read(out)
    answers = {(i.id, j.system, j.rater, j.dimension, j.occasion): j.score for i in data for j in i.judgments}
    assert answers == pytest.approx(expected)
    assert any(occasion == 2 for *_, occasion in answers)
    assert replay_log(StudyContent(folder), folder.database()).is_sound
    capsys.readouterr()
    assert main(["agree", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])
    if protocol == "esa":
        assert main(["compare", str(out), "-d", "esa", "--json"]) == 0
        assert main(["meta", str(out), "-d", "esa", "-m", "rouge1", "--json"]) == 0
    if protocol.startswith("factoids"):
        assert main(["pyramid", "score", str(units), "--json"]) == 0
    database = folder.database()
    database.close()


def test_agree_finds_the_agreement_that_was_put_in(make_study, serve, tmp_path, capsys):
    """Two raters give what the text says, one with every fourth answer turned round."""
    folder = make_study(make_set(), invitations=["ann", "bob"])
    with serve(folder) as served:
        for code, wrong in (("ann", False), ("bob", True)):
            rater, count = served.rater(code), 0
            rater.start()
            while rater.stage == "task":
                words = rater.screen["texts"][0]["text"].split()
                value = 1 + (int(words[3]) + int(words[5])) % 5
                item = int(words[5])
                rater.answer({"ratings": {"quality": 6 - value if wrong and item % 4 == 0 else value}})
                count += 1
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["agree", str(out), "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    data = assay.read(out)
    assert first["alpha"] == pytest.approx(assay.agreement(data, "quality").alpha.value)
    assert 0.1 < first["alpha"] < 1
    same = [len({j.score for j in item.judgments if j.system == s}) == 1 for item in data for s in SYSTEMS]
    assert sum(same) / len(same) == pytest.approx(first["percent_agreement"])


def test_texts_of_editors_are_systems_and_go_on_to_be_rated(make_study, serve, tmp_path, capsys):
    folder = make_study(make_set(3), "shorten", invitations=["ed", "eve"])
    written = {}
    with serve(folder) as served:
        for number, code in ((1, "ed"), (2, "eve")):
            rater = served.rater(code)
            rater.start()
            tasks = served.service.state.rater(number).tasks
            while rater.stage == "task":
                source, task = rater.screen["source"][0], tasks[rater.screen["task"] - 1]
                text = source[: len(source) // 2 + number].strip()
                rater.do("edited", {"deltas": [[7, len(text), len(source) - len(text), ""]]}, task=rater.screen["task"])
                rater.answer({"text": text})
                written[task.item, code] = text
    out = tmp_path / "short.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    data = assay.read(out)
    assert {(item.id, editor): text for item in data for editor, text in item.outputs.items()} == written
    history = data.entries[0].extra["edit_history"]["ed"]
    _, start, deleted, inserted = history["deltas"][0]
    assert history["start"][:start] + inserted + history["start"][start + deleted :] == data.entries[0].outputs["ed"]
    assert main(["edits", str(out)]) == 0
    second = tmp_path / "rating"
    assert (
        main(["study", "new", str(out), "--dimensions", "meaning,grammar", "--scale", "1-3", "--out", str(second)]) == 0
    )
    capsys.readouterr()


def test_cut_units_go_on_to_be_marked(make_study, serve, tmp_path):
    folder = make_study(make_set(2), "cut", invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        while rater.stage == "task":
            rater.answer({"units": ["first unit", f"unit of {rater.screen['source'][0][:20]}"]})
    out = tmp_path / "units.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    data = assay.read(out)
    assert all(item.extra["units"][0] == "first unit" for item in data)
    assert main(["study", "new", str(out), "--protocol", "factoids", "--out", str(tmp_path / "next")]) == 0
