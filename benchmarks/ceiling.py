"""What a second process can gain on this machine just now: plain arithmetic in one process and in two.

Cores may be halves of one, and others may be at work on them: a program that gains less than two from two processes is
to be measured against this, taken in the same minutes.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from types import TracebackType

_PROGRAM = """
import sys
for line in sys.stdin.buffer:
    n = 0
    for i in range(int(line)):
        n += i * i & 7
    sys.stdout.buffer.write(b"%d\\n" % n)
    sys.stdout.buffer.flush()
"""
_STEPS = 1_000_000  # a fifth of a second of one process


class Counters:
    """Processes that do arithmetic when told, started beforehand: only the arithmetic is timed."""

    def __init__(self, processes: int = 2) -> None:
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM]
        self._counters = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(processes)
        ]
        self._seconds(processes, 1000)  # all are up

    def __enter__(self) -> Counters:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for counter in self._counters:
            counter.communicate()  # its input ends, and so does it

    def gain(self) -> float:
        """Return how many times faster all are than one, in one short round: one, all, one."""
        number = len(self._counters)
        before, together, after = self._seconds(1), self._seconds(number), self._seconds(1)
        return (before + after) / 2 / together

    def _seconds(self, number: int, steps: int = _STEPS) -> float:
        """Return the seconds in which so many processes share the steps."""
        start = time.perf_counter()
        for counter in self._counters[:number]:
            assert counter.stdin is not None
            counter.stdin.write(b"%d\n" % (steps // number))
            counter.stdin.flush()
        for counter in self._counters[:number]:
            assert counter.stdout is not None
            counter.stdout.readline()
        return time.perf_counter() - start


def ceiling(rounds: int = 7) -> float:
    """Return how many times faster two processes do plain arithmetic than one: the median of short rounds."""
    with Counters() as counters:
        return statistics.median(counters.gain() for _ in range(rounds))
