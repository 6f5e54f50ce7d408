"""What came of a run of judges, or would come of it, as results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from statistics import fmean
from typing import Any, ClassVar

from ..data.result import Result
from .assemble import JudgedQuestion
from .budget import Amount
from .messages import neutralize, shown_texts
from .question import Question
from .reply import answering_model, reply_text
from .runner import Runner
from .session import JudgeSession

_EXCERPT = 160


@dataclass(frozen=True)
class JudgedDimension:
    """What one judge said about one dimension; `identical` is the share of outputs with repeats that all agree."""

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


def describe_plan(session: JudgeSession, known: frozenset[str]) -> JudgePlan:
    """Return what a run would send and cost at most, apart from requests with a known answer."""
    total, answered, prompt = Amount(), 0, ""
    for question in session.all_questions():
        writer = session.request_writers[question.judge]
        body = writer.body(question)
        prompt = prompt or body["messages"][-1]["content"]
        if writer.key(question, body) in known:
            answered += 1
        else:
            total = total.plus(writer.bound(question, body))
    judges = tuple(judge.rater for judge in session.config.judge)
    priced = all(judge.price is not None for judge in session.config.judge)
    dimensions = tuple(session.assignment.rubrics)
    return JudgePlan(total.requests, answered, total.tokens, total.money, priced, judges, dimensions, prompt)


def summarize(
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
    """Return the share of repeated questions with the same answer each time; NaN without repeats."""
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
