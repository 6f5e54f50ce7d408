"""Runs every case again and again, each time with another operation failing, and checks what is left; see count.py."""

from __future__ import annotations

import argparse
import ctypes
import errno
import importlib
import io
import json
import os
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from cases import CASES, Case, make_inputs
from disk import Content, Disk, snapshot

import assay.files

KINDS = {"open": 1, "write": 2, "read": 3, "fsync": 4, "rename": 5, "close": 6, "mkdir": 7, "link": 8}
SHORT = -1
# (operation, error, whether all later ones fail too). A full disk stays full. EINTR, EXDEV and short answers
# are no failure.
FAULTS = (
    ("open", errno.EIO, False),
    ("open", errno.ENOSPC, False),
    ("open", errno.EINTR, False),
    ("write", errno.ENOSPC, True),
    ("write", errno.ENOSPC, False),
    ("write", errno.EIO, False),
    ("write", errno.EINTR, False),
    ("write", SHORT, False),
    ("read", errno.EIO, False),
    ("read", errno.EINTR, False),
    ("read", SHORT, False),
    ("fsync", errno.EIO, False),
    ("fsync", errno.ENOSPC, True),
    ("fsync", errno.EINTR, False),
    ("rename", errno.EIO, False),
    ("rename", errno.ENOSPC, False),
    ("link", errno.EIO, False),
    ("link", errno.ENOSPC, False),
    ("link", errno.EXDEV, False),  # a system that has files without names, but cannot give them one
    ("close", errno.EIO, False),
    ("mkdir", errno.ENOSPC, False),
)
LIMITS = resource.getrlimit(resource.RLIMIT_NOFILE)
MAX_STEPS = 2000  # a case that still fails after these is not making headway


class Outcome(NamedTuple):
    """How a run ended: code, what it said on standard error, what stands at the target and next to it."""

    code: int
    said: str
    content: Content
    others: set[str]
    handles: int


class Bench:
    """One case in a folder of its own."""

    def __init__(self, case: Case, inputs: Path, folder: Path) -> None:
        self.case, self.folder = case, folder
        self.given, self.target = folder / case.input, folder / case.target
        shutil.copy(inputs / case.input, self.given)
        self.shim = ctypes.CDLL(None)
        self.shim.faults_record.restype = ctypes.c_char_p
        self.shim.faults_fired.restype = ctypes.c_long
        self.failures: list[str] = []
        self.run()  # what is loaded once is loaded
        self.new = self.run().content

    @property
    def tears(self) -> bool:
        """Whether the target is SQLite's, which looks after itself."""
        return self.case.name == "parse cache"

    def run(self, before: Callable[[], object] = lambda: None) -> Outcome:
        """One run from the start."""
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path != self.given:
                path.unlink()
        if self.case.old is not None:
            self.target.write_bytes(self.case.old)
        said, handles = io.StringIO(), len(os.listdir("/proc/self/fd"))
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            before()
            try:
                code = self.case.run(self.given, self.target)
            except BaseException:
                code = -1
                traceback.print_exc()
            finally:
                self.shim.faults_off()
                resource.setrlimit(resource.RLIMIT_NOFILE, LIMITS)
        others = {p.name for p in self.folder.iterdir()} - {self.given.name, self.target.name}
        left = len(os.listdir("/proc/self/fd")) - handles
        return Outcome(code, said.getvalue(), snapshot(self.target), others, left)

    def arm(self, kind: str, n: int, error: int, lasting: bool) -> None:
        self.shim.faults_arm(str(self.folder).encode(), KINDS.get(kind, 0), ctypes.c_long(n), error, lasting)

    def inject(self, kind: str, error: int, lasting: bool) -> int:
        """The n-th operation fails, for n = 1, 2, ... until none is left; how many faults there were."""
        for n in range(1, MAX_STEPS):
            outcome = self.run(lambda n=n: self.arm(kind, n, error, lasting))  # type: ignore[misc]
            if not self.shim.faults_fired():
                return n - 1
            harmless = error in (errno.EINTR, errno.EXDEV, SHORT) and kind != "close"
            self.judge(outcome, f"{kind} {n} {'short' if error == SHORT else errno.errorcode[error]}", harmless)
        raise AssertionError(f"{self.case.name}: {kind} is still failing after {MAX_STEPS} runs")

    def inject_handles(self) -> int:
        """No more files can be opened (EMFILE) than n, for n = 0, 1, ... until that is enough."""
        first = os.dup(0)
        os.close(first)
        for n in range(MAX_STEPS):
            limits = (first + n, LIMITS[1])
            outcome = self.run(lambda limits=limits: resource.setrlimit(resource.RLIMIT_NOFILE, limits))  # type: ignore[misc]
            if outcome.code == 0 and outcome.content == self.new:
                return n
            self.judge(outcome, f"no more than {n} handles", harmless=False)
        raise AssertionError(f"{self.case.name}: handles are still failing after {MAX_STEPS} runs")

    def inject_memory(self) -> int:
        """The n-th call of one of the case's functions finds no memory; how many there were."""
        for n in range(1, MAX_STEPS):
            with memory_fails(self.case.allocations, n) as fired:
                outcome = self.run()
            if not fired:
                return n - 1
            self.judge(outcome, f"allocation {n} ({fired[0]})", harmless=False)
        raise AssertionError(f"{self.case.name}: memory is still failing after {MAX_STEPS} runs")

    def judge(self, outcome: Outcome, fault: str, harmless: bool) -> None:
        """Writes down what is not as promised."""
        wrong = []
        if outcome.code not in (0, 2):
            wrong.append(f"ended with {outcome.code}: {outcome.said[-500:]}")
        elif outcome.code == 2 and harmless:
            wrong.append(f"gave up over something harmless: {outcome.said}")
        elif outcome.code == 2 and (outcome.said.count("\n") != 1 or not outcome.said.startswith("assay: ")):
            wrong.append(f"does not say one line: {outcome.said!r}")
        if not self.tears:
            if outcome.content not in (self.new, self.case.old):
                wrong.append("left neither the old nor the new content")
            if outcome.code == 0 and outcome.content != self.new:
                wrong.append("said all went well, but did not write")
            if outcome.others:
                wrong.append(f"left {sorted(outcome.others)} behind")
        if outcome.handles > 0:
            wrong.append(f"left {outcome.handles} files open")
        self.failures += [f"{self.case.name}: {fault}: {w}" for w in wrong]

    def crash(self) -> int:
        """The power fails after each operation of a run that goes well; how many moments there were."""
        if self.tears:
            return 0
        disks: list[Disk] = []
        outcome = self.run(lambda: (disks.append(Disk(self.folder)), self.arm("", 0, 0, False)))
        record = self.shim.faults_record().decode()
        disk = disks[0]
        contents = disk.written(record)
        whole = (self.case.old, outcome.content)
        moments = 0
        steps = deepcopy(disk)
        for _ in steps.replay(record):
            for node, content in zip(steps.created, contents, strict=False):
                node.content = content
            for first in (True, False):
                moments += 1
                left = steps.after_crash(self.target, names_first=first)
                if left not in whole:
                    self.failures.append(f"{self.case.name}: a crash after operation {moments // 2} leaves a torn file")
        for first in (True, False):
            if outcome.code == 0 and steps.after_crash(self.target, names_first=first) != outcome.content:
                self.failures.append(f"{self.case.name}: said it was written, but it is not on disk yet")
        return moments


