"""Judges asked by workers: the answers of one machine, none asked for twice, the key in no file, the budget kept."""

from __future__ import annotations

import json

import pytest
from fault_server import error
from judging import make_session, small_set

from assay.engines.run import ThreadsEngine
from assay.errors import InputError
from assay.llm.budget import Amount
from assay.llm.config import BudgetLimits
from assay.llm.journal import Journal
from assay.llm.judge import run_session
from assay.llm.parts import StoredRequests, ask_on_engine, read_question
from assay.llm.question import Question

KEY = "sk-0123456789abcdef"


@pytest.fixture
def ask(server, tmp_path):
    """Ask on an engine and read the journal; return the judged set, the result, and why it stopped."""

    def run(engine=ThreadsEngine, items=30, questions=7, **settings):
        session = make_session(server.url, data=small_set(items), **settings)
        with Journal(tmp_path / "answers.jsonl") as journal:
            stopped = ask_on_engine(session, journal, tmp_path / "parts", engine, questions=questions)
            data, result = run_session(session, journal, {}, timer=lambda: 0.0, ask=False, stopped=stopped)
        return data, result, stopped

    return run


def test_workers_answer_as_one_machine_does(ask, server, tmp_path):
    data, result, stopped = ask()
    assert (len(server.requests), stopped) == (60, "")
    session = make_session(server.url, data=small_set(30))
    with Journal(tmp_path / "one.jsonl") as journal:
        alone, _ = run_session(session, journal, {}, timer=lambda: 0.0)
    assert [item.judgments for item in data] == [item.judgments for item in alone]
    assert result.outputs == 60
    assert not (tmp_path / "parts").exists()


def test_nothing_is_asked_for_twice(ask, server):
    ask(items=12)
    ask(items=30)
    assert len(server.requests) == 60
    assert len({json.dumps(request, sort_keys=True) for request in server.requests}) == 60


class Killed(ThreadsEngine):
    """Does two tasks and is gone."""

    def run(self, tasks, out):
        for number, each in enumerate(super().run(tasks, out)):
            if number == 2:
                raise KeyboardInterrupt
            yield each


def test_answers_of_a_run_that_was_killed_are_kept(ask, server):
    with pytest.raises(KeyboardInterrupt):
        ask(Killed)
    before = len(server.requests)
    assert 20 < before < 60
    ask()
    assert len(server.requests) == 60


def test_the_key_is_in_no_file(ask, server, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    seen: list[bytes] = []

    class Watched(ThreadsEngine):
        def run(self, tasks, out):
            seen.extend(json.dumps(task.to_record()).encode() for task in tasks)
            for each in super().run(tasks, out):
                seen.extend(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
                yield each

    ask(Watched, judge={"key": "MY_KEY"})
    assert len(seen) > 10
    assert not any(KEY.encode() in content for content in seen)
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_a_worker_without_the_key_is_named_by_the_variable(ask):
    with pytest.raises(InputError, match="needs the environment variable NO_SUCH_KEY, which is not set"):
        ask(judge={"key": "NO_SUCH_KEY"})


def test_the_budget_holds_for_all_workers_together(ask, server):
    _, result, stopped = ask(budget=BudgetLimits(requests=45))
    assert stopped == "over budget"
    assert 30 <= len(server.requests) <= 45
    assert sum(total.failed for total in result.judges) == 60 - len(server.requests)


def test_useless_answers_end_the_run_after_the_first_task(ask, server):
    server.script = lambda number, body: "I would rather not say"
    _, _, stopped = ask()
    assert stopped.startswith("none of the first 20 answers is a judgment")
    assert len(server.requests) == 20


def test_failures_that_stay_are_in_the_judged_set(ask, server):
    server.script = lambda number, body: error(500, "oops") if "output 1 of A" in json.dumps(body) else "4"
    data, _, stopped = ask()
    assert stopped == ""
    assert len(data["1"].judgments) == len(data["2"].judgments) - 1


def test_stored_requests_are_those_of_the_session(server):
    session = make_session(server.url)
    [writer] = session.request_writers
    question = next(session.all_questions())
    body = writer.body(question)
    record = {"question": json.loads(json.dumps(question)), "key": writer.key(question, body), "body": body}
    stored = StoredRequests(writer.judge, [{**record, "bound": [1, 80, 0.0]}])
    assert stored.questions == [question] == [read_question([*question])]
    assert stored.key(question, stored.body(question)) == writer.key(question, body)
    assert stored.bound(question, body) == Amount(1, 80)
    assert read_question([0, "1", ["A", "B"], "coherence", None, 2]) == Question(
        0, "1", ("A", "B"), "coherence", None, 2
    )


@pytest.mark.slow
def test_processes_ask_as_one_machine_does(ask, server):
    pytest.importorskip("distributed")
    from assay.engines.dask import DaskEngine

    data, _, stopped = ask(lambda: DaskEngine(workers=2), items=60, questions=15)
    assert (len(server.requests), stopped) == (120, "")
    assert all(len(item.judgments) == 4 for item in data)
