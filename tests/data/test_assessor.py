"""The kind of an assessor: stated in files or by name, and who counts as a person."""

from __future__ import annotations

import gzip
import json
import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment, read, write
from assay.data.assessor import Assessor, match_kinds, match_raters
from assay.errors import AlignmentError, AssayError, InputError, UnknownName
from assay.raters import agreement, alt_test, consistency, drop_editors

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def one(*judgments: Judgment) -> EvalSet:
    return EvalSet([Item("1", outputs={"A": "a", "B": "b"}, judgments=judgments)])


MIXED = one(
    Judgment("A", "ann", "fluency", 1.0),
    Judgment("A", "bob", "fluency", 3.0, kind="human"),
    Judgment("A", "gpt", "fluency", 5.0, kind="llm"),
    Judgment("B", "gpt", "fluency", 5.0),  # stated once is stated
    Judgment("A", "bleu", "overlap", 0.5, kind="metric"),
)


def test_assessors_have_a_name_and_a_kind():
    assert MIXED.assessors == (
        Assessor("ann", "human"),
        Assessor("bob", "human"),
        Assessor("gpt", "llm"),
        Assessor("bleu", "metric"),
    )
    assert MIXED.raters == ("ann", "bob")
    assert MIXED.dimensions == ("fluency",)
    assert MIXED.judged_dimensions == ("fluency", "overlap")


def test_human_is_people_only():
    human = MIXED.human("fluency")
    assert human.values[:, 0].tolist() == [2.0, pytest.approx(np.nan, nan_ok=True)]
    assert human.signature == "human(fluency)"
    judge = MIXED.human("fluency", rater="gpt")
    assert judge.values[:, 0].tolist() == [5.0, 5.0]
    assert judge.signature == "llm(fluency, rater=gpt)"


def test_other_kinds_are_asked_for():
    llm = MIXED.use_assessors("llm")
    assert llm.raters == ("gpt",)
    assert llm.human("fluency").signature == "llm(fluency)"
    assert llm.select(["1"]).raters == ("gpt",)
    with pytest.raises(InputError, match=r"no person judged 'overlap', only bleu \(metric\): count them with --kind"):
        MIXED.human("overlap")
    with pytest.raises(UnknownName, match="unknown kind of assessor 'robot'"):
        MIXED.use_assessors("robot")


def test_ratings_keep_the_kinds():
    ratings = MIXED.ratings("fluency", also=["gpt"])
    assert ratings.raters == ("ann", "bob", "gpt")
    assert ratings.kinds == ("human", "human", "llm")
    assert ratings.people == ("ann", "bob")
    assert ratings.without("ann").kinds == ("human", "llm")
    assert MIXED.ratings("fluency").raters == ("ann", "bob")


def test_questions_about_people_leave_machines_out():
    rows = [
        Judgment(system, rater, "fluency", float(score), kind=kind)
        for system in "AB"
        for rater, score, kind in (
            ("ann", 1 + (system == "A"), None),
            ("bob", 1 + (system == "A"), None),
            ("x", 9, "llm"),
        )
    ]
    items = [Item(str(i), outputs={"A": "same", "B": "same"}, judgments=tuple(rows)) for i in range(3)]
    data = EvalSet(items)
    assert agreement(data, "fluency", interval=False).raters == ("ann", "bob")
    assert [r.rater for r in consistency(data, "fluency", interval=False).raters] == ["ann", "bob"]
    assert drop_editors(data, worst=1).ratings.raters == ("ann", "bob")  # type: ignore[union-attr]


def test_a_name_of_two_kinds_is_refused():
    data = one(Judgment("A", "x", "d", 1.0, kind="llm"), Judgment("B", "x", "d", 1.0, kind="human"))
    with pytest.raises(AlignmentError, match="rater 'x' is of kind human here and of kind llm before"):
        assert data.assessors


