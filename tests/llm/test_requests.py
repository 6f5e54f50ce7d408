"""Requests: what is sent, under which key it is kept, and what it costs at most."""

from __future__ import annotations

import json

import pytest
from judging import make_session

from assay import EvalSet, Item
from assay.errors import InputError
from assay.llm.budget import Amount
from assay.llm.config import BudgetLimits, JudgeConfig, PointScale, Price
from assay.llm.requests import check_forms
from assay.llm.rubric import Rubric

URL = "http://localhost/v1"


def first(**settings):
    session = make_session(URL, **settings)
    return session.request_writers[0], next(session.all_questions())


def test_the_body():
    writer, question = first()
    body = writer.body(question)
    assert {k: v for k, v in body.items() if k != "messages"} == {
        "model": "test-model",
        "temperature": 0.0,
        "seed": 0,
        "max_tokens": 16,
    }
    assert writer.body(question._replace(repeat=3))["seed"] == 2


def test_the_ways_to_answer():
    writer, question = first(answer="json")
    assert writer.body(question)["response_format"]["type"] == "json_schema"
    writer, question = first(answer="probabilities")
    body = writer.body(question)
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)
    assert "response_format" not in body  # a grammar would not change the probabilities, only hide them


def test_what_an_endpoint_refuses_is_left_out():
    writer, question = first(judge={"leave_out": ("temperature", "seed"), "parameters": {"reasoning_effort": "low"}})
    body = writer.body(question)
    assert "temperature" not in body
    assert "seed" not in body
    assert body["reasoning_effort"] == "low"
    limited = {"leave_out": ("max_tokens",), "parameters": {"max_completion_tokens": 500}}
    writer, question = first(judge=limited)
    assert "max_tokens" not in writer.body(question)
    assert writer.bound(question, writer.body(question)).tokens > 500


def test_the_key_changes_with_everything_that_changes_the_answer():
    writer, question = first()
    key = writer.key(question, writer.body(question))
    assert key == writer.key(question, writer.body(question))
    assert key != writer.key(question._replace(repeat=2), writer.body(question))  # at temperature 0 as well
    others = [first(judge={"model": "other"}), first(judge={"temperature": 1.0}), first(answer="json")]
    others += [first(data=EvalSet([Item("0", sources=("source 0",), outputs={"A": "x"})]))]
    others += [first(dimensions=("relevance",))]
    session = make_session("http://localhost:1/v1")
    others.append((session.request_writers[0], next(session.all_questions())))
    assert len({key, *(w.key(q, w.body(q)) for w, q in others)}) == 7
    # the name of the judge, of the item and of the system say nothing about what is asked
    same = EvalSet([Item("else", sources=("source 0",), outputs={"Z": "output 0 of A"})])
    writer, question = first(data=same, judge={"name": "another"})
    assert writer.key(question, writer.body(question)) == key


def test_the_bound_is_above_any_tokenizer():
    writer, question = first(judge={"price": Price(input=1e6, output=2e6)})
    body = writer.body(question)
    text = json.dumps(body["messages"], ensure_ascii=False)
    bound = writer.bound(question, body)
    assert bound.tokens >= len(text.encode()) - 40 + 16
    assert bound.money == pytest.approx(bound.tokens - 16 + 2 * 16)


def test_the_cost_is_what_the_endpoint_counted():
    writer, _ = first(judge={"price": Price(input=1e6, output=2e6)})
    bound = Amount(1, 500, 900.0)
    usage = {"prompt_tokens": 100, "completion_tokens": 2}
    assert writer.actual({"usage": usage}, bound) == Amount(1, 102, 104.0)
    for wrong in (None, {}, {"usage": None}, {"usage": {"prompt_tokens": -1, "completion_tokens": 2}}, {"usage": {}}):
        assert writer.actual(wrong, bound) == bound
    assert writer.actual({"usage": {"prompt_tokens": True, "completion_tokens": "2"}}, bound) == bound


def test_what_cannot_work_is_refused():
    with pytest.raises(InputError, match="probabilities need logprobs, which leave_out names"):
        make_session(URL, answer="probabilities", judge={"leave_out": ("logprobs",)})
    with pytest.raises(InputError, match="a budget needs a limit of each answer"):
        make_session(URL, judge={"leave_out": ("max_tokens",)}, budget=BudgetLimits(tokens=5))
    config = JudgeConfig(judge=make_session(URL).config.judge, answer="probabilities")
    with pytest.raises(InputError, match="1 may begin another number"):
        check_forms(config, {"x": Rubric("x", "rating", "", PointScale(low=1, high=10), "")})
