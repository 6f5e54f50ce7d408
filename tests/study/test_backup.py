"""Backups of a study that is being served, and people who are removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from study_client import RaterClient, make_event

from assay.cli.main import main
from assay.errors import InputError
from assay.study import backup as module
from assay.study.backup import back_up, backups_with, find_rater
from assay.study.settings import RatingScale
from assay.study.store import EVENTS, StudyDatabase, sqlite_url

SCALES = (RatingScale(name="meaning", high=3),)


def test_a_backup_while_it_is_served_replays(make_study, serve, three_systems, capsys):
    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        rater.answer({"ratings": {"meaning": 2}})
        path = back_up(folder, served.service.database)
        rater.answer({"ratings": {"meaning": 2}})
        kept = StudyDatabase(sqlite_url(path))
        assert [e.id for e in kept.events()] == [e.id for e in served.service.database.events()][:3]
        kept.close()
        assert main(["study", "backup", str(folder.path)]) == 0
        assert "Wrote" in capsys.readouterr().out
    assert len(folder.backups()) == 2
    assert main(["study", "replay", str(folder.path), "--database", sqlite_url(path)]) == 0
    assert "The log is sound: 3 events" in capsys.readouterr().out


def test_nothing_is_left_of_a_backup_that_is_interrupted(make_study, three_systems, monkeypatch):
    folder = make_study(three_systems)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_copy_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        back_up(folder, folder.database())
    assert os.listdir(folder.path / "backups") == []


def test_what_a_killed_process_left_goes_with_the_next_backup(make_study, three_systems):
    folder = make_study(three_systems)
    backups = folder.path / "backups"
    (backups / "20000101T000000000000Z.part-journal").write_text("")
    code = """
import pathlib, sys
from assay.study.backup import _hold_new_file
with _hold_new_file(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
    command = [sys.executable, "-c", code, str(backups / "20000101T000000000000Z.part")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        first = back_up(folder, folder.database())
        assert len(os.listdir(backups)) == 3  # it is still being written
        process.kill()
    second = back_up(folder, folder.database())
    assert sorted(os.listdir(backups)) == sorted([first.name, second.name])


def bytes_of(folder, url) -> bytes:
    """Return the files of a database as they are on disk: of PostgreSQL all table files after a checkpoint."""
    if url is None:
        return b"".join(path.read_bytes() for path in folder.path.glob("study.db*"))
    database = folder.database()
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("CHECKPOINT")
        data = Path(connection.exec_driver_sql("SHOW data_directory").scalar_one())
    database.close()
    return b"".join(path.read_bytes() for path in (data / "base").rglob("*") if path.is_file())


PRIVATE = (b"Ann Personal", b"private reason")


def skip_one(served) -> RaterClient:
    rater = served.rater("Ann Personal")
    rater.start()
    rater.do("answered", {"skip": "because my private reason"}, task=1)
    return rater


def test_an_erased_person_is_in_no_byte_of_the_database(make_study, serve, three_systems, capsys, database_url):
    people = {"allow_skip": True, "invitations": ["Ann Personal"], "database": database_url}
    folder = make_study(three_systems, dimensions=SCALES, **people)
    with serve(folder) as served:
        skip_one(served)
        backup = back_up(folder, served.service.database)
    assert all(word in bytes_of(folder, database_url) for word in PRIVATE)
    assert main(["study", "erase", str(folder.path), "Ann Personal"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert backup.name in told.replace(" ", "")
    assert ("write-ahead log" in told) == (database_url is not None)
    assert "may still hold them" in told
    assert not any(word in bytes_of(folder, database_url) for word in PRIVATE)
    assert list(backups_with(folder, 1)) == [backup]
    assert main(["study", "replay", str(folder.path)]) == 0
    assert main(["study", "status", str(folder.path)]) == 0
    assert "erased" in capsys.readouterr().out


def test_who_leaves_is_in_no_byte_of_the_database(make_study, serve, three_systems, capsys, database_url):
    people = {"allow_skip": True, "invitations": ["Ann Personal", "bob"], "database": database_url}
    folder = make_study(three_systems, dimensions=SCALES, **people)
    with serve(folder) as served:
        rater, other = skip_one(served), served.rater("bob")
        other.start()
        event = make_event("withdrawn")
        assert rater.send(event).status_code == 200
        assert rater.stage == "withdrawn"
        assert rater.send(event).json()["acks"][0]["saved"]  # the answer was lost, and it is sent again
        assert not any(word in bytes_of(folder, database_url) for word in PRIVATE)
        other.answer({"ratings": {"meaning": 2}})
        assert rater.refresh()["session"]["stage"] == "withdrawn"
    assert not any(word in bytes_of(folder, database_url) for word in PRIVATE)
    assert main(["study", "replay", str(folder.path)]) == 0
    assert "1 answer counts" in " ".join(capsys.readouterr().out.split())


def test_erasing_waits_for_no_reader_for_ever(make_study, serve, three_systems, postgres, monkeypatch):
    """What could not be written anew while somebody read is written anew when the server ends."""
    monkeypatch.setattr(module, "LOCK_MS", 50)
    people = {"allow_skip": True, "invitations": ["Ann Personal"], "database": postgres}
    folder = make_study(three_systems, dimensions=SCALES, **people)
    with serve(folder) as served:
        rater, reader = skip_one(served), folder.database()
        with reader.engine.connect() as connection:
            connection.execute(sa.select(EVENTS)).first()
            rater.do("withdrawn")
            assert PRIVATE[1] in bytes_of(folder, postgres)
        reader.close()
    assert not any(word in bytes_of(folder, postgres) for word in PRIVATE)


def test_raters_are_found_by_name_or_number(make_study, three_systems):
    database = make_study(three_systems, invitations=["ann", "bob"]).database()
    assert find_rater(database, "bob") == find_rater(database, "2") == 2
    with pytest.raises(InputError, match="no rater 'eve'; known: ann, bob"):
        find_rater(database, "eve")
