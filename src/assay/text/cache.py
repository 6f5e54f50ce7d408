"""Cache: what models said of texts, on disk, by text, model and version of the model."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, TypeVar

from ..errors import AssayWarning, InputError

T = TypeVar("T")

FILE = "cache.sqlite"
LIMIT = 2**30  # bytes
WAIT = 30.0  # seconds for another process that writes

_TABLES = """
create table if not exists models(id integer primary key, model text, version text, unique(model, version));
create table if not exists entries(id integer primary key, key blob unique, model integer, value blob);
"""
_FETCH = 500  # keys per question
_DIGEST = 8  # bytes of checksum before each value
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_AUTH,
}


@dataclass(frozen=True)
class CachedModel:
    """How much the cache holds for one model."""

    kind: ClassVar[str] = "model"
    model: str
    version: str
    entries: int
    bytes: int


class Cache:
    """A folder with an SQLite file. Several processes may use it at once, and any of them may be killed.

    It never stops the work: a damaged file is moved aside, one that cannot be written is left alone, both with a
    warning. Every entry has a checksum; one that does not fit it counts as missing. When the entries exceed `limit`
    bytes, the oldest fifth is dropped.
    """

    def __init__(self, folder: str | os.PathLike[str], *, limit: int = LIMIT) -> None:
        self.path = Path(folder) / FILE
        self.limit = limit
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        self._file = (0, 0)
        self._off = False

    def get(self, model: str, version: str, texts: Sequence[str]) -> dict[str, bytes]:
        """Return what is known of these texts; those that are missing are not in the answer."""
        by_key = {_key(model, version, text): text for text in texts}
        return self._try(lambda c: {by_key[k]: v for k, v in _fetch(c, list(by_key)) if k in by_key}, {})

    def put(self, model: str, version: str, values: Iterable[tuple[str, bytes]]) -> None:
        """Keep some values, in one transaction, in place of earlier values of the same texts."""
        keys = ((_key(model, version, text), value) for text, value in values)
        rows = [(key, _digest(key, value) + value) for key, value in keys]
        self._try(lambda c: self._write(c, model, version, rows), None)

    def models(self) -> list[CachedModel]:
        """List how much is stored, by model."""
        if not self.path.exists():
            return []
        question = (
            "select models.model, version, count(*), sum(length(value) + length(key)) "
            "from entries join models on models.id = entries.model group by models.id order by 1, 2"
        )
        return self._try(
            lambda c: [CachedModel(str(m), str(v), int(n), int(b)) for m, v, n, b in c.execute(question)], []
        )

    def size(self) -> int:
        """Return bytes on disk, journal included."""
        return sum(path.stat().st_size for path in self._files() if path.exists())

    def clear(self) -> int:
        """Drop everything, damaged files too, and return how many entries there were."""
        dropped = self._try(_clear, 0) if self.path.exists() else 0
        for path in self.path.parent.glob(f"{FILE}.broken-*"):
            path.unlink(missing_ok=True)
        return dropped

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    def _files(self) -> list[Path]:
        return [self.path.with_name(FILE + end) for end in ("", "-wal", "-shm")]

    def _try(self, ask: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            for _ in range(2):
                if self._off:
                    return otherwise
                try:
                    return ask(self._open())
                except sqlite3.Error as error:
                    self._move_aside(error) if _is_damage(error) else self._give_up(error)
                except OSError as error:
                    self._give_up(error)
            return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._owner == os.getpid():
            return self._connection
        self._connection = None  # after a fork the parent's connection must not even be closed
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        self._connection, self._owner, self._file = connection, os.getpid(), _identity(self.path)
        _switch_to_wal(lambda: connection.execute("pragma journal_mode = wal").fetchone())
        connection.execute("pragma synchronous = normal")
        connection.executescript(_TABLES)
        return connection

    def _write(self, c: sqlite3.Connection, model: str, version: str, rows: list[tuple[bytes, bytes]]) -> None:
        c.execute("begin immediate")
        try:
            c.execute("insert or ignore into models(model, version) values (?, ?)", (model, version))
            [(number,)] = c.execute("select id from models where model = ? and version = ?", (model, version))
            c.executemany(
                "insert or replace into entries(key, model, value) values (?, ?, ?)",
                [(key, number, value) for key, value in rows],
            )
            self._shrink(c)
            c.execute("commit")
        except BaseException:
            with suppress(sqlite3.Error):
                c.execute("rollback")
            raise

    def _shrink(self, c: sqlite3.Connection) -> None:
        """Drop the oldest fifth until the pages in use are within the limit; free pages are used again."""
        while _bytes_used(c) > self.limit:
            [(entries,)] = c.execute("select count(*) from entries")
            if not entries:
                return
            oldest = "select id from entries order by id limit ?"
            c.execute(f"delete from entries where id in ({oldest})", (max(1, entries // 5),))

    def _give_up(self, error: Exception) -> None:
        self.close()
        self._off = True
        warnings.warn(f"the cache {self.path} is not used: {error}", AssayWarning, stacklevel=4)

    def _move_aside(self, error: Exception) -> None:
        """Rename a file that is not a sound database, unless another process was quicker."""
        self.close()
        if _identity(self.path) != self._file:
            return
        new = f"{FILE}.broken-{time.time_ns()}"
        for path in self._files():
            with suppress(FileNotFoundError):
                path.rename(path.with_name(path.name.replace(FILE, new)))
        warnings.warn(
            f"the cache {self.path} was damaged ({error}); it was moved to {new}, and a new one was started",
            AssayWarning,
            stacklevel=4,
        )


def default_cache() -> Cache | None:
    """Return the user's cache, or None for ASSAY_CACHE=off.

    It is the folder ASSAY_CACHE, else assay in XDG_CACHE_HOME or ~/.cache.
    """
    folder = os.environ.get("ASSAY_CACHE", "")
    if folder.lower() in ("off", "0", "no", "false"):
        return None
    if folder:
        return _cache_in(folder)
    home = os.environ.get("XDG_CACHE_HOME", "") or os.path.expanduser("~/.cache")
    return None if home.startswith("~") else _cache_in(os.path.join(home, "assay"))


_caches: dict[str, Cache] = {}


def _cache_in(folder: str) -> Cache:
    """Return one Cache per folder, so that a process opens its file once."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError(f"the cache must be a folder, but {folder} is a file; set ASSAY_CACHE to a folder, or to off")
    return _caches.setdefault(os.path.abspath(folder), Cache(folder))


