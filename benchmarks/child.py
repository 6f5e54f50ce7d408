"""Runs a command and prints what it took, as JSON: CPU and wall seconds, peak resident memory.

In a small process of its own: Linux counts the memory of the process that starts a command as the command's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Usage(NamedTuple):
    """What a command took; `peak` is in bytes."""

    cpu: float
    wall: float
    peak: int


def usage(command: Sequence[str]) -> Usage:
    """What a command takes; what it prints on standard output is dropped."""
    code = "import child; child.report()"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *command], cwd=HERE, stdout=subprocess.PIPE, check=True, text=True
    )
    return Usage(**json.loads(done.stdout))


def report() -> None:
    """The other side: runs the command in the arguments."""
    start = time.perf_counter()
    silence = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[silence])
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{sys.argv[1:]} ended with code {os.waitstatus_to_exitcode(status)}")
    wall = time.perf_counter() - start
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "wall": wall, "peak": used.ru_maxrss * 1024}))
