"""A session is checked before anything is sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fault_server import completion
from judging import make_judge, make_session, small_set

from assay import EvalSet, Item
from assay.errors import InputError
from assay.llm.config import DimensionSettings, JudgeConfig
from assay.llm.journal import StoredAnswer
from assay.llm.question import list_units
from assay.llm.rubric import load_rubrics
from assay.llm.runner import Outcome
from assay.llm.session import JudgeAssignment, JudgeSession

URL = "http://localhost/v1"


def test_questions_come_judge_by_judge():
    session = make_session(URL, judges=(make_judge(URL, name="x"), make_judge(URL, name="y")))
    assert [q.judge for q in session.all_questions()] == [0] * 6 + [1] * 6


def test_an_outcome_is_read_by_the_rubric_of_its_dimension():
    session = make_session(URL, ("coherence", "preference"))
    questions = {q.dimension: q for q in session.all_questions()}
    for dimension, value in (("coherence", None), ("preference", "A")):
        outcome = Outcome(questions[dimension], StoredAnswer(completion("A"), 0.1, "now"))
        assert session.read(outcome).verdict.value == value
        assert session.find_failure(outcome) == (None if value else "unparsable reply")


def test_examples_are_read_from_the_folder_of_the_configuration(tmp_path):
    judged = [{"system": "A", "rater": "ann", "dimension": "coherence", "score": 2}]
    shot = {"id": "e", "source": "s", "outputs": {"A": "an example"}, "judgments": judged}
    (tmp_path / "shots.jsonl").write_text(json.dumps(shot))
    data, config = small_set(1), JudgeConfig(judge=(make_judge(URL),))
    rubrics = load_rubrics({"coherence": DimensionSettings(examples="shots.jsonl")}, Path())
    units = {"coherence": list_units(data, "rating", both_orders=True)}
    session = JudgeSession(data, config, JudgeAssignment(rubrics, units), tmp_path)
    messages = session.request_writers[0].body(next(session.all_questions()))["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] == "2"


def test_nothing_to_judge():
    with pytest.raises(InputError, match="there is nothing to judge"):
        make_session(URL, data=EvalSet([Item("0", sources=("s",), extra={"outputs": {}})], allow_missing=True))