def _key(model: str, version: str, text: str) -> bytes:
    prefix = f"{model}\0{version}\0".encode("utf-8", "surrogatepass")
    return blake2b(prefix + text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _digest(key: bytes, value: bytes) -> bytes:
    """Return a checksum of the key too: a row that comes up under another key is not an answer."""
    return blake2b(key + value, digest_size=_DIGEST).digest()


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether the file is broken; not if it is locked, read-only, full or out of reach, which passes."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none: the module met a value it cannot decode
    return code & 0xFF not in _PASSING


def _fetch(c: sqlite3.Connection, keys: list[bytes]) -> Iterable[tuple[bytes, bytes]]:
    for start in range(0, len(keys), _FETCH):
        some = keys[start : start + _FETCH]
        marks = ",".join("?" * len(some))
        for key, value in c.execute(f"select key, value from entries where key in ({marks})", some):
            # A damaged page may hold anything where a key or value stood.
            if isinstance(key, bytes) and isinstance(value, bytes) and _digest(key, value[_DIGEST:]) == value[:_DIGEST]:
                yield key, value[_DIGEST:]


def _clear(c: sqlite3.Connection) -> int:
    [(entries,)] = c.execute("select count(*) from entries")
    c.execute("delete from entries")
    c.execute("delete from models")
    c.execute("vacuum")
    c.execute("pragma wal_checkpoint(truncate)")
    return int(entries)


def _bytes_used(c: sqlite3.Connection) -> int:
    [(pages,)] = c.execute("pragma page_count")
    [(free,)] = c.execute("pragma freelist_count")
    [(size,)] = c.execute("pragma page_size")
    return int((pages - free) * size)


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _switch_to_wal(ask: Callable[[], object]) -> None:
    """Switch to WAL, which fails at once, whatever the timeout, when two processes create the file together."""
    until = time.monotonic() + WAIT
    while True:
        try:
            ask()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
