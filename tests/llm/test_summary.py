"""Results of a run, and of one that was only planned."""

from __future__ import annotations

from math import isnan

import pytest
from fault_server import completion
from judging import make_session

from assay.llm.budget import Amount
from assay.llm.config import Price
from assay.llm.journal import StoredAnswer
from assay.llm.runner import Outcome
from assay.llm.summary import describe_plan, summarize


class Silent:
    """A runner that has nothing to say."""

    retries, stopped = 0, ""


def summary_of(reply, **settings):
    """The summary after every question was answered with `reply(question)`."""
    session = make_session("http://localhost/v1", **settings)
    judged = []
    for question in session.all_questions():
        answer = StoredAnswer(completion(reply(question)), 0.5, "now")
        judged.append(session.read(Outcome(question, answer, cost=Amount(1, 102, 0.25))))
    return summarize(session, judged, [Silent()], [0])  # type: ignore[list-item]


def test_ratings_are_described():
    result = summary_of(lambda q: "5" if q.systems == ("A",) else "2")
    (row,) = result["dimensions"]
    assert (row.questions, row.judged, row.mean, row.low, row.high, row.values) == (6, 6, 3.5, 2.0, 5.0, 2)
    assert (row.seconds, row.tokens, row.cost) == (0.5, 612, 1.5)
    assert isnan(row.identical)
    assert isnan(row.mass)
    assert result["models"] == {"test-model": {"test-model": 6}}


def test_repeats_are_compared():
    result = summary_of(lambda q: str(q.repeat) if q.item == "0" else "4", repeats=2)
    assert result["dimensions"][0].identical == pytest.approx(4 / 6)


def test_failures_come_with_an_example_the_most_frequent_first():
    replies = {"0": "x" * 500, "1": "9", "2": "y"}
    first, second = summary_of(lambda q: replies[q.item])["failures"]
    assert (first.category, first.count, first.item, first.system) == ("unparsable reply", 4, "0", "A")
    assert len(first.reply) == 160
    assert (second.category, second.count) == ("off the scale", 2)


def test_a_plan_sends_nothing(server):
    session = make_session(server.url, ("coherence", "preference"), judge={"price": Price(input=1.0, output=1.0)})
    plan = describe_plan(session, frozenset())
    assert plan.requests == 6 + 6
    assert plan.cost == pytest.approx(plan.tokens / 1e6)
    assert "output 0 of A" in plan.prompt
    known = {w.key(q, w.body(q)) for w in session.request_writers for q in session.all_questions()}
    assert describe_plan(session, frozenset(known)).requests == 0
    assert server.requests == []
