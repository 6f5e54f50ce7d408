"""The runner against a server that fails: retries, limits, waiting, stopping, and never asking twice."""

from __future__ import annotations

import json
from collections import Counter
from time import sleep

import pytest
from fault_server import Fault, completion, error
from judging import make_session, small_set

from assay.errors import InputError
from assay.llm.budget import Amount, JudgeBudget
from assay.llm.client import Endpoint
from assay.llm.config import BudgetLimits
from assay.llm.journal import Journal
from assay.llm.runner import Runner


@pytest.fixture
def spent() -> list[JudgeBudget]:
    """The budgets of the runs of a test."""
    return []


@pytest.fixture
def run(server, tmp_path, spent):
    """Run a session; return the outcomes and the runner."""

    def run_session(key: str | None = None, **settings):
        session = make_session(server.url, **settings)
        endpoint = Endpoint(session.config.judge[0], key)
        with Journal(tmp_path / "answers.jsonl") as journal:
            budget = JudgeBudget(session.config.budget)
            runner = Runner(session.request_writers[0], endpoint, journal, budget, clock=lambda: "now")
            outcomes = list(runner.run(session.all_questions()))
        endpoint.close()
        spent.append(budget)
        return outcomes, runner

    return run_session


def failures(outcomes) -> Counter:
    return Counter(outcome.failure for outcome in outcomes)


def test_everything_is_answered_once(run, server):
    outcomes, _ = run()
    assert failures(outcomes) == {None: 6}
    assert len(server.requests) == 6
    again, _ = run()
    assert len(server.requests) == 6
    assert all(outcome.cached for outcome in again)
    assert {o.question: o.answer for o in outcomes} == {o.question: o.answer for o in again}


def test_several_at_a_time_and_no_more(run, server):
    server.script = lambda number, body: sleep(0.03) or "4"
    run(data=small_set(8), judge={"concurrency": 3})
    assert server.most_at_once == 3


@pytest.mark.parametrize("fault", [error(500, "oops"), error(429, "slow"), Fault(drop=True), Fault(hang=1.2, body="4")])
def test_a_passing_failure_is_tried_again(run, server, fault):
    server.script = lambda number, body: fault if number < 2 else "4"
    outcomes, runner = run(judge={"timeout": 0.8, "patience": 5.0})
    assert failures(outcomes) == {None: 6}
    assert runner.retries == 2
    assert len(server.requests) == 8


def test_a_failure_that_stays_is_counted_and_the_others_are_answered(run, server):
    server.script = lambda number, body: error(500, "oops") if "output 1 of A" in json.dumps(body) else "4"
    outcomes, _ = run()
    assert failures(outcomes) == {None: 5, "server error": 1}
    assert len(server.requests) == 5 + 3  # two retries
    server.script = lambda number, body: "4"
    outcomes, _ = run()
    assert failures(outcomes) == {None: 6}
    assert len(server.requests) == 9  # only what was never answered


def test_a_rate_limit_for_an_hour_stops_the_run(run, server):
    server.script = lambda number, body: "4" if number < 3 else error(429, "slow down", headers={"Retry-After": "3600"})
    outcomes, runner = run()
    assert failures(outcomes) == {None: 3, "not asked": 3}
    assert runner.stopped.startswith("rate limit: nothing was answered for")
    server.script = lambda number, body: "4"
    outcomes, _ = run()
    assert failures(outcomes) == {None: 6}
    assert sum(outcome.cached for outcome in outcomes) == 3


def test_an_endpoint_that_is_down_stops_the_run(run, server):
    server.script = lambda number, body: Fault(drop=True)
    outcomes, runner = run(data=small_set(20), judge={"retries": 0})
    assert "requests in a row failed (no connection" in runner.stopped
    assert len(server.requests) < 20
    assert failures(outcomes)["not asked"] >= 20


def test_a_wrong_key_is_an_error_at_once(run, server):
    server.script = lambda number, body: error(401, "bad key")
    with pytest.raises(InputError, match="answered 401"):
        run(key="sk-secret", data=small_set(20))
    assert len(server.requests) <= 2


def test_a_refused_parameter_is_an_error_that_says_what_to_leave_out(run, server):
    server.script = lambda number, body: error(400, "Unsupported value: 'temperature' does not support 0")
    with pytest.raises(InputError, match=r'refuses the request: 400 .*leave it out: leave_out = \["temperature"\]'):
        run(data=small_set(20))
    assert len(server.requests) <= 4


def test_a_single_refused_request_is_counted(run, server):
    server.script = lambda number, body: error(400, "too long") if "output 2 of B" in json.dumps(body) else "4"
    outcomes, _ = run()
    assert failures(outcomes) == {None: 5, "request refused": 1}


def test_all_refused(run, server):
    server.script = lambda number, body: error(422, "no")
    with pytest.raises(InputError, match="refuses the request: 422 no"):
        run(data=small_set(1))


@pytest.mark.parametrize("limits", [BudgetLimits(requests=4), BudgetLimits(tokens=102 * 4 + 1700)])
def test_the_budget_is_kept(run, server, limits, spent):
    outcomes, runner = run(data=small_set(10), budget=limits, judge={"concurrency": 4})
    total = spent[-1].spent
    assert limits.requests is None or total.requests <= limits.requests
    assert limits.tokens is None or total.tokens <= limits.tokens
    assert runner.stopped == "over budget"
    assert failures(outcomes)["over budget"] == 20 - failures(outcomes)[None] > 0
    assert failures(outcomes)[None] >= 4
    assert len(server.requests) == total.requests


def test_a_timeout_may_have_been_charged(run, server, spent):
    server.script = lambda number, body: Fault(hang=1.2, body="4") if number == 0 else "4"
    run(data=small_set(1, "A"), judge={"timeout": 0.8})
    assert spent[-1].spent.tokens > 500 + 102
    assert spent[-1].spent == Amount(2, spent[-1].spent.tokens)


def test_malformed_responses_are_answers_that_were_paid_for(run, server):
    server.script = lambda number, body: Fault(raw=b'{"choices": [') if number == 0 else completion("4")
    outcomes, _ = run()
    assert failures(outcomes) == {None: 6}
    run()
    assert len(server.requests) == 6
