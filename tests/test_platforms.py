"""Base commands without what only some systems have: they run where Python is that of Windows or macOS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay import files
from assay.files import lock_file

# What macOS does not have, and Windows neither. Modules that look at the name of the system are loaded before.
MACOS = {"os": "sched_getaffinity O_TMPFILE"}
WINDOWS = {
    "os": MACOS["os"]
    + " O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK fork forkpty register_at_fork uname pread pwrite geteuid getuid"
    " sysconf killpg mkfifo sched_setaffinity posix_spawn",
    "select": "poll",
    "signal": "SIGKILL SIGVTALRM SIGALRM SIGCHLD SIGHUP setitimer pthread_sigmask",
}
BLOCKED = "fcntl resource pwd grp termios tty"
CODE = """
import sys, tempfile, shutil, subprocess, random, logging, threading, socket, platform, numpy
from importlib import import_module
for module in {blocked}:
    sys.modules[module] = None
for module, names in {missing}.items():
    for name in names.split():
        if hasattr(import_module(module), name):
            delattr(import_module(module), name)
from assay.cli import main as cli
for command in cli.commands():
    for name in [command, *getattr(cli.load(command), "SUBCOMMANDS", {{}}).values()]:
        cli.load(name)
for module in ("assay.llm.journal", "assay.study.folder", "assay.text.parse.workers", "assay.study.backup"):
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        assert error.name.partition(".")[0] in ("sqlalchemy", "spacy"), error
for line in {lines}:
    sys.argv = ["assay", *line.split(), "--quiet"]
    assert cli.main() == 0, line
"""
LINES = (
    "example compressions --out set.jsonl",
    "score set.jsonl -m rouge1 -m chrf --per-item --out scores.csv",
    "compare set.jsonl -m rouge1 --resamples 20",
    "meta set.jsonl -m rouge1 --resamples 20",
    "agree set.jsonl --resamples 20",
    "report set.jsonl -m rouge1 --resamples 20 --out report.html",
    "convert set.jsonl folder --to csv --lossy",
    "convert folder again.jsonl",
)


@pytest.mark.parametrize("missing", [MACOS, WINDOWS], ids=["as on macOS", "as on Windows"])
def test_base_commands_run(missing, tmp_path):
    blocked = BLOCKED.split() if missing is WINDOWS else ()
    code = CODE.format(blocked=blocked, missing=missing, lines=LINES)
    environment = {**os.environ, "ASSAY_CACHE": "off", "ASSAY_DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"set.jsonl", "scores.csv", "report.html", "folder", "again.jsonl"}


class FakeMsvcrt(SimpleNamespace):
    """Locks of Windows: a byte of a file, by whoever asks first."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__(locked=set())

    def locking(self, handle: int, mode: int, count: int) -> None:
        status = os.fstat(handle)
        place = (status.st_ino, os.lseek(handle, 0, os.SEEK_CUR), mode, count)
        if place in self.locked:
            raise PermissionError(13, "Permission denied")
        self.locked.add(place)


def test_windows_locks_a_byte_that_nobody_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeMsvcrt()
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    with open(tmp_path / "file", "wb") as first, open(tmp_path / "file", "rb") as second:
        first.write(b"text")
        first.flush()
        assert lock_file(first.fileno())
        assert not lock_file(second.fileno())
        assert (os.lseek(first.fileno(), 0, os.SEEK_CUR), second.read()) == (4, b"text")
    assert {place[1] for place in fake.locked} == {files._LOCKED_BYTE}


def test_a_system_without_locks_goes_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    with open(tmp_path / "file", "wb") as first, open(tmp_path / "file", "wb") as second:
        assert lock_file(first.fileno())
        assert lock_file(second.fileno())
