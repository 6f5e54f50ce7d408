"""Where a study stands, derived from its log: apply every event in order and nothing else.

The log alone decides: the server applies each event when it writes it, and `assay study replay` applies all again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .design import Assignment, Places
from .events import StudyEvent
from .task import Task

KnownAnswers = Callable[[Task, dict[str, Any]], tuple[int, int]]
EditDraft = Callable[[Task, Any, list[Any]], Any]


@dataclass(slots=True)
class TaskRecord:
    """What happened to one task of one rater."""

    shown_at: str | None = None
    revealed_at: str | None = None
    page: int = 1
    answer: dict[str, Any] | None = None
    skip: str | None = None
    answered_at: str | None = None
    active: float | None = None
    event: int = 0
    version: int = 0
    deltas: int = 0
    draft: Any = None  # what the deltas leave: a text, or content units; None before the first

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, or a reason to skip."""
        return self.answered_at is not None


@dataclass(slots=True)
class RaterRecord:
    """Where one rater stands. `tasks` are numbered from 1 on; `answered` are the numbers of those with an answer."""

    number: int
    consented: bool = False
    list_number: int = 0
    tasks: tuple[Task, ...] = ()
    records: dict[int, TaskRecord] = field(default_factory=dict)
    answered: list[int] = field(default_factory=list)
    practice: int = 0  # tasks with known answers before the others
    practice_met: int = 0
    practice_known: int = 0
    practice_answers: dict[int, dict[str, Any]] = field(default_factory=dict)  # of the try that ended last
    tries: int = 0
    qualified: bool = False
    failed: bool = False
    checks_failed: int = 0
    checks_answered: int = 0
    started: bool = False
    submitted_at: str | None = None
    withdrawn: bool = False
    erased: bool = False
    expired: bool = False
    first_at: str = ""
    last_at: str = ""

    @property
    def current(self) -> int:
        """Number of the task to be answered next; one more than there are when all are answered."""
        return len(self.answered) + 1

    @property
    def is_complete(self) -> bool:
        """Whether the rater submitted."""
        return self.submitted_at is not None

    @property
    def holds_place(self) -> bool:
        """Whether no one else may have this place: they completed, or are rating."""
        return self.started and not (self.withdrawn or self.erased or self.failed or self.expired)

    def record(self, task: int) -> TaskRecord:
        """Return the record of a task."""
        return self.records.setdefault(task, TaskRecord())

    def assignment(self) -> Assignment:
        """Return what the rater was assigned."""
        return Assignment(self.list_number, self.tasks)


