"""Ask all questions of one judge: several at a time, with retries, within the budget; what is answered is kept.

Answers in the journal are not asked for again. Everything else is written to the journal before it is sent, so that
after a crash at most as many requests as were in flight are sent twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from queue import SimpleQueue
from random import Random
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from .budget import Amount, JudgeBudget
from .client import CONNECTION, RATE_LIMIT, REFUSED_REQUEST, RETRIED, Endpoint, Exchange
from .config import OPTIONAL, JudgeSettings
from .journal import Journal, StoredAnswer
from .question import Question
from .reply import OTHER_MODEL, answering_model

OVER_BUDGET, STOPPED = "over budget", "not asked"
MAX_WAIT = 60.0  # seconds between two tries, unless the endpoint asks for more
MAX_IN_A_ROW = 8  # requests that fail, with none answered between them, before the run stops
MAX_REFUSED = 3
MAX_FOREIGN = 3  # answers of another model, with none of the right one, before the run ends
MAX_USELESS = 20  # answers that are not a judgment, with none that is, before the run stops


class Outcome(NamedTuple):
    """What became of a question."""

    question: Question
    answer: StoredAnswer | None
    failure: str | None = None
    words: str = ""
    cached: bool = False
    cost: Amount = Amount()


def now() -> str:
    """Return the time, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Requests(Protocol):
    """Requests to one judge, by question: those of a session, or those of a file."""

    @property
    def judge(self) -> JudgeSettings:
        """Who is asked."""

    def body(self, question: Question) -> dict[str, Any]:
        """Return the body of a request."""

    def key(self, question: Question, body: Mapping[str, Any]) -> str:
        """Return the key of a request in the journal."""

    def bound(self, question: Question, body: Mapping[str, Any]) -> Amount:
        """Return what a request may cost at most."""

    def actual(self, response: Any, bound: Amount) -> Amount:
        """Return what a request did cost."""


