"""The state is what the log says, and nothing else."""

from __future__ import annotations

import pytest

from assay.study.events import StudyEvent
from assay.study.state import StudyState
from assay.study.task import Task
from assay.study.text_edits import apply_deltas

MAIN, QUALIFICATION, CHECK = Task("1", ("A",)), Task("q", ("A",), 1, "qualification"), Task("c", ("A",), 1, "check")


def edit_source(task, draft, deltas):
    return apply_deltas("source" if draft is None else draft, deltas)


class Log:
    """Writes events with numbers and times, and applies them."""

    def __init__(self, tasks=(MAIN, MAIN), *, tries=2):
        self.events = []
        self.tasks = tasks
        self.tries = tries
        self.state = self.new_state()

    def new_state(self):
        def known(task, answer):
            return int(answer.get("right", False)), 1

        return StudyState(known_answers=known, edit_draft=edit_source, tries=self.tries, pass_mark=1.0)

    def add(self, kind, *, rater=1, task=None, **payload):
        number = len(self.events) + 1
        if kind == "started":
            payload = {"list": 0, "tasks": [t.to_payload() for t in self.tasks]}
        at = f"2024-01-01T00:00:{number:02d}.000Z"
        event = StudyEvent(
            id=number, key=f"key{number:05d}", kind=kind, at=at, version=1, rater=rater, task=task, payload=payload
        )
        self.events.append(event)
        self.state.apply(event)
        return self.state.rater(rater) if rater else None


def test_answers_move_on_and_undo_moves_back():
    log = Log()
    log.add("started")
    rater = log.add("answered", task=1, answer={"x": 1}, active=2.0)
    assert (rater.current, rater.answered) == (2, [1])
    rater = log.add("undone", task=1)
    assert (rater.current, rater.records[1].answer) == (1, None)
    log.add("answered", task=1, answer={"x": 2})
    log.add("answered", task=2, skip="no idea")
    rater = log.add("submitted")
    assert rater.is_complete
    assert rater.records[1].answer == {"x": 2}
    assert rater.records[2].skip == "no idea"


def test_applying_the_log_again_gives_the_same_state():
    log = Log((QUALIFICATION, CHECK, MAIN))
    for kind, more in [("consented", {}), ("started", {}), ("shown", {"task": 1}), ("revealed", {"task": 1})]:
        log.add(kind, **more)
    log.add("answered", task=1, answer={"right": True})
    log.add("edited", task=2, deltas=[[1, 0, 6, "text"]])
    log.add("extended", rater=None, places=3)
    log.add("expired")
    log.add("resumed")
    again = log.new_state().apply_all(log.events)
    assert again.raters == log.state.raters
    assert (again.keys, again.extra_places, again.last_id) == (log.state.keys, 3, len(log.events))


def test_practice_may_be_tried_twice():
    log = Log((QUALIFICATION, QUALIFICATION, MAIN))
    log.add("started")
    log.add("answered", task=1, answer={"right": True})
    rater = log.add("answered", task=2, answer={"right": False})
    assert (rater.tries, rater.current, rater.failed) == (1, 1, False)
    log.add("answered", task=1, answer={"right": True})
    rater = log.add("answered", task=2, answer={"right": True})
    assert (rater.qualified, rater.current) == (True, 3)


def test_practice_failed_twice_frees_the_place():
    log = Log((QUALIFICATION, MAIN))
    log.add("started")
    log.add("answered", task=1, answer={})
    rater = log.add("answered", task=1, answer={})
    assert rater.failed
    assert not rater.holds_place
    assert log.state.places().raters == 0


def test_failed_checks_are_counted_and_undone_ones_not():
    log = Log((CHECK, MAIN))
    log.add("started")
    assert log.add("answered", task=1, answer={}).checks_failed == 1
    rater = log.add("undone", task=1)
    assert (rater.checks_failed, rater.checks_answered) == (0, 0)


@pytest.mark.parametrize("kind", ["withdrawn", "expired"])
def test_whoever_leaves_holds_no_place(kind):
    log = Log()
    log.add("started")
    assert log.state.places().raters == 1
    log.add(kind)
    assert log.state.places().raters == 0


def test_the_study_is_paused_reopened_and_closed():
    log = Log()
    for kind, status in [("paused", "paused"), ("reopened", "open"), ("closed", "closed")]:
        log.add(kind, rater=None)
        assert log.state.status == status


def test_erased_events_apply_without_their_payload():
    log = Log()
    log.add("started")
    log.add("answered", task=1, answer={"x": 1})
    log.add("erased")
    erased = [
        StudyEvent(id=e.id, key=f"erased-{e.id}", kind=e.kind, at=e.at, version=1, rater=1, payload={"erased": True})
        for e in log.events[:2]
    ]
    state = log.new_state().apply_all([*erased, log.events[2]])
    assert state.raters[1].erased
    assert state.raters[1].tasks == ()


def test_edits_are_replayed():
    log = Log()
    log.add("started")
    rater = log.add("edited", task=1, deltas=[[10, 0, 6, "a text"], [20, 6, 0, "!"]])
    assert rater.records[1].draft == "a text!"
    rater = log.add("edited", task=1, deltas=[[30, 0, 2, ""]])
    assert (rater.records[1].draft, rater.records[1].deltas) == ("text!", 3)
