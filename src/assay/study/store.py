"""The database of a study: one schema for SQLite and PostgreSQL, one thread that writes, commits in groups.

A job is a function that runs in the writer's thread, reads the state and adds rows. Jobs that wait are run together and
their rows written in one transaction; the results are handed out after COMMIT. If that fails, everybody who waits is
told so, and `on_failure` is called to derive the state anew.

SQLite runs in WAL mode with synchronous=FULL: what was acknowledged survives a crash of the process and of the system.
"""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..errors import InputError, NotSaved
from ..extras import import_extra
from .events import StudyEvent

if TYPE_CHECKING:
    import sqlalchemy as sa
else:
    sa = import_extra("sqlalchemy", "study", "a study")

# Plain SQL that leads from each version of the schema to the next: the first entry from 1 to 2, and so on. What stands
# here is never changed; `tests/study/versions` has a database of each version.
LADDER: tuple[tuple[str, ...], ...] = ()
MAX_JOBS = 256  # of one transaction
T = TypeVar("T")

METADATA = sa.MetaData()
FACTS = sa.Table(  # schema version, and the study that the database belongs to
    "facts", METADATA, sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False)
)
VERSIONS = sa.Table(  # instructions, scales and texts of the interface as they were, by version
    "versions",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("since", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
)
RATERS = sa.Table(  # who they are: the only place with identities
    "raters",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("external", sa.Text, unique=True),
    sa.Column("created", sa.Text, nullable=False),
)
SESSIONS = sa.Table(
    "sessions",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("rater", sa.Integer),  # none: the admin
    sa.Column("expires", sa.Text, nullable=False),
)
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("rater", sa.Integer, index=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("task", sa.Integer),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("client_at", sa.Text),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.UniqueConstraint("rater", "key", name="events_once"),
)
TABLES = (FACTS, VERSIONS, RATERS, SESSIONS, EVENTS)


class StudyDatabase:
    """The tables of one study, to read from and to write to in transactions."""

    def __init__(self, url: str, *, schema: str = "") -> None:
        parsed = _parse_url(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.url, self.schema = url, "" if self.is_sqlite else schema
        engine = sa.create_engine(parsed, **({} if self.is_sqlite else {"pool_pre_ping": True}))
        if self.is_sqlite:
            sa.event.listen(engine, "connect", _set_pragmas)
        elif self.schema:
            engine = engine.execution_options(schema_translate_map={None: self.schema})
        self.engine = engine

    def create(self, study: str) -> None:
        """Make the tables of a new study; those of another study, or of another version, are refused."""
        with _database_errors(self.url), self.engine.begin() as connection:
            if not self.is_sqlite and self.schema:
                connection.execute(sa.text(f'CREATE SCHEMA IF NOT EXISTS "{self.schema}"'))
            METADATA.create_all(connection)
            if connection.execute(sa.select(FACTS)).first() is None:
                facts = {"schema_version": str(schema_version()), "study": study}
                connection.execute(sa.insert(FACTS), [{"name": k, "value": v} for k, v in facts.items()])
        self.check(study)

    def check(self, study: str) -> int:
        """Return the version of the schema; refuse a database of another study or of a later version."""
        with _database_errors(self.url), self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("facts", schema=self.schema or None):
                raise InputError(f"{self.place} holds no study; was it made by assay study new?")
            facts = {row.name: row.value for row in connection.execute(sa.select(FACTS))}
        version = facts.get("schema_version", "")
        if not version.isdecimal() or not 1 <= int(version) <= schema_version():
            raise InputError(
                f"{self.place} has schema version {version}; this release of Assay reads up to version "
                f"{schema_version()}: use a later release"
            )
        if facts.get("study") != study:
            raise InputError(f"{self.place} belongs to another study ({facts.get('study')}); give its own database")
        return int(version)

    def upgrade(self, version: int) -> None:
        """Bring the schema from a version to the present one, in one transaction."""
        with _database_errors(self.url), self.engine.begin() as connection:
            if not self.is_sqlite and self.schema:
                connection.exec_driver_sql(f'SET LOCAL search_path TO "{self.schema}"')
            for statement in (statement for step in LADDER[version - 1 :] for statement in step):
                connection.exec_driver_sql(statement)
            value = {"value": str(schema_version())}
            connection.execute(sa.update(FACTS).where(FACTS.c.name == "schema_version").values(value))

    @property
    def place(self) -> str:
        """What the database is called in messages, without its password."""
        return _parse_url(self.url).render_as_string(hide_password=True)

    def events(self, *, rater: int | None = None) -> Iterator[StudyEvent]:
        """Read the log in order, or the part of one rater."""
        query = sa.select(EVENTS).order_by(EVENTS.c.id)
        if rater is not None:
            query = query.where(EVENTS.c.rater == rater)
        with self.engine.connect() as connection:
            for row in connection.execution_options(yield_per=1000).execute(query):
                yield StudyEvent(**{**row._mapping, "payload": msgspec.json.decode(row.payload)})

    def rows(self, table: sa.Table) -> list[dict[str, Any]]:
        """Read all rows of a table."""
        with self.engine.connect() as connection:
            return [dict(row._mapping) for row in connection.execute(sa.select(table))]

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a database server's tables for one process that writes; SQLite is held by the folder's lock."""
        if self.is_sqlite:
            yield
            return
        # No transaction is left open: it would keep PostgreSQL from removing what was deleted.
        engine = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        with _database_errors(self.url), engine.connect() as connection:
            number = int.from_bytes(self.schema.encode()[-7:], "big")
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(number))):
                raise InputError(f"{self.place}: the study is being served by another process; stop that one first")
            try:
                yield
            finally:  # the lock belongs to the connection, which goes back to the pool
                connection.execute(sa.select(sa.func.pg_advisory_unlock(number)))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def schema_version() -> int:
    """Return the present version of the schema."""
    return len(LADDER) + 1


@contextmanager
def read_at_present(database: StudyDatabase, version: int) -> Iterator[StudyDatabase]:
    """Give a database as it is in the present schema: itself, or an upgraded copy of one of an earlier version."""
    if version == schema_version():
        yield database
        return
    with tempfile.TemporaryDirectory(prefix="assay-study-") as folder:
        copy = StudyDatabase(sqlite_url(Path(folder) / "copy.db"))
        try:
            _copy_as_it_is(database, copy)
            copy.upgrade(version)
            yield copy
        finally:
            copy.close()


def _copy_as_it_is(source: StudyDatabase, target: StudyDatabase) -> None:
    """Copy tables and rows of whatever version to an empty SQLite file."""
    tables = sa.MetaData()
    level = {} if source.is_sqlite else {"isolation_level": "REPEATABLE READ"}
    with source.engine.connect().execution_options(**level) as reading, target.engine.begin() as writing:
        tables.reflect(reading, schema=source.schema or None)
        plain = sa.MetaData()
        for table in tables.sorted_tables:
            columns = [sa.Column(c.name, c.type, primary_key=c.primary_key, nullable=c.nullable) for c in table.columns]
            sa.Table(table.name, plain, *columns)
        plain.create_all(writing)
        for table in tables.sorted_tables:
            for part in reading.execute(sa.select(table)).partitions(1000):
                writing.execute(sa.insert(plain.tables[table.name]), [dict(row._mapping) for row in part])


def sqlite_url(path: Path) -> str:
    """Return the URL of a SQLite file."""
    return f"sqlite:///{path.resolve()}"


class StudyWriter:
    """The one thread that writes. `submit` gives it a job and returns a future, done after COMMIT."""

    def __init__(self, database: StudyDatabase, on_failure: Callable[[], None] = lambda: None) -> None:
        self.database, self.on_failure = database, on_failure
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._pending: list[tuple[sa.Executable, dict[str, Any]]] = []
        self._is_stale = False
        self._statements: dict[Any, sa.Executable] = {table: sa.insert(table) for table in TABLES}
        self._thread = threading.Thread(target=self._run, name="study-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Run a job in the writer's thread, together with others that wait."""
        future: Future[T] = Future()
        self._jobs.put((job, future))
        return future

    def add(self, table: sa.Table, row: dict[str, Any]) -> None:
        """Add a row; only within a job."""
        self._pending.append((self._statements[table], row))

    def add_event(self, event: StudyEvent) -> None:
        """Add an event to the log; only within a job."""
        row = {name: getattr(event, name) for name in event.__struct_fields__}
        row["payload"] = msgspec.json.encode(event.payload).decode()
        self.add(EVENTS, row)

    def execute(self, statement: sa.Executable, values: dict[str, Any] | None = None) -> None:
        """Add a statement; only within a job."""
        self._pending.append((statement, values or {}))

    def close(self) -> None:
        """Finish the jobs that wait, then end."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            jobs, is_last = self._next_jobs()
            failure = self._recover()
            outcomes = [(future, *(_outcome(job) if failure is None else (None, None))) for job, future in jobs]
            pending, self._pending = self._pending, []
            if failure is None and (failure := self._commit(pending)) is not None:
                self._is_stale = True
                self._recover()
            for future, result, error in outcomes:
                _resolve(future, result, failure or error)
            if is_last:
                return

    def _recover(self) -> NotSaved | None:
        """Derive the state anew after a failure; until that works, a job would take for saved what is not."""
        if not self._is_stale:
            return None
        try:
            self.on_failure()
        except Exception as error:  # the database cannot be read either
            return _not_saved(error)
        self._is_stale = False
        return None

    def _next_jobs(self) -> tuple[list[tuple[Callable[[], Any], Future[Any]]], bool]:
        jobs: list[tuple[Callable[[], Any], Future[Any]]] = []
        entry = self._jobs.get()
        while entry is not None:
            jobs.append(entry)
            if len(jobs) == MAX_JOBS:
                return jobs, False
            try:
                entry = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
        return jobs, True

    def _commit(self, pending: list[tuple[sa.Executable, dict[str, Any]]]) -> NotSaved | None:
        if not pending:
            return None
        try:
            with self.database.engine.begin() as connection:
                for _, rows in groupby(pending, key=lambda entry: id(entry[0])):
                    _execute(connection, list(rows))
        except Exception as error:  # whatever it is, no one may be told that it was saved
            return _not_saved(error)
        return None


def _not_saved(error: Exception) -> NotSaved:
    """Return the error that whoever waits is told, without what was to be written."""
    reason = str(getattr(error, "orig", error)).splitlines()[0][:200] if str(error) else type(error).__name__
    return NotSaved(f"not saved: {reason}")


def _execute(connection: sa.Connection, rows: list[tuple[sa.Executable, dict[str, Any]]]) -> None:
    statement, values = rows[0][0], [row for _, row in rows if row]
    if values:
        connection.execute(statement, values)
    else:
        connection.execute(statement)


def _outcome(job: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return job(), None
    except Exception as error:
        return None, error


def _resolve(future: Future[Any], result: Any, error: Exception | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _parse_url(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise InputError("--database is a URL such as postgresql://user@host/name or sqlite:///path") from None
    if parsed.get_backend_name() == "postgresql":
        import_extra("psycopg", "study", "a study in PostgreSQL")
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        raise InputError(f"a study is kept in SQLite or PostgreSQL; got {parsed.get_backend_name()}")
    return parsed


def _set_pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@contextmanager
def _database_errors(url: str) -> Iterator[None]:
    try:
        yield
    except sa.exc.DBAPIError as error:
        place = _parse_url(url).render_as_string(hide_password=True)
        raise InputError(f"{place}: {str(error.orig).splitlines()[0]}") from error


def copy_rows(source: StudyDatabase, target: StudyDatabase, tables: Iterable[sa.Table] = TABLES) -> None:
    """Copy all tables to an empty database, as they are at one moment."""
    level = {} if source.is_sqlite else {"isolation_level": "REPEATABLE READ"}
    with source.engine.connect().execution_options(**level) as reading, target.engine.begin() as writing:
        METADATA.create_all(writing)
        for table in tables:
            for part in reading.execute(sa.select(table)).partitions(1000):
                writing.execute(sa.insert(table), [dict(row._mapping) for row in part])