class Runner:
    """Asks one judge; `stopped` says in the end why some questions were not asked, if so.

    `read` returns why an answer is not a judgment, so that a run that would pay for useless answers ends early. With
    `ask` False nothing is sent: there is what the journal holds.
    """

    def __init__(
        self,
        writer: Requests,
        endpoint: Endpoint,
        journal: Journal,
        budget: JudgeBudget,
        *,
        clock: Callable[[], str] = now,
        read: Callable[[Outcome], str | None] = lambda outcome: None,
        ask: bool = True,
        stopped: str = "",
    ) -> None:
        self._read, self._useless, self._useful, self._foreign = read, 0, 0, 0
        self._writer, self._endpoint, self._journal, self._budget = writer, endpoint, journal, budget
        self._judge, self._clock = writer.judge, clock
        self._pending: deque[tuple[Question, str]] = deque()
        self._outcomes: SimpleQueue[Outcome | BaseException | None] = SimpleQueue()
        self._lock, self._stop = Lock(), Event()
        self._last_success = monotonic()
        self._in_a_row = self._refused = self._succeeded = 0
        self._refusal, self.stopped = "", stopped
        if not ask:
            self._stop.set()
        self.retries, self.url = 0, writer.judge.url

    def run(self, questions: Iterable[Question]) -> Iterator[Outcome]:
        """Yield the outcome of every question: those in the journal first, the others as they come."""
        for question in questions:
            body = self._writer.body(question)
            key = self._writer.key(question, body)
            stored = self._journal.answers.get(key)
            if stored is not None:
                outcome = self._reuse(question, stored, body)
                self._note_use(outcome)
                yield outcome
            else:
                self._pending.append((question, key))
        if not self._pending:
            return
        if self._stop.is_set():
            yield from self._list_rest()
            return
        self._last_success = monotonic()
        threads = [
            Thread(target=self._work, daemon=True) for _ in range(min(self._judge.concurrency, len(self._pending)))
        ]
        for thread in threads:
            thread.start()
        try:
            yield from self._collect(len(threads))
        finally:
            self._stop.set()

    def _reuse(self, question: Question, stored: StoredAnswer, body: dict[str, Any]) -> Outcome:
        cost = self._writer.actual(stored.response, self._writer.bound(question, body))
        return Outcome(question, stored, cached=True, cost=cost)

    def _collect(self, workers: int) -> Iterator[Outcome]:
        fatal: BaseException | None = None
        while workers:
            outcome = self._outcomes.get()
            if outcome is None:
                workers -= 1
            elif isinstance(outcome, BaseException):
                fatal = fatal or outcome
            else:
                yield outcome
        if fatal is not None:
            raise fatal
        if self._refused and not self._succeeded:
            raise InputError(self._explain_refusal())
        yield from self._list_rest()

    def _list_rest(self) -> Iterator[Outcome]:
        """Yield what was not asked, with the reason."""
        reason = OVER_BUDGET if self.stopped == OVER_BUDGET else STOPPED
        for question, _ in self._pending:
            yield Outcome(question, None, reason)

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                with self._lock:
                    if not self._pending:
                        break
                    question, key = self._pending.popleft()
                outcome = self._ask(question, key)
                if outcome is None:
                    with self._lock:
                        self._pending.append((question, key))
                    break
                self._outcomes.put(outcome)
        except BaseException as error:  # handed to the thread that waits for it
            self._stop.set()
            self._outcomes.put(error)
        finally:
            self._outcomes.put(None)

    def _ask(self, question: Question, key: str) -> Outcome | None:
        """Ask until there is an answer or a failure that stays; None where the run stops before."""
        body = self._writer.body(question)
        bound = self._writer.bound(question, body)
        random, tries, waits = Random(key), 0, 0
        while not self._stop.is_set():
            if not self._budget.reserve(bound):
                self._halt(OVER_BUDGET)
                return None
            if self._stop.is_set():  # while this waited for the budget
                self._budget.settle(bound, Amount())
                return None
            exchange, cost = self._send(key, body, bound)
            if exchange.failure is None:
                answer = StoredAnswer(exchange.response, exchange.seconds, self._clock())
                self._journal.record_answer(key, answer)
                self._budget.settle(bound, cost)
                self._note_success()
                outcome = Outcome(question, answer, cost=cost)
                self._note_use(outcome)
                return outcome
            if self._stop.is_set() and exchange.failure == CONNECTION:  # cut off by us: no one knows what became of it
                self._budget.settle(bound, cost)
                return None
            self._journal.record_failure(key, exchange.failure, cost.tokens, self._clock())
            self._budget.settle(bound, cost)
            tries += exchange.failure != RATE_LIMIT
            if exchange.failure not in RETRIED or tries > self._judge.retries:
                return self._give_up(question, exchange)
            if not self._wait(exchange, waits, random):
                return None
            waits += 1
        return None

    def _send(self, key: str, body: dict[str, Any], bound: Amount) -> tuple[Exchange, Amount]:
        try:
            self._journal.record_sent(key, bound.tokens, self._clock())
            exchange = self._endpoint.send(body)
        except BaseException:
            self._budget.settle(bound, Amount(1))
            if self._journal.lost.get(key):
                self._journal.record_failure(key, REFUSED_REQUEST, 0, self._clock())
            raise
        if exchange.failure is None:
            return exchange, self._writer.actual(exchange.response, bound)
        return exchange, Amount(1) if exchange.unpaid else bound

    def _note_success(self) -> None:
        with self._lock:
            self._last_success = monotonic()
            self._in_a_row, self._succeeded = 0, self._succeeded + 1

    def _note_use(self, outcome: Outcome) -> None:
        """Count whether an answer can be used; end a run of which none can."""
        failure = self._read(outcome)
        with self._lock:
            self._useful += failure is None
            self._useless += failure is not None
            self._foreign += failure == OTHER_MODEL
            foreign = not self._useful and self._foreign >= MAX_FOREIGN
            useless = not self._useful and self._useless >= MAX_USELESS
        if foreign and outcome.answer is not None:
            name = answering_model(outcome.answer.response)
            raise InputError(
                f"judge {self._judge.rater!r}: {self._judge.model!r} was asked and {name[:200]!r} answered; if that is "
                f"right, add accept_models = [{name[:200]!r}]"
            )
        if useless:
            self._halt(f"none of the first {MAX_USELESS} answers is a judgment ({failure})")

    def _give_up(self, question: Question, exchange: Exchange) -> Outcome:
        with self._lock:
            self._in_a_row += 1
            if exchange.failure == REFUSED_REQUEST:
                self._refused, self._refusal = self._refused + 1, exchange.words
        if not self._succeeded and self._refused >= MAX_REFUSED:
            raise InputError(self._explain_refusal())
        if self._in_a_row >= max(MAX_IN_A_ROW, 2 * self._judge.concurrency):
            self._halt(
                f"{self._in_a_row} requests in a row failed ({exchange.failure}: {exchange.words or 'no answer'})"
            )
        return Outcome(question, None, exchange.failure, exchange.words)

    def _explain_refusal(self) -> str:
        words = self._refusal
        named = [name for name in OPTIONAL if name in words]
        hint = f'; leave it out: leave_out = ["{named[0]}"]' if named else ""
        return f"judge {self._judge.rater!r}: {self._judge.url} refuses the request: {words}{hint}"

    def _wait(self, exchange: Exchange, waits: int, random: Random) -> bool:
        """Wait before the next try; False where the run stops, as nothing was answered for too long."""
        with self._lock:
            self.retries += 1
            silent = monotonic() - self._last_success
        backoff = min(self._judge.backoff * 2 ** min(waits, 20), MAX_WAIT) * random.uniform(0.5, 1.0)
        pause = max(backoff, exchange.wait or 0.0)
        if exchange.failure == RATE_LIMIT and silent + pause > self._judge.patience:
            self._halt(f"rate limit: nothing was answered for {silent:.0f} s")
            return False
        return not self._stop.wait(pause)

    def _halt(self, reason: str) -> None:
        with self._lock:
            self.stopped = self.stopped or reason
        self._stop.set()