class StudyState:
    """Where a study stands.

    `known_answers` counts of an answer to a task how many known answers it meets; `edit_draft` applies edits to what
    was there before.
    """

    def __init__(self, *, known_answers: KnownAnswers, edit_draft: EditDraft, tries: int, pass_mark: float) -> None:
        self.raters: dict[int, RaterRecord] = {}
        self.status = "open"  # or paused, closed
        self.extra_places = 0
        self.last_id = 0
        self.keys: dict[tuple[int | None, str], tuple[int, str]] = {}  # (rater, key) -> event and server time
        self._known_answers, self._edit_draft = known_answers, edit_draft
        self._tries, self._pass_mark = tries, pass_mark

    def apply_all(self, events: Iterable[StudyEvent]) -> StudyState:
        """Apply events in order."""
        for event in events:
            self.apply(event)
        return self

    def apply(self, event: StudyEvent) -> None:
        """Apply one event."""
        self.last_id = event.id
        self.keys[event.rater, event.key] = (event.id, event.at)
        if event.rater is None:
            self._apply_to_study(event)
            return
        rater = self.rater(event.rater)
        rater.first_at, rater.last_at = rater.first_at or event.at, event.at
        if not event.payload.get("erased"):  # what an erased event did is not known any more
            getattr(self, f"_apply_{event.kind}")(rater, event)

    def rater(self, number: int) -> RaterRecord:
        """Return where a rater stands; at the beginning, if nothing is known of them."""
        return self.raters.setdefault(number, RaterRecord(number))

    def places(self) -> Places:
        """Count the places that are held."""
        places = Places()
        for rater in self.raters.values():
            if rater.holds_place:
                places.add(rater.assignment())
        return places

    def _apply_to_study(self, event: StudyEvent) -> None:
        if event.kind == "extended":
            self.extra_places += event.payload["places"]
        else:
            self.status = {"paused": "paused", "reopened": "open", "closed": "closed"}[event.kind]

    def _apply_consented(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.consented = True

    def _apply_started(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.started = True
        rater.list_number = event.payload["list"]
        rater.tasks = tuple(msgspec.convert(event.payload["tasks"], list[Task]))
        rater.practice = sum(task.role == "qualification" for task in rater.tasks)
        rater.qualified = not rater.practice

    def _apply_shown(self, rater: RaterRecord, event: StudyEvent) -> None:
        record = rater.record(event.task or 0)
        record.shown_at = record.shown_at or event.at

    def _apply_revealed(self, rater: RaterRecord, event: StudyEvent) -> None:
        record = rater.record(event.task or 0)
        record.revealed_at = record.revealed_at or event.at

    def _apply_paged(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.record(event.task or 0).page = event.payload["page"]

    def _apply_edited(self, rater: RaterRecord, event: StudyEvent) -> None:
        record = rater.record(event.task or 0)
        record.deltas += len(event.payload["deltas"])
        record.draft = self._edit_draft(rater.tasks[(event.task or 0) - 1], record.draft, event.payload["deltas"])

    def _apply_answered(self, rater: RaterRecord, event: StudyEvent) -> None:
        number = event.task or 0
        record = rater.record(number)
        record.answer, record.skip = event.payload.get("answer"), event.payload.get("skip")
        record.active, record.answered_at = event.payload.get("active"), event.at
        record.event, record.version = event.id, event.version
        rater.answered.append(number)
        task = rater.tasks[number - 1]
        if task.role != "main" and record.answer is not None:
            self._check_known(rater, task, record.answer)
        if number == rater.practice and not rater.qualified:
            self._end_practice(rater)

    def _check_known(self, rater: RaterRecord, task: Task, answer: dict[str, Any]) -> None:
        met, known = self._known_answers(task, answer)
        if task.role == "qualification":
            rater.practice_met, rater.practice_known = rater.practice_met + met, rater.practice_known + known
        else:
            rater.checks_answered += 1
            rater.checks_failed += met < known

    def _end_practice(self, rater: RaterRecord) -> None:
        rater.tries += 1
        answers = {number: rater.records[number].answer for number in rater.answered}
        rater.practice_answers = {number: answer for number, answer in answers.items() if answer is not None}
        if rater.practice_met >= self._pass_mark * rater.practice_known - 1e-9:
            rater.qualified = True
        elif rater.tries >= self._tries:
            rater.failed = True
        else:
            rater.answered.clear()
            rater.records.clear()
            rater.practice_met = rater.practice_known = 0

    def _apply_undone(self, rater: RaterRecord, event: StudyEvent) -> None:
        number = rater.answered.pop()
        record, task = rater.records[number], rater.tasks[number - 1]
        if task.role == "check" and record.answer is not None:
            met, known = self._known_answers(task, record.answer)
            rater.checks_answered -= 1
            rater.checks_failed -= met < known
        if task.role == "qualification" and record.answer is not None:
            met, known = self._known_answers(task, record.answer)
            rater.practice_met, rater.practice_known = rater.practice_met - met, rater.practice_known - known
        record.answer = record.skip = record.answered_at = record.active = None

    def _apply_submitted(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.submitted_at = event.at

    def _apply_withdrawn(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.withdrawn = True

    def _apply_expired(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.expired = True

    def _apply_resumed(self, rater: RaterRecord, event: StudyEvent) -> None:
        rater.expired = False

    def _apply_erased(self, rater: RaterRecord, event: StudyEvent) -> None:
        self.raters[rater.number] = RaterRecord(rater.number, erased=True, withdrawn=True)
