"""The log: written once, acknowledged after COMMIT, and refused where it is another's."""

from __future__ import annotations

import secrets
import threading

import pytest
import sqlalchemy as sa

from assay.errors import InputError, NotSaved
from assay.study.events import StudyEvent
from assay.study.store import EVENTS, FACTS, StudyDatabase, StudyWriter, copy_rows, sqlite_url


@pytest.fixture
def database(tmp_path, database_url):
    database = StudyDatabase(database_url or sqlite_url(tmp_path / "study.db"), schema=f"t{secrets.token_hex(4)}")
    database.create("study1")
    yield database
    database.close()


@pytest.fixture
def sqlite(tmp_path):
    database = StudyDatabase(sqlite_url(tmp_path / "study.db"))
    database.create("study1")
    yield database
    database.close()


def event(number, *, key=None, rater=1):
    return StudyEvent(
        id=number, key=key or f"key{number:06d}", kind="shown", at="t", version=1, rater=rater, payload={"n": number}
    )


def test_events_come_back_in_order(database):
    writer = StudyWriter(database)
    futures = [writer.submit(lambda n=n: writer.add_event(event(n))) for n in range(1, 1001)]
    for future in futures:
        future.result(10)
    writer.close()
    assert [e.id for e in database.events()] == list(range(1, 1001))
    assert next(database.events(rater=1)).payload == {"n": 1}
    assert list(database.events(rater=2)) == []


def test_sqlite_keeps_what_it_acknowledged(sqlite):
    with sqlite.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_nothing_is_acknowledged_before_commit(sqlite):
    """While the transaction cannot end, the future is not done."""
    writer = StudyWriter(sqlite)
    with sqlite.engine.connect() as other:
        other.exec_driver_sql("BEGIN IMMEDIATE")
        future = writer.submit(lambda: writer.add_event(event(1)))
        assert not _is_done_within(future, 0.3)
        other.rollback()
    future.result(10)
    writer.close()


def _is_done_within(future, seconds):
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    return done.wait(seconds)


def test_a_failed_commit_is_told_to_everybody_who_waits(database):
    failures = []
    writer = StudyWriter(database, on_failure=lambda: failures.append(1))
    writer.submit(lambda: writer.add_event(event(1))).result(10)
    again = writer.submit(lambda: writer.add_event(event(1)))
    with pytest.raises(NotSaved, match="not saved"):
        again.result(10)
    assert failures
    writer.submit(lambda: writer.add_event(event(2))).result(10)
    writer.close()
    assert [e.id for e in database.events()] == [1, 2]


def test_the_state_is_derived_anew_after_a_failure_and_not_before(sqlite):
    derived = []
    writer = StudyWriter(sqlite, on_failure=lambda: derived.append(1))
    writer.submit(lambda: writer.add_event(event(1))).result(10)
    assert derived == []
    with pytest.raises(NotSaved):
        writer.submit(lambda: writer.add_event(event(1))).result(10)
    writer.submit(lambda: writer.add_event(event(2))).result(10)
    writer.close()
    assert derived == [1]


def test_no_job_runs_on_a_state_that_could_not_be_derived_anew(sqlite):
    """A retry must not be told that it was saved before, when the commit failed and the database was away."""
    broken = []

    def derive():
        if broken:
            raise OSError("the database is away")

    writer = StudyWriter(sqlite, on_failure=derive)
    writer.submit(lambda: writer.add_event(event(1))).result(10)
    broken.append(True)
    with pytest.raises(NotSaved):
        writer.submit(lambda: writer.add_event(event(1))).result(10)
    with pytest.raises(NotSaved, match="the database is away"):
        writer.submit(lambda: writer.add_event(event(2))).result(10)
    broken.clear()
    writer.submit(lambda: writer.add_event(event(2))).result(10)
    writer.close()
    assert [e.id for e in sqlite.events()] == [1, 2]


def test_a_key_is_written_once_even_if_the_program_forgets(database):
    writer = StudyWriter(database)
    writer.submit(lambda: writer.add_event(event(1, key="same-key"))).result(10)
    with pytest.raises(NotSaved):
        writer.submit(lambda: writer.add_event(event(2, key="same-key"))).result(10)
    writer.close()


def test_a_full_disk_is_not_saved(sqlite):
    with sqlite.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    sa.event.listen(sqlite.engine, "connect", lambda c, _: c.execute(f"PRAGMA max_page_count={pages + 1}"))
    sqlite.engine.dispose()
    writer = StudyWriter(sqlite)
    big = StudyEvent(id=1, key="key00001", kind="shown", at="t", version=1, rater=1, payload={"x": "y" * 100_000})
    with pytest.raises(NotSaved, match="full"):
        writer.submit(lambda: writer.add_event(big)).result(10)
    writer.close()


def test_an_error_of_one_job_is_its_own(database):
    writer = StudyWriter(database)

    def fail():
        raise InputError("wrong")

    bad, good = writer.submit(fail), writer.submit(lambda: writer.add_event(event(1)))
    with pytest.raises(InputError, match="wrong"):
        bad.result(10)
    good.result(10)
    writer.close()


def test_another_version_or_study_is_refused(database, tmp_path):
    with pytest.raises(InputError, match="another study"):
        database.check("study2")
    with database.engine.begin() as connection:
        connection.execute(sa.update(FACTS).where(FACTS.c.name == "schema_version").values(value="99"))
    with pytest.raises(InputError, match="schema version 99"):
        database.check("study1")
    with pytest.raises(InputError, match="holds no study"):
        StudyDatabase(sqlite_url(tmp_path / "empty.db")).check("study1")


@pytest.mark.parametrize("url", ["mysql://a/b", "nothing", "postgresql://nobody@127.0.0.1:1/none"])
def test_a_database_that_cannot_be_used_is_refused(url):
    with pytest.raises(InputError):
        StudyDatabase(url).create("study1")


def test_a_password_is_not_in_messages():
    assert "secret" not in StudyDatabase("postgresql://me:secret@host/name").place


def test_one_process_holds_a_database_server(postgres):
    one, two = (StudyDatabase(postgres, schema="assay_same") for _ in range(2))
    one.create("study1")
    with one.hold(), pytest.raises(InputError, match="another process"), two.hold():
        pass
    with two.hold():
        pass


def test_tables_are_copied_whole(database, tmp_path):
    writer = StudyWriter(database)
    writer.submit(lambda: [writer.add_event(event(n)) for n in range(1, 51)]).result(10)
    copy = StudyDatabase(sqlite_url(tmp_path / "copy.db"))
    copy_rows(database, copy)
    writer.close()
    assert list(copy.events()) == list(database.events())
    assert copy.rows(EVENTS) == database.rows(EVENTS)
    copy.check("study1")
