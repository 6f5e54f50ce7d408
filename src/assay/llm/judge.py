"""Run LLM judges on an evaluation set: what is asked, what came of it, and the judged set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

from ..data.evalset import EvalSet
from ..data.result import Result
from ..errors import InputError
from ..formats import read
from .assemble import JudgedQuestion, add_results, check_data, read_outcome
from .budget import Amount, JudgeBudget
from .client import Endpoint
from .config import JudgeConfig
from .journal import Journal
from .messages import MessageWriter, neutralize, shown_texts, write_examples
from .question import AskedUnit, Question, list_questions
from .reply import answering_model, reply_text
from .requests import RequestWriter, check_forms
from .rubric import Rubric
from .runner import Outcome, Runner, now

_EXCERPT = 160


@dataclass(frozen=True)
class JudgedDimension:
    """What one judge said about one dimension; `identical` is the share of outputs whose repeats all agree."""

    kind: ClassVar[str] = "judged"
    judge: str
    dimension: str
    questions: int
    judged: int
    failed: int
    mean: float
    low: float
    high: float
    values: int  # how many different ones
    seconds: float
    tokens: int
    cost: float
    repeats: int
    identical: float
    deterministic: bool  # whether the repeats were asked at temperature 0
    mass: float


@dataclass(frozen=True)
class JudgeTotals:
    """What one judge did in all; `stopped` says why some questions were not asked."""

    kind: ClassVar[str] = "judge"
    judge: str
    model: str
    answered_as: tuple[str, ...]
    requests: int
    answered: int
    from_journal: int
    sent_again: int
    retries: int
    failed: int
    tokens: int
    cost: float
    priced: bool
    neutralized: int
    stopped: str


@dataclass(frozen=True)
class FailureCount:
    """How often a judge failed in one way, with an example."""

    kind: ClassVar[str] = "failure"
    judge: str
    category: str
    count: int
    item: str
    system: str
    reply: str


@dataclass(frozen=True)
class JudgeRun(Result, question="judge_run", kind="judge_run"):
    """A run of one or several judges; `other_answers` are in the file of answers and belong to other requests."""

    out: str
    card: str
    answers: str
    answer: str  # number, json or probabilities
    outputs: int
    other_answers: int
    seconds: float
    judges: tuple[JudgeTotals, ...]
    dimensions: tuple[JudgedDimension, ...]
    failures: tuple[FailureCount, ...]
    models: Mapping[str, Mapping[str, int]] = field(default_factory=dict, repr=False)  # by judge: who answered
    times: tuple[str, str] = field(default=("", ""), repr=False)


@dataclass(frozen=True)
class JudgePlan(Result, question="judge_run", kind="judge_plan"):
    """What a run would send, and cost at most; nothing was sent. `prompt` is the first one."""

    requests: int
    answered: int
    tokens: int
    cost: float
    priced: bool
    judges: tuple[str, ...]
    dimensions: tuple[str, ...]
    prompt: str


@dataclass(frozen=True)
class JudgeAssignment:
    """What is judged, and by which rubric; `instructions` are those of a study, for rubrics that show them."""

    rubrics: Mapping[str, Rubric]
    units: Mapping[str, Sequence[AskedUnit]]
    instructions: str = ""


class JudgeSession:
    """Everything that is needed to ask: made and checked before anything is sent."""

    def __init__(self, data: EvalSet, config: JudgeConfig, assignment: JudgeAssignment, folder: Path) -> None:
        self.data, self.config, self.assignment = data, config, assignment
        check_forms(config, assignment.rubrics)
        check_data(data, config, assignment.rubrics)
        self.writers = {d: self._writer(r, folder) for d, r in assignment.rubrics.items()}
        for dimension, units in assignment.units.items():
            for item in dict.fromkeys(unit.item for unit in units):
                self.writers[dimension].check(data[item])
        if not any(assignment.units.values()):
            raise InputError("there is nothing to judge: no dimension has outputs")
        self.request_writers = [RequestWriter(judge, config, self.writers, data) for judge in config.judge]

    def _writer(self, rubric: Rubric, folder: Path) -> MessageWriter:
        writer = MessageWriter(rubric, self.config, instructions=self.assignment.instructions)
        if rubric.examples is None:
            return writer
        path = folder / rubric.examples
        shots = write_examples(writer, read(path, allow_missing=True), self.data, self.config, path)
        return MessageWriter(rubric, self.config, instructions=self.assignment.instructions, examples=shots)

    def questions(self, judge: int) -> Iterator[Question]:
        """List the questions to one judge."""
        for dimension, rubric in self.assignment.rubrics.items():
            units = self.assignment.units[dimension]
            yield from list_questions(judge, self.data, rubric, units, self.config.repeats)

    def all_questions(self) -> Iterator[Question]:
        """List the questions to all judges."""
        for number in range(len(self.config.judge)):
            yield from self.questions(number)

    def read(self, outcome: Outcome) -> JudgedQuestion:
        """Read the reply to a question."""
        return read_outcome(outcome, self.assignment.rubrics[outcome.question.dimension], self.config)

    def find_failure(self, outcome: Outcome) -> str | None:
        """Return why an outcome is no judgment; None where it is one."""
        return self.read(outcome).verdict.failure

    def describe(self, known: frozenset[str]) -> JudgePlan:
        """Return what a run would send and cost at most, beside requests with a known answer."""
        total, answered, prompt = Amount(), 0, ""
        for question in self.all_questions():
            writer = self.request_writers[question.judge]
            body = writer.body(question)
            prompt = prompt or body["messages"][-1]["content"]
            if writer.key(question, body) in known:
                answered += 1
            else:
                total = total.plus(writer.bound(question, body))
        judges = tuple(judge.rater for judge in self.config.judge)
        priced = all(judge.price is not None for judge in self.config.judge)
        dimensions = tuple(self.assignment.rubrics)
        return JudgePlan(total.requests, answered, total.tokens, total.money, priced, judges, dimensions, prompt)


def run_session(
    session: JudgeSession,
    journal: Journal,
    keys: Mapping[str, str],
    *,
    follow: Callable[[Iterable[Outcome]], Iterable[Outcome]] = iter,
    on_budget: Callable[[JudgeBudget], None] = lambda budget: None,
    clock: Callable[[], str] = now,
    out: str = "",
    card: str = "",
    timer: Callable[[], float],
) -> tuple[EvalSet, JudgeRun]:
    """Ask everything, and return the judged set and what came of it."""
    start, began = timer(), clock()
    own_keys, spent, again = _already_spent(session, journal)
    others = len(journal.answers.keys() - own_keys)
    budget = JudgeBudget(session.config.budget, spent)
    on_budget(budget)
    runners: list[Runner] = []

    def ask_all() -> Iterator[Outcome]:
        for number, judge in enumerate(session.config.judge):
            endpoint = Endpoint(judge, keys.get(judge.rater))
            try:
                runner = Runner(
                    session.request_writers[number], endpoint, journal, budget, clock=clock, read=session.find_failure
                )
                runners.append(runner)
                yield from runner.run(session.questions(number))
            finally:
                endpoint.close()

    judged = [session.read(outcome) for outcome in follow(ask_all())]
    if not any(each.outcome.answer for each in judged):
        raise InputError(_explain_nothing(judged, runners))
    judged.sort(key=_place(session))
    data = add_results(session.data, judged, session.config, session.assignment.rubrics)
    result = _summarize(session, judged, runners, again)
    return data, JudgeRun(
        out=out,
        card=card,
        answers=str(journal.path),
        answer=session.config.answer,
        outputs=len({(q.item, s) for q in (each.question for each in judged) for s in q.systems}),
        other_answers=others,
        seconds=timer() - start,
        times=(began, clock()),
        **result,
    )


def _already_spent(session: JudgeSession, journal: Journal) -> tuple[set[str], Amount, list[int]]:
    """Return the keys of this run, what was spent on them, and by judge how many were sent and never answered."""
    keys, spent, again = set(), Amount(), [0] * len(session.config.judge)
    for question in session.all_questions():
        writer = session.request_writers[question.judge]
        body = writer.body(question)
        key = writer.key(question, body)
        keys.add(key)
        bound = writer.bound(question, body)
        sent = journal.sent[key]
        lost = len(journal.lost.get(key, ()))
        tokens = journal.charged[key] + sum(journal.lost.get(key, ()))
        money = bound.money * tokens / bound.tokens
        if key in journal.answers:
            actual = writer.actual(journal.answers[key].response, bound)
            tokens, money = tokens + actual.tokens, money + actual.money
        elif lost:
            again[question.judge] += lost
        spent = spent.plus(Amount(sent, tokens, money))
    return keys, spent, again


def _explain_nothing(judged: Sequence[JudgedQuestion], runners: Sequence[Runner]) -> str:
    stopped = next((r.stopped for r in runners if r.stopped), "")
    counts = Counter(each.verdict.failure for each in judged)
    words = next((each.outcome.words for each in judged if each.outcome.words), "")
    listed = ", ".join(f"{category} ({count})" for category, count in counts.most_common(4))
    reason = f"; {stopped}" if stopped else ""
    where = ", ".join(dict.fromkeys(runner.url for runner in runners))
    return f"no question was answered by {where}: {listed}{f': {words}' if words else ''}{reason}"


def _place(session: JudgeSession) -> Callable[[JudgedQuestion], int]:
    """Return the planned place of a question, so that a resumed run writes the same set."""
    order = {question: n for n, question in enumerate(session.all_questions())}
    return lambda each: order[each.question]


def _summarize(
    session: JudgeSession, judged: Sequence[JudgedQuestion], runners: Sequence[Runner], again: Sequence[int]
) -> dict[str, Any]:
    by_judge: dict[int, list[JudgedQuestion]] = defaultdict(list)
    for each in judged:
        by_judge[each.question.judge].append(each)
    models = {session.config.judge[n].rater: _models(part) for n, part in by_judge.items()}
    return {
        "judges": tuple(_totals(session, n, part, runners[n], again[n]) for n, part in by_judge.items()),
        "dimensions": tuple(
            _describe_dimension(session, n, d, [each for each in part if each.question.dimension == d])
            for n, part in by_judge.items()
            for d in session.assignment.rubrics
        ),
        "failures": tuple(f for n, part in by_judge.items() for f in _count_failures(session, n, part)),
        "models": models,
    }


def _models(judged: Iterable[JudgedQuestion]) -> dict[str, int]:
    answers = (each.outcome.answer for each in judged)
    return dict(Counter(answering_model(a.response) for a in answers if a is not None))


def _totals(session: JudgeSession, n: int, judged: Sequence[JudgedQuestion], runner: Runner, again: int) -> JudgeTotals:
    judge = session.config.judge[n]
    answered = [each for each in judged if each.outcome.answer is not None]
    return JudgeTotals(
        judge=judge.rater,
        model=judge.model,
        answered_as=tuple(_models(judged)),
        requests=len(judged),
        answered=len(answered),
        from_journal=sum(each.outcome.cached for each in judged),
        sent_again=again,
        retries=runner.retries,
        failed=sum(each.verdict.failure is not None for each in judged),
        tokens=sum(each.outcome.cost.tokens for each in judged),
        cost=sum(each.outcome.cost.money for each in judged),
        priced=judge.price is not None,
        neutralized=_count_neutralized(session, judged),
        stopped=runner.stopped,
    )


def _count_neutralized(session: JudgeSession, judged: Iterable[JudgedQuestion]) -> int:
    """Count the texts in which marks of a chat template or tags were found and replaced."""
    texts = set()
    for each in judged:
        q = each.question
        places = session.assignment.rubrics[q.dimension].places
        texts.update(shown_texts(session.data[q.item], q, places))
    return sum(neutralize(text) != text for text in texts)


def _describe_dimension(
    session: JudgeSession, n: int, dimension: str, judged: Sequence[JudgedQuestion]
) -> JudgedDimension:
    judge = session.config.judge[n]
    values = [float(v) for each in judged if isinstance(v := each.verdict.value, (bool, float))]
    answers = [a for each in judged if (a := each.outcome.answer) is not None]
    masses = [m for each in judged if (m := each.verdict.mass) is not None]
    failed = sum(each.verdict.failure is not None for each in judged)
    return JudgedDimension(
        judge=judge.rater,
        dimension=dimension,
        questions=len(judged),
        judged=len(judged) - failed,
        failed=failed,
        mean=fmean(values) if values else nan,
        low=min(values, default=nan),
        high=max(values, default=nan),
        values=len({each.verdict.value for each in judged if each.verdict.value is not None}),
        seconds=fmean(a.seconds for a in answers) if answers else nan,
        tokens=sum(each.outcome.cost.tokens for each in judged),
        cost=sum(each.outcome.cost.money for each in judged),
        repeats=session.config.repeats,
        identical=_share_identical(judged),
        deterministic=judge.temperature == 0 and "temperature" not in judge.leave_out,
        mass=fmean(masses) if masses else nan,
    )


def _share_identical(judged: Iterable[JudgedQuestion]) -> float:
    """Return the share of what was asked twice or more whose answers are all the same; NaN without repeats."""
    values: dict[Question, list[object]] = defaultdict(list)
    for each in judged:
        if each.verdict.value is not None:
            values[each.question._replace(repeat=0)].append(each.verdict.value)
    repeated = [group for group in values.values() if len(group) > 1]
    return fmean(len(set(group)) == 1 for group in repeated) if repeated else nan


def _count_failures(session: JudgeSession, n: int, judged: Iterable[JudgedQuestion]) -> Iterator[FailureCount]:
    groups: dict[str, list[JudgedQuestion]] = defaultdict(list)
    for each in judged:
        if each.verdict.failure is not None:
            groups[each.verdict.failure].append(each)
    for category, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        first = group[0]
        answer = first.outcome.answer
        text = first.outcome.words if answer is None else reply_text(answer.response)
        system = " / ".join(first.question.systems)
        yield FailureCount(
            session.config.judge[n].rater, category, len(group), first.question.item, system, text[:_EXCERPT]
        )
