"""Backups of a study that is being served, and people who are removed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.cli.main import main
from assay.errors import InputError
from assay.study import backup as module
from assay.study.backup import back_up, backups_with, find_rater
from assay.study.settings import RatingScale
from assay.study.store import StudyDatabase, sqlite_url

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


def test_an_erased_person_is_in_no_byte_of_the_database(make_study, serve, three_systems, capsys):
    folder = make_study(three_systems, dimensions=SCALES, allow_skip=True, invitations=["Ann Personal"])
    with serve(folder) as served:
        rater = served.rater("Ann Personal")
        rater.start()
        rater.do("answered", {"skip": "because my private reason"}, task=1)
        backup = back_up(folder, served.service.database)
    assert main(["study", "erase", str(folder.path), "Ann Personal"]) == 0
    assert backup.name in capsys.readouterr().out.replace("\n", "")
    content = b"".join(path.read_bytes() for path in folder.path.glob("study.db*"))
    assert b"Ann Personal" not in content
    assert b"private reason" not in content
    assert list(backups_with(folder, 1)) == [backup]
    assert main(["study", "replay", str(folder.path)]) == 0
    assert main(["study", "status", str(folder.path)]) == 0
    assert "erased" in capsys.readouterr().out


def test_raters_are_found_by_name_or_number(make_study, three_systems):
    database = make_study(three_systems, invitations=["ann", "bob"]).database()
    assert find_rater(database, "bob") == find_rater(database, "2") == 2
    with pytest.raises(InputError, match="no rater 'eve'; known: ann, bob"):
        find_rater(database, "eve")
