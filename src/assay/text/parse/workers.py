"""Workers: parsing in several processes that share one model.

A process without other threads loads the model, forks helpers and parses as well. Where there are threads, a fresh
Python loads the model and forks: a fork copies the locks of threads that do not live on in the child. Helpers stay for
later calls, until they have had no work for a minute. Whatever becomes of one, what it did not answer is parsed by the
others or the caller.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from .encoding import decode_blocks, encode_lines
from .engines import GROUP, Block, Engine, default_threads
from .helper import fork_helper, receive, send

if TYPE_CHECKING:
    from subprocess import Popen

MIN_BLOCKS = 200  # blocks from which on a second process pays
_EACH = 100  # blocks that are worth a process of their own
_MANY = 5000  # blocks that outweigh loading a second model while this process parses with its own
_ANY = ["Cats sleep."]
_AHEAD = 2**15  # bytes of a group that is sent before the last is answered: less than a socket takes without a reader


def default_processes() -> int:
    """Return how many processes parse if no one says: one for each core, where processes are forked."""
    return default_threads() if sys.platform == "linux" else 1


def parse_chunks(parser: Engine, chunks: Sequence[list[str]], processes: int) -> Generator[list[Block]]:
    """Yield the parses of each chunk, in order; they are the same for any number of processes."""
    groups = [chunk[i : i + GROUP] for chunk in chunks for i in range(0, len(chunk), GROUP)]
    blocks = sum(map(len, chunks))
    with _helpers.turn:
        helpers = _helpers.start(parser, blocks, min(processes, max(1, blocks // _EACH)))
        if not helpers:
            yield from map(parser.parse, chunks)
            return
        work = _Work(parser, groups, helpers)
        try:
            results = work.results()
            for chunk in chunks:
                yield list(chain.from_iterable(islice(results, -(-len(chunk) // GROUP))))
        finally:
            _helpers.release(helpers)


def stop_helpers() -> None:
    """End the helpers that stay for later calls, as they do by themselves after a minute."""
    with _helpers.turn:
        _helpers.stop()


class Helper:
    """A process that parses, as seen from here: its end of a connection, and the groups it has not answered."""

    def __init__(self, connection: socket.socket, process: int = 0) -> None:
        self.connection, self.process = connection, process  # 0: it is not a child of this process
        self.groups: deque[int] = deque()

    @property
    def is_closed(self) -> bool:
        """Whether it was stopped."""
        return self.connection.fileno() < 0

    def is_alive(self) -> bool:
        """Check if an idle helper still waits: one that is gone can be read from."""
        return not _readable([self], 0.0)

    def stop(self) -> None:
        """Let it end, at once; in the middle of a group too."""
        self.connection.close()
        process, self.process = self.process, 0
        if process:
            with suppress(ProcessLookupError, ChildProcessError):  # somebody else may have waited for it
                if self.groups:
                    os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def _readable(helpers: Sequence[Helper], seconds: float | None) -> list[Helper]:
    poll = select.poll()
    for helper in helpers:
        poll.register(helper.connection, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll(None if seconds is None else 1000 * seconds)}
    return [helper for helper in helpers if helper.connection.fileno() in ready]


class _Work:
    """Groups of blocks that helpers and, once it has a model, this process take one after another."""

    def __init__(self, parser: Engine, groups: Sequence[list[str]], helpers: Sequence[Helper]) -> None:
        self.helpers = list(helpers)
        self._parser, self._groups = parser, groups
        self._pending = deque(range(len(groups)))
        self._done: dict[int, list[Block]] = {}
        self._patience = 0.05  # seconds to wait for the last answers before their groups are parsed here too

    def results(self) -> Iterator[list[Block]]:
        """Yield the parses of each group, in order."""
        for number in range(len(self._groups)):
            while number not in self._done:
                self._step(number)
            yield self._done.pop(number)

    def _step(self, wanted: int) -> None:
        for helper in list(self.helpers):
            self._feed(helper)
        here = bool(self._pending) and (self._parser.loaded or not self.helpers)
        busy = [helper for helper in self.helpers if helper.groups]
        seconds = 0.0 if here else self._patience if self._parser.loaded else None
        ready = _readable(busy, seconds)
        for helper in ready:
            self._take(helper)
            self._feed(helper)
        if here and self._pending:
            self._parse(self._pending.popleft())
        elif not here and not ready:  # a helper that does not get its turn, or is stuck
            self._parse(wanted)

    def _parse(self, number: int) -> None:
        start = time.perf_counter()
        self._done[number] = self._parser.parse(self._groups[number])
        self._patience = max(self._patience, 2 * (time.perf_counter() - start))

    def _feed(self, helper: Helper) -> None:
        """Give a helper a group, and the next to begin at once; towards the end only one, so that all end together."""
        depth = 2 if len(self._pending) > 2 * len(self.helpers) else 1
        while self._pending and len(helper.groups) < depth and helper in self.helpers:
            message = encode_lines(self._groups[self._pending[0]])
            if helper.groups and len(message) > _AHEAD:
                return  # both sides would wait for the other to read
            helper.groups.append(self._pending.popleft())
            try:
                send(helper.connection, message)
            except OSError:
                self._lose(helper)

    def _take(self, helper: Helper) -> None:
        try:
            blocks = decode_blocks(receive(helper.connection))
        except OSError:
            self._lose(helper)
        else:
            self._done[helper.groups.popleft()] = blocks

    def _lose(self, helper: Helper) -> None:
        """Go on without a helper that was killed or met an error."""
        self._pending.extendleft(reversed(helper.groups))
        self.helpers.remove(helper)
        helper.stop()
        helper.groups.clear()


class _Helpers:
    """The helpers of this process, which stay from call to call."""

    def __init__(self) -> None:
        self.turn = threading.Lock()  # the helpers work for one caller at a time
        self._model = ""
        self._process: Popen[bytes] | None = None
        self._kept: list[Helper] = []

    def start(self, parser: Engine, blocks: int, processes: int) -> list[Helper]:
        """Return helpers for a number of blocks; none where this process alone is as fast."""
        if self._model != parser.model or not all(helper.is_alive() for helper in self._kept):
            self.stop()
        self._model = parser.model
        if blocks < MIN_BLOCKS or processes <= 1 or not hasattr(os, "fork"):  # Windows
            return [] if parser.loaded else self._kept[:processes]
        if len(self._kept) < processes - parser.loaded:
            self._add(parser, blocks, processes)
        return self._kept[: processes - parser.loaded]

    def _add(self, parser: Engine, blocks: int, processes: int) -> None:
        if _may_fork():
            parser.parse(_ANY)  # loads the model, if it is not there yet
            self._kept += _fork(parser.model, processes - 1 - len(self._kept))
        elif not parser.loaded or blocks >= _MANY:
            self.stop()
            self._spawn(parser.model, processes - parser.loaded)

    def release(self, helpers: Sequence[Helper]) -> None:
        """Keep the helpers for the next call, but none where one has not finished its work."""
        if any(helper.groups for helper in helpers):
            self.stop()
        self._kept = [helper for helper in self._kept if not helper.is_closed]

    def stop(self) -> None:
        """End the helpers."""
        for helper in self._kept:
            helper.stop()
        self._kept = []
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def forget(self) -> None:
        """Leave the helpers to the process that this one was forked from."""
        for helper in self._kept:
            helper.connection.close()
        self.__init__()  # type: ignore[misc]

    def _spawn(self, model: str, number: int) -> None:
        import subprocess

        pairs = [socket.socketpair() for _ in range(number)]
        ends = [there.fileno() for _, there in pairs]
        command = [sys.executable, "-P", "-m", f"{__package__}.helper", model, *map(str, ends)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=ends, env=_environment()
            )
        except OSError:  # no room for another process
            return
        finally:
            for _, there in pairs:
                there.close()
        self._kept = [Helper(here) for here, _ in pairs]


def _may_fork() -> bool:
    """Check if this process has no threads but this one, and none that torch started."""
    return len(sys._current_frames()) == 1 and "torch" not in sys.modules


def _fork(model: str, number: int) -> list[Helper]:
    helpers = []
    for _ in range(number):
        here, there = socket.socketpair()
        with there, suppress(OSError):  # no room for another process: fewer will do
            helpers.append(Helper(here, fork_helper(there, model)))
    return helpers


def _environment() -> dict[str, str]:
    """Return the environment of a fresh Python that finds the modules of this one."""
    # Neither "" nor the lack of -P: both look for modules in the current folder, where a msgspec.py may lie.
    paths = dict.fromkeys([p for p in sys.path if p] + [str(Path(__file__).parents[3])])
    return {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(paths),
    }


_helpers = _Helpers()
atexit.register(_helpers.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helpers.forget)