@contextmanager
def memory_fails(names: tuple[str, ...], nth: int) -> Iterator[list[str]]:
    """The nth call of any of these functions raises MemoryError; the list then names it."""
    calls = 0
    fired: list[str] = []

    def failing(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == nth:
                fired.append(name)
                raise MemoryError
            return real(*args, **named)

        return call

    with ExitStack() as stack:
        for name in names:
            owner, attribute = _owner(name)
            stack.enter_context(mock.patch.object(owner, attribute, failing(name, getattr(owner, attribute))))
        yield fired


def _owner(name: str) -> tuple[Any, str]:
    """The module or class that holds a name."""
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            owner = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:-1]:
            owner = getattr(owner, part)
        return owner, parts[-1]
    raise LookupError(name)


class _Os:
    """The os module without fsync of files, or of folders."""

    def __init__(self, without: str) -> None:
        self.without = without

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def fsync(self, handle: int) -> None:
        folder = os.path.isdir(os.readlink(f"/proc/self/fd/{handle}"))
        if folder != (self.without == "folder"):
            os.fsync(handle)


def main() -> None:
    """Prints JSON: a row per case with the faults of each kind, and every broken promise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--without-fsync", choices=("file", "folder"))
    parser.add_argument("--named", action="store_true", help="as on a system that has no files without a name")
    args = parser.parse_args()
    if args.named:
        del os.O_TMPFILE
    if args.without_fsync:
        assay.files.os = _Os(args.without_fsync)  # type: ignore[attr-defined, assignment]
    rows, failures = [], []
    with tempfile.TemporaryDirectory() as place:
        inputs = Path(place, "inputs")
        inputs.mkdir()
        make_inputs(inputs)
        for number, case in enumerate(CASES):
            if args.case and case.name not in args.case:
                continue
            folder = Path(place, f"case{number}")
            folder.mkdir()
            bench = Bench(case, inputs, folder)
            counts: dict[str, int] = dict.fromkeys((*KINDS, "handles", "allocation", "crash"), 0)
            for kind, error, lasting in () if args.without_fsync else FAULTS:
                counts[kind] += bench.inject(kind, error, lasting)
            counts["handles"] = 0 if args.without_fsync else bench.inject_handles()
            counts["allocation"] = 0 if args.without_fsync else bench.inject_memory()
            counts["crash"] = bench.crash()
            rows.append({"case": case.name, **counts})
            failures += bench.failures
    json.dump({"rows": rows, "failures": failures}, sys.stdout)


if __name__ == "__main__":
    main()
