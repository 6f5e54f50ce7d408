"""Databases of every version of the schema are read, exported and served."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

import assay
from assay.cli.main import main
from assay.study import store
from assay.study.backup import bring_to_present
from assay.study.folder import StudyFolder
from assay.study.store import FACTS, schema_version, sqlite_url

VERSIONS = sorted(Path(__file__).parent.glob("versions/*"), key=lambda path: int(path.name))
NEXT = ("ALTER TABLE raters ADD COLUMN note TEXT", "UPDATE raters SET note = 'old'")


@pytest.fixture
def stored(tmp_path):
    """stored(folder) makes a study of a stored version: its files, and its database from plain SQL."""

    def make(version: Path) -> StudyFolder:
        path = tmp_path / "study"
        shutil.copytree(version, path)
        (path / "secret").write_text("00" * 32)
        connection = sqlite3.connect(path / "study.db")
        connection.executescript((path / "study.sql").read_text("utf-8"))
        connection.close()
        return StudyFolder(path)

    return make


def dump(folder: StudyFolder) -> list[str]:
    connection = sqlite3.connect(folder.path / "study.db")
    lines = list(connection.iterdump())
    connection.close()
    return lines


def test_every_version_is_stored():
    assert [int(path.name) for path in VERSIONS] == list(range(1, schema_version() + 1))


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
def test_a_database_of_every_version_is_exported_and_served(stored, serve, tmp_path, version):
    folder = stored(version)
    bring_to_present(folder, folder.database())
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    judged = assay.read(out)
    assert [(j.system, j.rater, j.score) for item in judged for j in item.judgments] == [("A", "ann", 2.0)]
    assert main(["study", "replay", str(folder.path)]) == 0
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.answer({"ratings": {"meaning": 3}})
        assert rater.body["session"]["answered"] == 2


def test_a_rung_of_the_ladder(stored, tmp_path, capsys, monkeypatch):
    """With a version after the present one: the old is exported as it lies, and upgraded by whoever writes."""
    folder = stored(VERSIONS[-1])
    before = dump(folder)
    monkeypatch.setattr(store, "LADDER", (*store.LADDER, NEXT))
    words = ["study", "export", str(folder.path), "--out", str(tmp_path / "judged.jsonl")]
    assert main(words) == 0
    assert dump(folder) == before
    assert main(["study", "links", str(folder.path)]) == 0
    facts = {row["name"]: row["value"] for row in folder.database().rows(FACTS)}
    assert facts["schema_version"] == str(schema_version())
    connection = sqlite3.connect(folder.path / "study.db")
    assert connection.execute("SELECT note FROM raters").fetchall() == [("old",)]
    connection.close()
    (backup,) = folder.backups()
    assert main([*words, "--database", sqlite_url(backup)]) == 0
    monkeypatch.undo()
    capsys.readouterr()
    assert main(words) == 2
    assert "use a later release" in capsys.readouterr().err


def test_the_ladder_on_postgresql(make_study, three_systems, postgres, monkeypatch):
    folder = make_study(three_systems, invitations=["ann"], database=postgres)
    monkeypatch.setattr(store, "LADDER", (*store.LADDER, NEXT))
    database = folder.database()
    bring_to_present(folder, database)
    assert database.check(folder.settings.id) == schema_version()
    with database.engine.connect() as connection:
        query = f'SELECT note FROM "{database.schema}".raters'
        assert connection.exec_driver_sql(query).scalar_one() == "old"
    database.close()
    assert len(folder.backups()) == 1
