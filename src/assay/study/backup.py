"""Back a study up while it is served, and remove a person from it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import perf_counter

from ..errors import FormatError, InputError
from ..files import lock_file, remove_stale
from .events import utc_now
from .folder import BACKUPS, SQLITE, StudyFolder
from .store import EVENTS, RATERS, SESSIONS, StudyDatabase, copy_rows, read_at_present, schema_version, sqlite_url

LOCK_MS = 10_000  # to wait for readers before tables are rewritten


def back_up(folder: StudyFolder, database: StudyDatabase, *, now: datetime | None = None) -> Path:
    """Write the database as it is at one moment to a new SQLite file in the study's backups; it appears whole.

    Of PostgreSQL too: `assay study export --database sqlite:///...` and `replay` read it.
    """
    target = folder.path / BACKUPS / f"{(now or utc_now()).strftime('%Y%m%dT%H%M%S%fZ')}.db"
    target.parent.mkdir(mode=0o700, exist_ok=True)
    for left in target.parent.glob("*.part"):  # by a process that was killed
        if remove_stale(left):
            Path(f"{left}-journal").unlink(missing_ok=True)  # SQLite's own
    part = target.with_suffix(".part")
    try:
        with _hold_new_file(part):
            _copy_database(folder, database, part)
        os.replace(part, target)
    except BaseException as error:  # also KeyboardInterrupt
        part.unlink(missing_ok=True)
        if isinstance(error, (OSError, sqlite3.Error)):
            raise FormatError(f"the backup cannot be written: {error}", path=target) from error
        raise
    return target


@contextmanager
def _hold_new_file(path: Path) -> Iterator[None]:
    """Make a file that only its owner may read, and lock it, so that another process can see that it is in use."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with suppress(OSError):  # a file system without locks: then no one takes the file for left behind either
            lock_file(handle)
        yield
    finally:
        os.close(handle)


def _copy_database(folder: StudyFolder, database: StudyDatabase, target: Path) -> None:
    if database.is_sqlite and database.url == sqlite_url(folder.path / SQLITE):
        _copy_file(folder.path / SQLITE, target)
    else:
        copy = StudyDatabase(sqlite_url(target))
        copy_rows(database, copy)
        copy.close()


def _copy_file(source: Path, target: Path) -> None:
    """Copy by SQLite's own backup, which gives one moment of a database that is being written."""
    readonly = f"file:{source}?mode=ro"
    with closing(sqlite3.connect(readonly, uri=True)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")


def bring_to_present(folder: StudyFolder, database: StudyDatabase) -> None:
    """Bring a database of an earlier version to the present one, after a backup; only while nothing else writes."""
    version = database.check(folder.settings.id)
    if version < schema_version():
        with read_at_present(database, version) as present:  # fails before anything is changed, if it does
            back_up(folder, present)
        database.upgrade(version)


def find_rater(database: StudyDatabase, name: str) -> int:
    """Return the number of a rater by code, platform id or number."""
    rows = database.rows(RATERS)
    for row in rows:
        if name in (row["code"], row["external"], str(row["number"])):
            return int(row["number"])
    known = ", ".join(row["code"] for row in rows[:10]) or "no one yet"
    raise InputError(f"there is no rater {name!r}; known: {known}")


def backups_with(folder: StudyFolder, rater: int) -> Iterator[Path]:
    """List the backups that still hold data of a rater."""
    for path in folder.backups():
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            query = "SELECT 1 FROM events WHERE rater = ? AND kind != 'erased' AND payload != ? LIMIT 1"
            named = "SELECT 1 FROM raters WHERE number = ? AND code != ?"
            has_events = connection.execute(query, (rater, '{"erased":true}')).fetchone()
            if has_events or connection.execute(named, (rater, f"erased-{rater}")).fetchone():
                yield path


def forget_deleted(database: StudyDatabase) -> float:
    """Overwrite on disk what was deleted, and return the seconds it took: no one else may write meanwhile.

    SQLite overwrites rows in the file (secure_delete), but its journal holds them until it is cut. PostgreSQL keeps old
    rows in the tables' files until these are written anew, and frequent values in its statistics.
    """
    import sqlalchemy as sa

    start = perf_counter()
    try:
        is_done = _cut_journal(database) if database.is_sqlite else _rewrite_tables(database)
    except sa.exc.OperationalError:
        is_done = False
    if not is_done:
        raise InputError(
            "the data are deleted, but somebody reads the tables, so that their files cannot be written anew: end "
            "exports and other readers, then erase again"
        )
    return perf_counter() - start


def _cut_journal(database: StudyDatabase) -> bool:
    with database.engine.connect() as connection:
        return not connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]


def _rewrite_tables(database: StudyDatabase) -> bool:
    """Write the tables anew; False where an older transaction still sees deleted rows, which are then kept."""
    older = "SELECT count(*) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()"
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"SET lock_timeout = {LOCK_MS}")
        try:
            for table in (EVENTS, RATERS, SESSIONS):
                name = f'"{database.schema}".{table.name}' if database.schema else table.name
                connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {name}")
            connection.exec_driver_sql("VACUUM FULL pg_catalog.pg_statistic")  # a warning where this is not allowed
            return not connection.exec_driver_sql(f"{older} AND datname = current_database()").scalar_one()
        finally:
            connection.exec_driver_sql("RESET lock_timeout")