@pytest.mark.parametrize("kind", ["robot", "LLM", ""])
def test_an_unknown_kind_is_refused(kind):
    with pytest.raises(InputError, match="the kind of rater 'x' must be human, llm or metric; got str"):
        one(Judgment("A", "x", "d", 1.0, kind=kind))
    with pytest.raises(AssayError, match="human, llm, metric"):
        match_kinds({"x": kind}, ["x"])


def test_patterns_name_raters():
    assert match_raters(["gpt*", "ann"], ["ann", "gpt-4o", "bob"]) == ["ann", "gpt-4o"]
    with pytest.raises(UnknownName, match=r"unknown rater 'gemini\*'"):
        MIXED.with_kinds({"gemini*": "llm"})
    assert MIXED.with_kinds({"b*": "llm"}).raters == ("ann",)
    assert MIXED.keep_raters(["ann"]).assessors == (("ann", "human"), ("gpt", "llm"), ("bleu", "metric"))


HEADS = ['{"raters": {"gpt": "llm"}}\n', '{"raters": {"gpt": {"kind": "llm"}}, "scales": {"d": {"best": "low"}}}\n']


@pytest.mark.parametrize("head", HEADS)
def test_a_first_line_states_kinds(tmp_path, head):
    judgments = [{"system": "A", "rater": r, "dimension": "d", "score": 1} for r in ("ann", "gpt")]
    (tmp_path / "a.jsonl").write_text(head + json.dumps({"id": "1", "outputs": {"A": "a"}, "judgments": judgments}))
    data = read(tmp_path / "a.jsonl")
    assert data.assessors == (("ann", "human"), ("gpt", "llm"))
    write(data, tmp_path / "b.jsonl")
    assert read(tmp_path / "b.jsonl") == data


def test_an_item_states_kinds_and_is_written_back_unchanged(tmp_path):
    judgments = [{"system": "A", "rater": r, "dimension": "d", "score": 1.5} for r in ("ann", "gpt")]
    line = {"id": "1", "outputs": {"A": "a"}, "judgments": judgments, "raters": {"gpt": "llm"}}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    data = read(tmp_path / "a.jsonl")
    assert data.raters == ("ann",)
    write(data, tmp_path / "b.jsonl")
    assert json.loads((tmp_path / "b.jsonl").read_text()) == line
    line["raters"] = ["ann", "gpt"]  # another key of the same name
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    assert read(tmp_path / "a.jsonl").raters == ("ann", "gpt")


@pytest.mark.parametrize("name", ["set", "csv"])
def test_tables_keep_kinds(tmp_path, name):
    write(MIXED, tmp_path / "x", format="tables" if name == "set" else "csv")
    assert read(tmp_path / "x").assessors == MIXED.assessors


@pytest.mark.skipif(not (DATA / "summeval-llm-judges.jsonl.gz").exists(), reason="needs ../shared/data")
@pytest.mark.parametrize(("judge", "wins", "advantage"), [("gpt-4o", 1.0, 0.7519), ("gemini_pro", 2 / 3, 0.6646)])
def test_an_llm_is_tested_against_people_only(judge, wins, advantage):
    """Against the three experts of SummEval, with five other LLMs in the set; figures of the authors' notebook."""
    judged = defaultdict(list)
    with gzip.open(DATA / "summeval-llm-judges.jsonl.gz") as file:
        for row in map(json.loads, file):
            if row["dimension"] == "coherence":
                judged[row["item"]].append(
                    Judgment(row["system"], row["rater"], "coherence", row["score"], 1, row["kind"])
                )
    data = read(DATA / "summeval.jsonl.gz", strip_tags=True)
    items = [
        Item(i.id, (), i.outputs, judgments=(*(j for j in i.judgments if j.dimension == "coherence"), *judged[i.id]))
        for i in data
    ]
    result = alt_test(EvalSet(items).keep_raters(["expert*"]), "coherence", judge=judge)
    assert [row.rater for row in result.humans] == ["expert1", "expert2", "expert3"]
    assert (result.winning_rate, round(result.advantage, 4)) == (pytest.approx(wins), advantage)
