"""What the log holds of an event that a browser sent: checked against where the rater stands, and the protocol."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from ..errors import RefusedEvent
from .content import StudyContent
from .events import TASK_KINDS, ClientEvent, read_time
from .state import RaterRecord
from .task import Task

MAX_DELTAS = 2000  # of one event
MAX_REASON = 1000
ANSWER_BYTES = 4_000_000


class EventReader:
    """Reads the events of raters, or refuses them; `assign_tasks` gives what a rater who starts is to do."""

    def __init__(
        self,
        content: StudyContent,
        clock: Callable[[], datetime],
        assign_tasks: Callable[[RaterRecord], dict[str, Any]],
    ) -> None:
        self.content, self.protocol, self.settings = content, content.protocol, content.settings
        self._clock, self._assign_tasks = clock, assign_tasks

    def read(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        """Return what the log holds of an event, or refuse it."""
        if event.kind in TASK_KINDS:
            self._check_task(rater, event)
        elif event.task is not None:
            raise RefusedEvent("unexpected_task", f"{event.kind} is not about a task")
        read: Callable[[RaterRecord, ClientEvent], dict[str, Any]] = getattr(self, f"_read_{event.kind}")
        return read(rater, event)

    def can_undo(self, rater: RaterRecord) -> bool:
        """Check if the last answer can be taken back."""
        if self.protocol.is_final or not rater.answered:
            return False
        return not (rater.qualified and rater.answered[-1] <= rater.practice)

    def _check_task(self, rater: RaterRecord, event: ClientEvent) -> None:
        if not rater.started:
            raise RefusedEvent("not_started", "start first")
        right = rater.answered[-1] if event.kind == "undone" and rater.answered else rater.current
        if event.task != right:
            raise RefusedEvent("wrong_task", f"task {event.task} is not open; the current one is {rater.current}")
        if event.kind != "undone" and rater.current > len(rater.tasks):
            raise RefusedEvent("wrong_task", "all tasks are answered")

    def _read_consented(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        return {}

    def _read_started(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        if rater.started:
            raise RefusedEvent("already_started", "you started already")
        if self.content.consent and not rater.consented:
            raise RefusedEvent("no_consent", "consent first")
        return self._assign_tasks(rater)

    def _read_shown(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        return {"page": rater.record(rater.current).page}

    def _read_revealed(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        if not self.protocol.hides(rater.record(rater.current).page):
            raise RefusedEvent("nothing_hidden", "there is nothing to reveal")
        return {}

    def _read_paged(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        page = rater.record(rater.current).page
        if event.payload.get("page") != page + 1 or page + 1 > self.protocol.pages:
            raise RefusedEvent("wrong_page", f"page {page} of {self.protocol.pages} is open; there is no way back")
        return {"page": page + 1}

    def _read_edited(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        if not self.protocol.keeps_edits:
            raise RefusedEvent("nothing_to_edit", "there is nothing to edit")
        deltas = event.payload.get("deltas")
        if not isinstance(deltas, list) or not 1 <= len(deltas) <= MAX_DELTAS:
            raise RefusedEvent("invalid_deltas", f"deltas are a list of 1 to {MAX_DELTAS} edits")
        record, task = rater.record(rater.current), rater.tasks[rater.current - 1]
        try:
            self.content.edit_draft(task, record.draft, deltas)
        except ValueError as error:
            raise RefusedEvent("invalid_deltas", str(error)) from error
        return {"deltas": deltas}

    def _read_answered(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        record, task = rater.record(rater.current), rater.tasks[rater.current - 1]
        if record.page < self.protocol.pages:
            raise RefusedEvent("wrong_page", "the last page was not shown yet")
        if self.protocol.hides(record.page) and record.revealed_at is None:
            raise RefusedEvent("not_revealed", "reveal the text first")
        payload: dict[str, Any] = {"active": self._active_seconds(record.shown_at, event.payload.get("active"))}
        if "skip" in event.payload:
            return {**payload, "skip": self._read_skip(task, event.payload["skip"])}
        answer = event.payload.get("answer")
        if not isinstance(answer, dict) or len(msgspec.json.encode(answer)) > ANSWER_BYTES:
            raise RefusedEvent("invalid_answer", "an answer is an object of moderate size")
        return {
            **payload,
            "answer": self.protocol.read_answer(answer, self.content.item_of(task), task, self.settings.dimensions),
        }

    def _read_skip(self, task: Task, reason: Any) -> str:
        if not self.settings.allow_skip or task.role != "main":
            raise RefusedEvent("skip_not_allowed", "this task cannot be skipped")
        if not isinstance(reason, str) or not reason.strip() or len(reason) > MAX_REASON:
            raise RefusedEvent("no_reason", f"say why you skip it, in up to {MAX_REASON} characters")
        return reason.strip()

    def _active_seconds(self, shown_at: str | None, active: Any) -> float | None:
        """Return the active time that a browser says, no more than the server saw pass."""
        if isinstance(active, bool) or not isinstance(active, (int, float)) or not 0 <= active < 1e7:
            return None
        if shown_at is None:
            return round(float(active), 3)
        passed = (self._clock() - read_time(shown_at)).total_seconds()
        return round(min(float(active), max(passed, 0.0)), 3)

    def _read_undone(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        if not self.can_undo(rater):
            raise RefusedEvent("no_undo", "there is no way back from here")
        return {}

    def _read_submitted(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        if not rater.started or rater.current <= len(rater.tasks):
            raise RefusedEvent("not_finished", "there are tasks left")
        return {}

    def _read_withdrawn(self, rater: RaterRecord, event: ClientEvent) -> dict[str, Any]:
        return {}
