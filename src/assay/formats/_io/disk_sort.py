"""Sort tables that do not fit in memory: rows go to a temporary SQLite file and come back in the order of items."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...errors import InputError
from .text_file import ReadProgress

if TYPE_CHECKING:
    from .table_read import RolePart, Row

# A scratch file: no journal, no waiting for the disk, 64 MB of cache, and sorting on disk.
SETTINGS = ("journal_mode=OFF", "synchronous=OFF", "cache_size=-65536", "temp_store=FILE", "locking_mode=EXCLUSIVE")


@contextmanager
def sort_on_disk(lead: RolePart, followers: list[RolePart], progress: ReadProgress) -> Iterator[list[Iterator[Row]]]:
    """Yield the rows of all tables, ordered by where their item first appears in the lead."""
    try:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder, closing(_database(folder)) as database:
            for number, part in enumerate([lead, *followers]):
                _store(database, number, part)
            _rank(database)
            for number, part in enumerate(followers, 1):
                _refuse_unknown(database, number, part, lead)
            total = database.execute("SELECT count(*) FROM rows0").fetchone()[0]
            yield [
                _read_sorted(database, 0, progress, total),
                *(_read_sorted(database, n + 1, progress.companion()) for n in range(len(followers))),
            ]
    except (sqlite3.Error, OSError) as error:
        message = f"{lead.table.path}: sorting its rows on disk failed ({error}); free space or sort them by item first"
        raise InputError(message) from error


def _database(folder: str) -> sqlite3.Connection:
    database = sqlite3.connect(Path(folder) / "rows.sqlite", isolation_level=None)
    for setting in SETTINGS:
        database.execute(f"PRAGMA {setting}")
    return database


def _store(database: sqlite3.Connection, number: int, part: RolePart) -> None:
    encode = msgspec.msgpack.Encoder().encode
    database.execute(f"CREATE TABLE rows{number} (item TEXT, line INTEGER, rest BLOB)")
    rows = ((row[1], row[0], encode(row[2:])) for row in part.rows(ReadProgress()))
    database.execute("BEGIN")
    database.executemany(f"INSERT INTO rows{number} VALUES (?, ?, ?)", rows)
    database.execute("COMMIT")


def _rank(database: sqlite3.Connection) -> None:
    """Store each item's place: the line of the lead where it first appears."""
    database.execute("CREATE TABLE places (item TEXT PRIMARY KEY, place INTEGER) WITHOUT ROWID")
    database.execute("INSERT OR IGNORE INTO places SELECT item, line FROM rows0 ORDER BY rowid")


def _refuse_unknown(database: sqlite3.Connection, number: int, part: RolePart, lead: RolePart) -> None:
    from .table_read import unknown_item

    query = f"SELECT item, line FROM rows{number} LEFT JOIN places USING (item) WHERE place IS NULL LIMIT 1"
    for item, line in database.execute(query):
        raise unknown_item(part, line, item, lead)


def _read_sorted(database: sqlite3.Connection, number: int, progress: ReadProgress, total: int = 0) -> Iterator[Row]:
    count = 0
    progress.follow(lambda: count / total if total else None)
    decode = msgspec.msgpack.Decoder().decode
    query = f"SELECT line, item, rest FROM rows{number} JOIN places USING (item) ORDER BY place, line"
    for line, item, rest in database.execute(query):
        count += 1
        progress.size += len(rest)
        yield (line, item, *decode(rest))
