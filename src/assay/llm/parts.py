"""Ask the questions of a run on the workers of an engine; all answers come into the one journal of the run.

Workers are given a file of requests and which of them to ask. The key of a judge is in no task and in no file: each
worker takes it from its own environment. What a worker is answered is on disk, in a journal of its own, before anything
else happens; the journals are moved into that of the run, also those that a run which was killed has left.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ..engines.run import Follow, TaskEngine, run_tasks
from ..engines.storage import LocalFolder, RunFolder, input_stamp, is_remote
from ..engines.task import PartTask, own_versions
from ..errors import FormatError, InputError
from ..files import write_whole
from ..formats import ReadProgress, read_json_lines
from .budget import Amount, JudgeBudget
from .client import Endpoint
from .config import BudgetLimits, JudgeSettings, check_judge_keys
from .journal import Journal
from .judge import sum_spent
from .question import Question
from .reply import OTHER_MODEL, UNSTATED, answering_model
from .requests import actual_amount
from .runner import MAX_USELESS, OVER_BUDGET, Outcome, Runner
from .session import JudgeSession

QUESTIONS = 100  # of a task: some minutes of asking
_ANSWERS = "answers-*.jsonl"


class StoredRequests:
    """Requests to one judge that were written to a file, by their question."""

    def __init__(self, judge: JudgeSettings, records: Sequence[Mapping[str, Any]]) -> None:
        self.judge = judge
        self._records = {read_question(record["question"]): record for record in records}

    @property
    def questions(self) -> list[Question]:
        """What is asked, in order."""
        return list(self._records)

    def body(self, question: Question) -> dict[str, Any]:
        """Return the body of a request."""
        return dict(self._records[question]["body"])

    def key(self, question: Question, body: Mapping[str, Any]) -> str:
        """Return the key of a request in the journal."""
        return str(self._records[question]["key"])

    def bound(self, question: Question, body: Mapping[str, Any]) -> Amount:
        """Return what a request may cost at most."""
        return Amount(*self._records[question]["bound"])

    def actual(self, response: Any, bound: Amount) -> Amount:
        """Return what a request did cost."""
        return actual_amount(self.judge, response, bound)


def ask_on_engine(
    session: JudgeSession,
    journal: Journal,
    folder: Path,
    engine: Callable[[], TaskEngine],
    *,
    follow: Follow | None = None,
    questions: int = QUESTIONS,
) -> str:
    """Ask what the journal does not hold; return why some questions were not asked, nothing where all were.

    A first task asks a few alone: where none of its answers is a judgment, nothing more is paid for. The budget is
    divided among tasks by their questions, so that they never exceed it together. The folder must be seen by all
    workers; it is removed in the end.
    """
    if is_remote(str(folder)):
        raise InputError(f"{folder}: judges are asked from a folder that is mounted on all workers")
    collect_answers(folder, journal)
    pending = [q for q in session.all_questions() if _key(session, q) not in journal.answers]
    if not pending:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "requests.jsonl"
    write_whole(file, b"".join(_describe_requests(session, pending)))
    first = min(MAX_USELESS, len(pending))
    running = engine()
    try:
        pilot = _plan(file, [0, first], _budget_left(session, journal))
        stopped = "" if pilot else OVER_BUDGET
        for entry in run_tasks(pilot, str(folder / "first"), running) if pilot else ():
            collect_answers(folder, journal)
            stopped = _judge_pilot(session, journal, pending[:first]) or str(entry["stopped"])
        if not stopped and first < len(pending):
            bounds = [*range(first, len(pending), questions), len(pending)]
            tasks = _plan(file, bounds, _budget_left(session, journal))
            stopped = OVER_BUDGET if len(tasks) < len(bounds) - 1 else ""
            entries = run_tasks(tasks, str(folder / "rest"), running, follow=follow) if tasks else []
            stopped = next((str(entry["stopped"]) for entry in entries if entry["stopped"]), stopped)
    finally:
        running.close()
        with suppress(FormatError):  # a worker may still ask, after Ctrl-C: the next start takes its answers
            collect_answers(folder, journal)
    shutil.rmtree(folder)
    return stopped


def ask_part(task: PartTask, path: str, folder: RunFolder, threads: int) -> dict[str, Any]:
    """Ask some requests of a file and keep the answers next to it; return what the entry says of them."""
    if not isinstance(folder, LocalFolder):
        raise InputError(f"{folder.url}: judges are asked from a folder that is mounted on all workers")
    start, stop = task.settings["requests"]
    judges, records = _read_requests(path, start, stop)
    keys = check_judge_keys(judges, os.environ)
    answered, stopped = 0, ""
    with Journal(Path(path).parent / f"answers-{start}-{stop}.jsonl") as journal:
        # A worker that was killed may have sent some of these.
        budget = JudgeBudget(BudgetLimits(**task.settings["budget"]), _sum_sent(journal, judges, records))
        for number, judge in enumerate(judges):
            own = StoredRequests(judge, [record for record in records if record["question"][0] == number])
            endpoint = Endpoint(judge, keys.get(judge.rater))
            try:
                runner = Runner(own, endpoint, journal, budget, read=_refuse_others(judge))
                answered += sum(outcome.answer is not None for outcome in runner.run(own.questions))
            finally:
                endpoint.close()
            stopped = stopped or runner.stopped
    return {"rows": stop - start, "answered": answered, "stopped": stopped}


def _sum_sent(journal: Journal, judges: Sequence[JudgeSettings], records: Sequence[Mapping[str, Any]]) -> Amount:
    """Return what an earlier try at these requests has cost, or may have."""
    total = Amount()
    for record in records:
        key, bound = record["key"], Amount(*record["bound"])
        tokens = journal.charged[key] + sum(journal.lost.get(key, ()))
        total = total.plus(Amount(journal.sent[key], tokens, bound.money * tokens / bound.tokens))
        if key in journal.answers:
            actual = actual_amount(judges[record["question"][0]], journal.answers[key].response, bound)
            total = total.plus(Amount(0, actual.tokens, actual.money))
    return total


def collect_answers(folder: Path, journal: Journal) -> None:
    """Move what workers wrote into the journal of the run."""
    for path in sorted(folder.glob(_ANSWERS)):
        journal.merge(path)


def read_question(values: Sequence[Any]) -> Question:
    """Return the question that was written as a list of values."""
    judge, item, systems, dimension, unit, repeat = values
    return Question(judge, item, tuple(systems), dimension, unit, repeat)


def _key(session: JudgeSession, question: Question) -> str:
    writer = session.request_writers[question.judge]
    return writer.key(question, writer.body(question))


def _describe_requests(session: JudgeSession, questions: Sequence[Question]) -> Iterator[bytes]:
    """Yield the lines of a file of requests: the judges, then a request each."""
    yield msgspec.json.encode({"judges": session.config.judge}) + b"\n"
    for question in questions:
        writer = session.request_writers[question.judge]
        body = writer.body(question)
        record = {"question": question, "key": writer.key(question, body), "bound": writer.bound(question, body)}
        yield msgspec.json.encode({**record, "body": body}) + b"\n"


def _read_requests(path: str, start: int, stop: int) -> tuple[tuple[JudgeSettings, ...], list[dict[str, Any]]]:
    lines = (record for _, record in read_json_lines(Path(path), ReadProgress()))
    judges = msgspec.convert(next(lines)["judges"], tuple[JudgeSettings, ...])
    return judges, [record for number, record in enumerate(lines) if start <= number < stop]


def _plan(file: Path, bounds: Sequence[int], left: Mapping[str, float | None]) -> list[PartTask]:
    """Return the tasks that ask from bound to bound, with their shares of the budget; none for a share of nothing."""
    stamp, tasks = input_stamp(str(file)), []
    for start, stop in pairwise(bounds):
        before, after = ((bound - bounds[0]) / (bounds[-1] - bounds[0]) for bound in (start, stop))
        budget = {
            name: None
            if value is None
            else value * (after - before)
            if name == "money"
            else int(value * after) - int(value * before)
            for name, value in left.items()
        }
        if all(share is None or share > 0 for share in budget.values()):
            settings = {"requests": [start, stop], "budget": budget}
            tasks.append(PartTask("judge", str(file), stamp, settings, own_versions()))
    return tasks


def _budget_left(session: JudgeSession, journal: Journal) -> dict[str, float | None]:
    spent, limits = sum_spent(session, journal), session.config.budget
    whole = {"requests": limits.requests, "tokens": limits.tokens, "money": limits.money}
    return {name: None if most is None else most - getattr(spent, name) for name, most in whole.items()}


def _judge_pilot(session: JudgeSession, journal: Journal, questions: Sequence[Question]) -> str:
    """Return why a run should end after its first answers: none of them is a judgment."""
    answers = [(q, journal.answers.get(_key(session, q))) for q in questions]
    failures = [session.find_failure(Outcome(q, answer)) for q, answer in answers if answer is not None]
    if len(failures) < MAX_USELESS or None in failures:
        return ""
    return f"none of the first {len(failures)} answers is a judgment ({failures[-1]})"


def _refuse_others(judge: JudgeSettings) -> Callable[[Outcome], str | None]:
    """Return the function that tells an answer of another model; whether it is a judgment is read later."""

    def read(outcome: Outcome) -> str | None:
        model = UNSTATED if outcome.answer is None else answering_model(outcome.answer.response)
        return None if model == UNSTATED or judge.accepts_model(model) else OTHER_MODEL

    return read
