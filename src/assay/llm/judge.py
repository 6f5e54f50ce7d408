"""Run LLM judges on an evaluation set: ask everything, and return the judged set and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..data.evalset import EvalSet
from ..errors import InputError
from .assemble import JudgedQuestion, add_results
from .budget import Amount, JudgeBudget
from .client import Endpoint
from .journal import Journal
from .runner import Outcome, Runner, now
from .session import JudgeSession
from .summary import JudgeRun, summarize


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
    ask: bool = True,
    stopped: str = "",
) -> tuple[EvalSet, JudgeRun]:
    """Ask everything, and return the judged set and what came of it.

    With `ask` False nothing is sent: the answers are those of the journal, and `stopped` says why there are no more.
    """
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
                    session.request_writers[number],
                    endpoint,
                    journal,
                    budget,
                    clock=clock,
                    read=session.find_failure,
                    ask=ask,
                    stopped=stopped,
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
    result = summarize(session, judged, runners, again)
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


def sum_spent(session: JudgeSession, journal: Journal) -> Amount:
    """Return what was spent so far on the questions of a session."""
    return _already_spent(session, journal)[1]


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
