"""A study that runs: takes events of raters, checks them against state and protocol, and writes them to the log.

Everything that reads or changes the state is a job of the writer's thread (see `store`), one after the other; answers
leave after COMMIT. `server` turns HTTP into calls of this class.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from ..errors import InputError, RefusedEvent
from ._event_reader import EventReader
from .backup import forget_deleted
from .content import StudyContent
from .design import assign
from .events import RATER_KINDS, ClientEvent, StudyEvent, utc_now, write_time
from .folder import StudyFolder
from .state import RaterRecord
from .store import EVENTS, RATERS, SESSIONS, VERSIONS, StudyDatabase, StudyWriter

T = TypeVar("T")
Clock = Callable[[], datetime]
MAX_EVENTS = 100  # of one request


class EventAck(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What became of an event. Saved: its number and the server's time; else a code and a message for the rater."""

    key: str
    saved: bool
    event: int | None = None
    at: str | None = None
    duplicate: bool = False
    code: str | None = None
    message: str | None = None


class StudyService:
    """One running study."""

    def __init__(self, folder: StudyFolder, database: StudyDatabase, *, clock: Clock = utc_now) -> None:
        self.content = StudyContent(folder)
        self.folder, self.settings, self.protocol = folder, folder.settings, folder.protocol
        self.plan, self.consent = self.content.plan, self.content.consent
        self.database, self._clock = database, clock
        self.reader = EventReader(self.content, clock, self._assign_tasks)
        database.check(self.settings.id)
        self.version = self._record_version()
        self.writer = StudyWriter(database, on_failure=self.reload)
        self.is_https = False  # served behind TLS, which names of cookies say
        self._turned_away: set[int] = set()  # raters who found no place
        self._is_rewrite_due = False
        self.reload()

    def reload(self) -> None:
        """Derive the state from the log."""
        self.raters = {row["number"]: row for row in self.database.rows(RATERS)}
        self.sessions = {row["hash"]: row for row in self.database.rows(SESSIONS)}
        self.state = self.content.derive_state(self.database)

    def run(self, job: Callable[[], T]) -> Future[T]:
        """Run a job in the writer's thread; the future is done after COMMIT."""
        return self.writer.submit(job)

    def forget_deleted(self) -> float:
        """Overwrite on disk what was erased; return the seconds it took. To be called in a job after the erasure's.

        No one else writes meanwhile. If a reader holds the tables, it is done again later, at the latest in the end.
        """
        self._is_rewrite_due = True
        seconds = forget_deleted(self.database)
        self._is_rewrite_due = False
        return seconds

    def close(self) -> None:
        """Finish what waits, then close the database."""
        if self._is_rewrite_due:
            self.run(self.forget_deleted).exception()
        self.writer.close()
        self.database.close()

    def now(self) -> str:
        """Return the server's time."""
        return write_time(self._clock())

    # Raters and sessions. To be called in a job.

    def register(self, *, code: str | None = None, external: str | None = None) -> int:
        """Return the number of a rater: of one who is known by code or external id, else of a new one."""
        for number, row in self.raters.items():
            if (external is not None and row["external"] == external) or (code is not None and row["code"] == code):
                return int(number)
        number = int(max(self.raters, default=0)) + 1
        row = {"number": number, "code": code or f"r{number:03d}", "external": external, "created": self.now()}
        if any(other["code"] == row["code"] for other in self.raters.values()):
            row["code"] = f"r{number:03d}-{secrets.token_hex(2)}"
        self.raters[number] = row
        self.writer.add(RATERS, row)
        return number

    def rater_by_id(self, external: str) -> int | None:
        """Return the number of the rater whom a crowd platform calls so."""
        return next((int(number) for number, row in self.raters.items() if row["external"] == external), None)

    def is_open_elsewhere(self, number: int) -> bool:
        """Check if a rater who could still answer is signed in already."""
        return not self.state.rater(number).is_complete and self.count_sessions(number) > 0

    def count_sessions(self, number: int) -> int:
        """Count the open sessions of a rater."""
        now = self.now()
        return sum(row["rater"] == number and row["expires"] >= now for row in list(self.sessions.values()))

    def end_session(self, token_hash: str) -> None:
        """End one session."""
        self.sessions.pop(token_hash, None)
        self.writer.execute(sa.delete(SESSIONS).where(SESSIONS.c.hash == token_hash))

    def end_all_sessions(self) -> None:
        """End the sessions of all raters and admins."""
        self.sessions = {}
        self.writer.execute(sa.delete(SESSIONS))

    def renew_links(self, purposes: Sequence[str]) -> None:
        """Make other links for these purposes, and end the sessions that the old ones opened."""
        self.folder.renew_links(purposes)
        for purpose in purposes:
            kind, _, number = purpose.partition(":")
            if kind == "rater":
                self.end_sessions(int(number))
            elif kind == "admin":
                self.writer.execute(sa.delete(SESSIONS).where(SESSIONS.c.rater.is_(None)))
                self.sessions = {key: row for key, row in self.sessions.items() if row["rater"] is not None}

    def open_session(self, token_hash: str, rater: int | None, *, hours: float) -> None:
        """Remember a session by the hash of its cookie; sessions that ended are forgotten."""
        now = self.now()
        for old in [key for key, row in self.sessions.items() if row["expires"] < now]:
            del self.sessions[old]
            self.writer.execute(sa.delete(SESSIONS).where(SESSIONS.c.hash == old))
        expires = write_time(self._clock() + timedelta(hours=hours))
        row = {"hash": token_hash, "rater": rater, "expires": expires}
        self.sessions[token_hash] = row
        self.writer.add(SESSIONS, row)

    def session_rater(self, token_hash: str) -> tuple[int | None] | None:
        """Return the owner of a session ((None,) is the admin's), or None if it is not one, or ended."""
        row = self.sessions.get(token_hash)
        return None if row is None or row["expires"] < self.now() else (row["rater"],)

    # Events of raters. To be called in a job.

    def take_events(self, rater: int, events: Sequence[ClientEvent]) -> list[EventAck]:
        """Write events in order, up to the first that is refused; those after it are refused as well."""
        acks: list[EventAck] = []
        for event in events:
            if acks and not acks[-1].saved:
                message = "an event before it was not saved"
                acks.append(EventAck(key=event.key, saved=False, code="earlier_refused", message=message))
            else:
                acks.append(self._take_event(rater, event))
        return acks

    def _take_event(self, number: int, event: ClientEvent) -> EventAck:
        if (before := self.state.keys.get((number, event.key))) is not None:
            return EventAck(key=event.key, saved=True, event=before[0], at=before[1], duplicate=True)
        try:
            rater = self.state.rater(number)
            self._check_open(rater, event.kind)
            payload = self.reader.read(rater, event)
        except RefusedEvent as error:
            return EventAck(key=event.key, saved=False, code=error.code, message=str(error))
        written = self.append(
            event.kind, rater=number, task=event.task, payload=payload, key=event.key, client_at=event.at
        )
        if event.kind == "withdrawn":  # who leaves is told that their answers are deleted
            self.erase(number, keep_sessions=True)
        return EventAck(key=event.key, saved=True, event=written.id, at=written.at)

    def append(
        self,
        kind: str,
        *,
        rater: int | None = None,
        task: int | None = None,
        payload: dict[str, Any] | None = None,
        key: str | None = None,
        client_at: str | None = None,
    ) -> StudyEvent:
        """Write an event to the log and apply it."""
        event = StudyEvent(
            id=self.state.last_id + 1,
            key=key or secrets.token_hex(8),
            kind=kind,
            at=self.now(),
            version=self.version,
            rater=rater,
            task=task,
            client_at=client_at,
            payload=payload or {},
        )
        self.writer.add_event(event)
        self.state.apply(event)
        return event

    def _check_open(self, rater: RaterRecord, kind: str) -> None:
        """Refuse what comes from somebody who may not go on, or in a kind that raters do not send."""
        if kind not in RATER_KINDS:
            raise RefusedEvent("unknown_kind", f"there is no event {kind[:40]!r}")
        if rater.erased or rater.withdrawn:
            raise RefusedEvent("withdrawn", "you withdrew from this study")
        if kind == "withdrawn":
            return
        if rater.failed:
            raise RefusedEvent("failed", "the practice was not passed")
        if rater.is_complete:
            raise RefusedEvent("finished", "you submitted already")
        if self.state.status != "open":
            raise RefusedEvent(self.state.status, f"the study is {self.state.status}")
        if rater.expired:
            self._resume(rater)

    def _resume(self, rater: RaterRecord) -> None:
        """Give the place back to a rater who was away, if no one else has it."""
        if self._is_place_taken(rater):
            raise RefusedEvent("place_taken", "you were away for long, and your place was given to somebody else")
        self.append("resumed", rater=rater.number)

    def _is_place_taken(self, rater: RaterRecord) -> bool:
        """Check if a rater who was away has lost the place."""
        if not rater.expired:
            return False
        places, plan = self.state.places(), self.plan
        most = plan.capacity(rater.list_number, self.state.extra_places)
        count = places.raters if plan.design.assignment == "random" else places.lists[rater.list_number]
        return most is not None and count >= most

    def _is_full(self, rater: RaterRecord) -> bool:
        """Check if a rater who was turned away would be turned away again."""
        if rater.number not in self._turned_away or rater.started:
            return False
        if assign(self.plan, self.state.places(), rater.number, extra=self.state.extra_places) is None:
            return True
        self._turned_away.discard(rater.number)
        return False

    def _assign_tasks(self, rater: RaterRecord) -> dict[str, Any]:
        """Return what the log holds of a rater's tasks; places of those who left are freed before."""
        self.expire_abandoned()
        assignment = assign(self.plan, self.state.places(), rater.number, extra=self.state.extra_places)
        if assignment is None:
            self._turned_away.add(rater.number)
            raise RefusedEvent("full", "all places in this study are taken")
        return {"list": assignment.list_number, "tasks": [task.to_payload() for task in assignment.tasks]}

    # What raters see. To be called in a job.

    def stage(self, rater: RaterRecord) -> str:
        """Return what a rater is to see next."""
        if rater.erased or rater.withdrawn:
            return "withdrawn"
        if rater.is_complete:
            return "done"
        if rater.failed:
            return "failed"
        if self.state.status != "open":
            return self.state.status
        if self._is_place_taken(rater):
            return "place_taken"
        if self._is_full(rater):
            return "full"
        if self.consent and not rater.consented:
            return "consent"
        if not rater.started:
            return "instructions"
        return "task" if rater.current <= len(rater.tasks) else "finish"

    def view_session(self, number: int) -> dict[str, Any]:
        """Return where a rater stands, for the browser."""
        rater = self.state.rater(number)
        practising = rater.started and not rater.qualified
        total = rater.practice if practising else len(rater.tasks) - rater.practice
        answered = len(rater.answered) - (0 if practising else rater.practice if rater.started else 0)
        session: dict[str, Any] = {
            "stage": self.stage(rater),
            "task": rater.current if rater.started and rater.current <= len(rater.tasks) else None,
            "answered": max(answered, 0),
            "total": total,
            "practice": practising,
            "tries_left": self.settings.tries - rater.tries if practising else None,
            "can_undo": self.reader.can_undo(rater) and not rater.is_complete,
            "last_task": rater.answered[-1] if rater.answered else None,
            "rater": self.folder.derive(f"browser:{number}")[:16],
            "version": self.version,
        }
        if practising or rater.failed or (rater.practice_answers and not answered):
            session["feedback"] = self._practice_feedback(rater)
        if self.settings.loud_checks:
            session["check_failed"] = self._failed_check(rater)
        crowd = self.settings.crowd
        if crowd is not None and (code := crowd.code_of(session["stage"])):
            session["completion"] = {"code": code, "url": crowd.completion_url.replace("{code}", code)}
        return session

    def _practice_feedback(self, rater: RaterRecord) -> list[dict[str, Any]]:
        """List the practice tasks of the last try that were answered otherwise than known, with the lead's reason."""
        feedback = []
        for number, answer in rater.practice_answers.items():
            task = rater.tasks[number - 1]
            if misses := self.content.list_misses(task, answer):
                item = self.content.item_of(task)
                reason = item.extra.get("reason", "")
                feedback.append({"task": number, "texts": task.texts(item), "misses": misses, "reason": str(reason)})
        return feedback

    def _failed_check(self, rater: RaterRecord) -> int | None:
        """Return the number of the last task answered if it is a check that was failed."""
        number = rater.answered[-1] if rater.answered else 0
        answer = rater.records[number].answer if number else None
        if answer is None or rater.tasks[number - 1].role != "check":
            return None
        return number if self.content.list_misses(rater.tasks[number - 1], answer) else None

    def view_screen(self, number: int) -> dict[str, Any] | None:
        """Return what the current task shows now; None where there is no task to show."""
        rater = self.state.rater(number)
        if self.stage(rater) != "task":
            return None
        record = rater.records.get(rater.current)
        page, is_revealed = (record.page, record.revealed_at is not None) if record else (1, False)
        return self._screen(rater, rater.current, page, is_revealed)

    def view_next_screen(self, number: int) -> dict[str, Any] | None:
        """Return what the task after the current one shows first, to be loaded ahead; None where it is not certain."""
        rater = self.state.rater(number)
        following = rater.current + 1
        if self.stage(rater) != "task" or following > len(rater.tasks) or rater.current == rater.practice:
            return None
        return self._screen(rater, following, 1, False)

    def _screen(self, rater: RaterRecord, number: int, page: int, is_revealed: bool) -> dict[str, Any]:
        task = rater.tasks[number - 1]
        item = self.content.item_of(task)
        hides = self.protocol.hides(page)
        screen = {
            "task": number,
            "page": page,
            "pages": self.protocol.pages,
            "practice": task.role == "qualification",
            "hidden": hides and not is_revealed,
            **self.protocol.view_page(item, task, page),
        }
        record = rater.records.get(number)
        if record is not None and record.draft is not None:
            screen["draft"] = self.protocol.view_draft(record.draft)
        return {**screen, **self.protocol.view_hidden(item, task, page)} if is_revealed else screen

    # What the server and the admin do. To be called in a job.

    def expire_abandoned(self) -> list[int]:
        """Free the places of raters of whom nothing was heard for long."""
        limit = write_time(self._clock() - timedelta(minutes=self.settings.design.abandoned_after))
        rating = [rater for rater in self.state.raters.values() if rater.holds_place and not rater.is_complete]
        quiet = [rater.number for rater in rating if rater.last_at < limit]
        for number in quiet:
            self.append("expired", rater=number)
        return quiet

    def change_status(self, kind: str, *, places: int = 0) -> None:
        """Pause, reopen, close or extend the study."""
        if kind == "extended" and self.settings.design.raters is None:
            raise InputError("the number of raters is open; there is nothing to extend")
        self.append(kind, payload={"places": places} if kind == "extended" else {})

    def withdraw(self, number: int) -> None:
        """Take a rater out: nothing of them is exported, and the place is free again."""
        if not self.state.rater(number).withdrawn:
            self.append("withdrawn", rater=number)

    def erase(self, number: int, *, keep_sessions: bool = False) -> None:
        """Remove payload and identity of a rater from the database; the log keeps that there were events, and when.

        A session that is kept shows that the rater left, and nothing else.
        """
        keys = sa.literal("erased-") + sa.cast(EVENTS.c.id, sa.Text)
        change = sa.update(EVENTS).where(EVENTS.c.rater == number)
        self.writer.execute(change.values(payload='{"erased":true}', client_at=None, key=keys))
        code = f"erased-{number}"
        self.writer.execute(sa.update(RATERS).where(RATERS.c.number == number).values(code=code, external=None))
        self.raters[number] = {**self.raters[number], "code": code, "external": None}
        if not keep_sessions:
            self.end_sessions(number)
        self.append("erased", rater=number)

    def end_sessions(self, number: int) -> None:
        """End all sessions of a rater."""
        self.writer.execute(sa.delete(SESSIONS).where(SESSIONS.c.rater == number))
        self.sessions = {key: row for key, row in self.sessions.items() if row["rater"] != number}

    def _record_version(self) -> int:
        """Return the number of the version that raters see now; a new one if something they read has changed."""
        fixed, rows = self.settings.fixed_part(), self.database.rows(VERSIONS)
        content = {
            "fixed": fixed,
            "settings": msgspec.to_builtins(self.settings),
            "instructions": self.content.instructions,
            "consent": self.consent,
        }
        last = max(rows, key=lambda row: row["number"], default=None)
        if last is not None:
            before = msgspec.json.decode(last["content"])
            if before == msgspec.json.decode(msgspec.json.encode(content)):
                return int(last["number"])
            if before["fixed"] != msgspec.json.decode(msgspec.json.encode(fixed)):
                changed = [
                    name for name, value in before["fixed"].items() if value != msgspec.to_builtins(fixed).get(name)
                ]
                raise InputError(
                    f"{self.folder.path / 'study.json'}: {', '.join(changed)} changed since the study began; texts and "
                    "design of a study never change: restore them, or make a new study"
                )
        number = 1 if last is None else last["number"] + 1
        row = {"number": number, "since": self.now(), "content": msgspec.json.encode(content).decode()}
        with self.database.engine.begin() as connection:
            connection.execute(sa.insert(VERSIONS), [row])
        return int(number)
