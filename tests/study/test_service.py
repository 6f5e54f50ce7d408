"""What raters may send, when, and what they see."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import assay
from assay.study.events import ClientEvent
from assay.study.service import StudyService
from assay.study.settings import Crowd, RatingScale

SCALES = (RatingScale(name="meaning", high=3),)
ANSWER = {"answer": {"ratings": {"meaning": 2}}, "active": 3.0}


class Clock:
    def __init__(self):
        self.now = datetime(2024, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now

    def wait(self, **time):
        self.now += timedelta(**time)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def run(make_study, clock):
    """run(data, protocol, ...) starts a service, which is closed at the end."""
    services = []

    def start(data, protocol="rate", *, dimensions=SCALES, folder=None, **options):
        folder = folder or make_study(data, protocol, dimensions=dimensions, **options)
        services.append(StudyService(folder, folder.database(), clock=clock))
        return services[-1]

    yield start
    for service in services:
        service.close()


class Rater:
    """Sends events straight to the service."""

    def __init__(self, service, number=None):
        self.service = service
        self.number = number or self.job(lambda: service.register())
        self.count = 0

    def job(self, function):
        return self.service.run(function).result(10)

    def send(self, kind, payload=None, *, task=None, key=None):
        self.count += 1
        event = ClientEvent(
            key=key or f"key{self.number}-{self.count:05d}", kind=kind, task=task, payload=payload or {}
        )
        return self.job(lambda: self.service.take_events(self.number, [event]))[0]

    def do(self, kind, payload=None, **more):
        ack = self.send(kind, payload, **more)
        assert ack.saved, ack
        return ack

    def refused(self, kind, payload=None, **more):
        ack = self.send(kind, payload, **more)
        assert not ack.saved
        return ack.code

    def screen(self):
        return self.job(lambda: self.service.view_screen(self.number))

    def following(self):
        return self.job(lambda: self.service.view_next_screen(self.number))

    def session(self):
        return self.job(lambda: self.service.view_session(self.number))

    @property
    def record(self):
        return self.service.state.rater(self.number)


def test_hidden_texts_come_on_reveal_only(run, three_systems):
    rater = Rater(run(three_systems, "rate(reveal=true)"))
    rater.do("started")
    assert rater.screen()["hidden"]
    assert "texts" not in rater.screen()
    assert "texts" not in rater.following()
    assert rater.refused("answered", ANSWER, task=1) == "not_revealed"
    rater.do("revealed", task=1)
    assert rater.screen()["texts"]
    assert "texts" not in rater.following()
    rater.do("answered", ANSWER, task=1)
    assert "texts" not in rater.screen()


def test_pages_go_forward_only(run, three_systems):
    rater = Rater(run(three_systems, "absolute", dimensions=()))
    answer = {"answer": {"ratings": {"score": 1}}}
    rater.do("started")
    assert "texts" not in rater.screen()
    assert rater.refused("answered", answer, task=1) == "wrong_page"
    assert rater.refused("paged", {"page": 3}, task=1) == "wrong_page"
    rater.do("paged", {"page": 2}, task=1)
    assert "references" not in rater.screen()
    assert rater.refused("paged", {"page": 1}, task=1) == "wrong_page"
    rater.do("answered", answer, task=1)
    assert rater.refused("undone", task=1) == "no_undo"
    assert not rater.session()["can_undo"]


def test_one_task_after_the_other_and_back(run, three_systems):
    rater = Rater(run(three_systems))
    assert rater.refused("answered", ANSWER, task=1) == "not_started"
    rater.do("started")
    assert rater.refused("started") == "already_started"
    assert rater.refused("answered", ANSWER, task=2) == "wrong_task"
    assert rater.refused("undone", task=1) == "no_undo"
    rater.do("answered", ANSWER, task=1)
    assert rater.refused("answered", ANSWER, task=1) == "wrong_task"
    assert rater.refused("submitted") == "not_finished"
    rater.do("undone", task=1)
    assert rater.screen()["task"] == 1
    assert rater.refused("answered", {"answer": {"ratings": {"meaning": 9}}}, task=1) == "invalid_answer"
    assert rater.refused("answered", {"answer": [1]}, task=1) == "invalid_answer"
    assert rater.refused("expired") == "unknown_kind"
    assert rater.refused("submitted", task=1) == "unexpected_task"
    assert rater.refused("revealed", task=1) == "nothing_hidden"
    assert rater.refused("edited", {"deltas": []}, task=1) == "nothing_to_edit"


def test_a_key_counts_once(run, three_systems):
    rater = Rater(run(three_systems))
    rater.do("started")
    first = rater.do("answered", ANSWER, task=1, key="the-same-key")
    again = rater.do("answered", ANSWER, task=1, key="the-same-key")
    assert (again.event, again.duplicate) == (first.event, True)
    assert rater.record.answered == [1]


def test_events_after_a_refused_one_are_refused(run, three_systems):
    rater = Rater(run(three_systems))
    rater.do("started")
    events = [
        ClientEvent(key="key-number-1", kind="answered", task=1, payload=ANSWER),
        ClientEvent(key="key-number-2", kind="answered", task=7, payload=ANSWER),
        ClientEvent(key="key-number-3", kind="answered", task=2, payload=ANSWER),
    ]
    acks = rater.job(lambda: rater.service.take_events(rater.number, events))
    assert [(ack.saved, ack.code) for ack in acks] == [(True, None), (False, "wrong_task"), (False, "earlier_refused")]


def test_active_time_is_no_more_than_passed(run, three_systems, clock):
    rater = Rater(run(three_systems))
    rater.do("started")
    rater.do("shown", task=1)
    clock.wait(seconds=2)
    rater.do("answered", ANSWER, task=1)
    assert rater.record.records[1].active == 2.0
    rater.do("answered", {**ANSWER, "active": "long"}, task=2)
    assert rater.record.records[2].active is None


def test_consent_comes_first(run, three_systems):
    rater = Rater(run(three_systems, consent="I agree."))
    assert rater.session()["stage"] == "consent"
    assert rater.refused("started") == "no_consent"
    rater.do("consented")
    assert rater.session()["stage"] == "instructions"
    rater.do("started")
    assert rater.session()["stage"] == "task"


def test_a_task_is_skipped_with_a_reason_where_that_is_allowed(run, three_systems):
    strict = Rater(run(three_systems))
    strict.do("started")
    assert strict.refused("answered", {"skip": "why"}, task=1) == "skip_not_allowed"
    rater = Rater(run(three_systems, allow_skip=True))
    rater.do("started")
    assert rater.refused("answered", {"skip": " "}, task=1) == "no_reason"
    rater.do("answered", {"skip": " not English "}, task=1)
    assert rater.record.records[1].skip == "not English"


def test_places_are_freed_after_a_time_and_given_back_if_free(run, three_systems, clock):
    service = run(three_systems, raters=1, abandoned_after=60)
    ann, bob = Rater(service), Rater(service)
    ann.do("started")
    assert bob.refused("started") == "full"
    clock.wait(minutes=61)
    ann.do("answered", ANSWER, task=1)  # no one asked for the place meanwhile
    clock.wait(minutes=61)
    bob.do("started")
    assert ann.record.expired
    assert ann.refused("answered", ANSWER, task=2) == "place_taken"
    clock.wait(minutes=61)
    ann.job(service.expire_abandoned)
    ann.do("answered", ANSWER, task=2)
    assert not ann.record.expired


def test_a_paused_study_takes_nothing_until_it_is_reopened(run, three_systems):
    service = run(three_systems, raters=1)
    rater = Rater(service)
    rater.do("started")
    rater.job(lambda: service.change_status("paused"))
    assert rater.refused("answered", ANSWER, task=1) == "paused"
    assert rater.session()["stage"] == "paused"
    assert rater.screen() is None
    rater.job(lambda: service.change_status("reopened"))
    rater.do("answered", ANSWER, task=1)
    assert Rater(service).refused("started") == "full"
    rater.job(lambda: service.change_status("extended", places=1))
    Rater(service).do("started")


def test_practice_is_passed_or_not(run, three_systems):
    known = assay.EvalSet(
        [assay.Item("k", outputs={"A": "a"}, sources=("s",), judgments=(assay.Judgment("A", "gold", "meaning", 1.0),))]
    )
    service = run(three_systems, qualification=known, pass_mark=1.0)
    rater = Rater(service)
    rater.do("started")
    assert rater.session()["practice"]
    assert rater.following() is None
    rater.do("answered", ANSWER, task=1)
    assert rater.session()["tries_left"] == 1
    rater.do("answered", {"answer": {"ratings": {"meaning": 1}}}, task=1)
    assert rater.session()["answered"] == 0
    assert rater.session()["total"] == 30
    assert rater.refused("undone", task=1) == "no_undo"
    other = Rater(service)
    other.do("started")
    other.do("answered", ANSWER, task=1)
    other.do("answered", ANSWER, task=1)
    assert other.session()["stage"] == "failed"
    assert other.refused("answered", ANSWER, task=1) == "failed"


def test_whoever_withdraws_is_out(run, three_systems):
    rater = Rater(run(three_systems))
    rater.do("started")
    rater.do("withdrawn")
    assert rater.session()["stage"] == "withdrawn"
    assert rater.refused("answered", ANSWER, task=1) == "withdrawn"


def test_pages_that_end_the_study_have_a_code_of_their_own(run, clock, three_systems):
    codes = Crowd(completion_code="DONE", failed_code="FAIL", screened_code="OUT", completion_url="https://x/{code}")
    service = run(three_systems, raters=1, abandoned_after=30, crowd=codes)
    first, second, third = (Rater(service) for _ in range(3))
    first.do("started")
    assert second.refused("started") == "full"
    assert second.session()["stage"] == "full"
    assert second.session()["completion"] == {"code": "OUT", "url": "https://x/OUT"}
    assert third.session()["stage"] == "instructions"
    clock.wait(hours=1)
    assert second.session()["stage"] == "full"  # no one has come since
    third.do("started")
    assert first.session()["stage"] == "place_taken"
    assert first.screen() is None
    assert first.session()["completion"]["code"] == "OUT"
    assert first.refused("shown", task=1) == "place_taken"
    third.do("withdrawn")
    assert first.session()["stage"] == "task"
    assert "completion" not in first.session()
    first.do("shown", task=1)


def known_answers(score, **extra):
    judgment = assay.Judgment("K", "lead", "meaning", score)
    return assay.EvalSet([assay.Item("k", (), {"K": "known text"}, ("s",), judgments=(judgment,), extra=extra)])


def test_who_practises_is_told_what_was_wrong_and_why(run, three_systems):
    rater = Rater(run(three_systems, qualification=known_answers(3.0, reason="The name is missing.")))
    rater.do("started")
    assert rater.session()["feedback"] == []
    rater.do("answered", {"answer": {"ratings": {"meaning": 1}}}, task=1)
    miss = {"text": "", "dimension": "meaning", "expected": 3.0, "given": 1.0}
    feedback = [{"task": 1, "texts": ["known text"], "misses": [miss], "reason": "The name is missing."}]
    assert rater.session()["feedback"] == feedback
    rater.do("answered", {"answer": {"ratings": {"meaning": 3}}}, task=1)
    assert rater.session()["feedback"] == []
    rater.do("answered", ANSWER, task=2)
    assert "feedback" not in rater.session()
    other = Rater(rater.service)
    other.do("started")
    for _ in range(2):
        other.do("answered", {"answer": {"ratings": {"meaning": 1}}}, task=1)
    assert other.session()["stage"] == "failed"
    assert other.session()["feedback"] == feedback


@pytest.mark.parametrize("loud", [True, False])
def test_checks_are_loud_or_silent(run, three_systems, loud):
    rater = Rater(run(three_systems, checks=known_answers(3.0), loud_checks=loud))
    rater.do("started")
    seen = set()
    for number, task in enumerate(rater.record.tasks, 1):
        rater.do("answered", {"answer": {"ratings": {"meaning": 1}}}, task=number)
        is_check = task.role == "check"
        assert rater.session().get("check_failed") == (number if loud and is_check else None)
        seen.add(is_check)
    assert seen == {True, False}


def test_sessions_end(run, clock, three_systems):
    rater = Rater(run(three_systems))
    service = rater.service
    rater.job(lambda: service.open_session("of-a-rater", rater.number, hours=24 * 14))
    rater.job(lambda: service.open_session("of-the-admin", None, hours=12))
    clock.wait(hours=11)
    assert service.session_rater("of-the-admin") == (None,)
    clock.wait(hours=2)
    assert service.session_rater("of-the-admin") is None
    assert service.session_rater("of-a-rater") == (rater.number,)
    clock.wait(days=14)
    assert service.session_rater("of-a-rater") is None


def test_edits_are_kept_and_the_draft_comes_back(run, three_systems):
    rater = Rater(run(three_systems, "shorten", dimensions=()))
    rater.do("started")
    source = rater.screen()["source"][0]
    rater.do("edited", {"deltas": [[10, 0, len(source), "short"]]}, task=1)
    assert rater.screen()["draft"] == "short"
    assert rater.refused("edited", {"deltas": [[10, 3, 9, ""]]}, task=1) == "invalid_deltas"
    assert rater.refused("edited", {"deltas": [[10, -1, 0, ""]]}, task=1) == "invalid_deltas"
    assert rater.refused("answered", {"answer": {"text": source}}, task=1) == "too_long"
    rater.do("answered", {"answer": {"text": "short"}}, task=1)


def test_an_erased_rater_is_gone_and_the_log_replays(run, three_systems):
    service = run(three_systems, invitations=["ann secret"])
    rater = Rater(service, 1)
    rater.do("started")
    rater.do("answered", ANSWER, task=1)
    rater.job(lambda: service.erase(1))
    assert rater.record.erased
    assert rater.refused("answered", ANSWER, task=2) == "withdrawn"
    again = service.content.derive_state(service.database)
    assert again.raters[1].erased
    assert all("answer" not in event.payload for event in service.database.events())
    assert service.database.rows(__import__("assay.study.store", fromlist=["RATERS"]).RATERS)[0]["code"] == "erased-1"


def test_changed_instructions_make_a_version_and_a_changed_design_is_refused(run, make_study, three_systems):
    folder = make_study(three_systems, dimensions=SCALES, instructions="one")
    assert run(None, folder=folder).version == 1
    (folder.path / "instructions.md").write_text("two")
    second = run(None, folder=folder)
    assert second.version == 2
    rater = Rater(second)
    rater.do("started")
    assert next(second.database.events()).version == 2
    settings = folder.path / "study.json"
    settings.write_text(settings.read_text().replace('"rate(reveal=false', '"rate(reveal=true'))
    from assay.study.folder import StudyFolder

    with pytest.raises(assay.errors.InputError, match="protocol changed"):
        run(None, folder=StudyFolder(folder.path))


def test_a_restart_goes_on_where_it_was(run, make_study, three_systems):
    folder = make_study(three_systems, dimensions=SCALES)
    rater = Rater(run(None, folder=folder))
    rater.do("started")
    rater.do("answered", ANSWER, task=1)
    again = run(None, folder=folder)
    assert again.state.raters == rater.service.state.raters
    assert again.state.keys == rater.service.state.keys
