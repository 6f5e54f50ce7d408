"""The journal of a run: every request that was sent and every answer, on disk before anything else happens.

It is the cache too: an answer is found under the SHA-256 of its request, endpoint and repeat number. Lines are only
appended; after a crash the last one may be incomplete, and is removed. No key is ever in it.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from ..errors import FormatError
from ..files import BINARY, lock_file
from ..formats import ReadProgress, read_json_lines

FORMAT = {"format": "assay answers", "version": 1}
_HEADER = msgspec.json.encode(FORMAT) + b"\n"
_TAIL = 1 << 16


class StoredAnswer(NamedTuple):
    """What an endpoint answered: the response as it came, its seconds, and when."""

    response: Any
    seconds: float
    time: str


class Journal:
    """An open journal; one process at a time holds it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.answers: dict[str, StoredAnswer] = {}
        self.sent: Counter[str] = Counter()
        self.lost: dict[str, list[int]] = {}  # tokens reserved for requests of which nothing was heard
        self.charged: Counter[str] = Counter()  # tokens of failed requests that may have been charged
        self._lock, self._is_new = Lock(), False
        self._handle = self._open()
        try:
            self._repair()
            self._load()
        except BaseException:
            os.close(self._handle)
            raise

    def _open(self) -> int:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        except OSError as error:
            raise FormatError(f"cannot be written: {error.strerror}", path=self.path) from error
        try:
            locked = lock_file(handle)
        except OSError as error:
            os.close(handle)
            raise FormatError(f"cannot be locked: {error.strerror}", path=self.path) from error
        if not locked:
            os.close(handle)
            raise FormatError("another run is writing to it: wait for it, or stop it", path=self.path)
        return handle

    def _repair(self) -> None:
        """Remove a last line that was cut off by a crash, and write the header of a new file."""
        size = os.fstat(self._handle).st_size
        self._is_new = size == 0
        start = _read_at(self._handle, len(_HEADER), 0)
        if start != _HEADER and not _HEADER.startswith(start):
            raise FormatError("is not a file of answers of a judge; give another name", path=self.path)
        if start != _HEADER:
            os.ftruncate(self._handle, 0)
            self._write_line(_HEADER)
            return
        tail, end = b"", size
        while end > 0 and b"\n" not in tail:
            begin = max(0, end - _TAIL)
            tail, end = _read_at(self._handle, end - begin, begin) + tail, begin
        os.ftruncate(self._handle, size - (len(tail) - tail.rfind(b"\n") - 1))

    def _load(self) -> None:
        for number, record in read_json_lines(self.path, ReadProgress()):
            if number == 1:
                continue
            try:
                self._take(record)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise FormatError("is not a line of a file of answers", path=self.path, line=number) from error

    def _take(self, record: dict[str, Any]) -> None:
        event, key = record["event"], str(record["key"])
        if event == "sent":
            self.sent[key] += 1
            self.lost.setdefault(key, []).append(int(record["tokens"]))
            return
        if event not in ("answered", "failed"):
            raise ValueError(event)
        self.lost.get(key, []).pop()
        if event == "answered":
            self.answers[key] = StoredAnswer(record["response"], float(record["seconds"]), str(record["time"]))
        else:
            self.charged[key] += int(record.get("tokens", 0))

    def record_sent(self, key: str, tokens: int, time: str) -> None:
        """Record that a request is about to be sent, and what is reserved for it."""
        self._append({"event": "sent", "key": key, "tokens": tokens, "time": time})

    def record_answer(self, key: str, answer: StoredAnswer) -> None:
        """Record an answer; it is on disk when this returns."""
        record = {"event": "answered", "key": key, "time": answer.time, "seconds": answer.seconds}
        self._append({**record, "response": answer.response}, sync=True)

    def record_failure(self, key: str, category: str, tokens: int, time: str) -> None:
        """Record that a request failed, and the tokens that may have been charged all the same."""
        self._append({"event": "failed", "key": key, "category": category, "tokens": tokens, "time": time})

    def merge(self, path: Path) -> None:
        """Move the lines of another journal into this one, but for requests that are answered here; remove it."""
        with Journal(path):  # no one else writes to it, and its last line is whole
            known = frozenset(self.answers)
            for number, record in read_json_lines(path, ReadProgress()):
                if number > 1 and record["key"] not in known:
                    self._append(record)
            os.fsync(self._handle)
        path.unlink(missing_ok=True)

    def _append(self, record: dict[str, Any], *, sync: bool = False) -> None:
        line = msgspec.json.encode(record) + b"\n"
        with self._lock:
            if self._handle < 0:  # the run was interrupted, and an answer comes too late
                raise FormatError("the run has ended", path=self.path)
            self._write_line(line)
            self._take(record)
            if sync:
                os.fsync(self._handle)

    def _write_line(self, line: bytes) -> None:
        size = os.fstat(self._handle).st_size
        try:
            rest = line
            while rest:
                rest = rest[os.write(self._handle, rest) :]
        except OSError as error:
            os.ftruncate(self._handle, size)  # no half line, to which another thread would add its own
            raise FormatError(f"cannot be written: {error.strerror}", path=self.path) from error

    def close(self) -> None:
        """Let go of the file; a thread that still waits for an answer can no longer write it.

        A new file is removed where nothing was answered, and nothing can have been charged.
        """
        with self._lock:
            handle, self._handle = self._handle, -1
        if handle >= 0:
            if self._is_new and not self.answers and not any(self.lost.values()) and not self.charged.total():
                _remove_open(self.path, handle)
            else:
                os.close(handle)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read_at(handle: int, size: int, place: int) -> bytes:
    """Read at a place; Windows has no pread, and where lines are appended the position is no one's."""
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, size)


def _remove_open(path: Path, handle: int) -> None:
    """Remove a file before its lock is free; Windows removes closed files only."""
    if os.name == "nt":
        os.close(handle)
        os.unlink(path)
    else:
        os.unlink(path)
        os.close(handle)
