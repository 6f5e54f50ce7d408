"""End a command that is interrupted: SIGTERM (docker stop, timeout, a batch system) ends it as Ctrl-C does."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time

from ._screen import one_line

_TWICE = 1.0  # seconds in which a second SIGTERM belongs to the first


class Terminated(KeyboardInterrupt):
    """SIGTERM has come. All that cleans up after Ctrl-C, in other libraries too, cleans up after this."""


def raise_on_termination() -> None:
    """Let SIGTERM raise `Terminated` from now on; for the process of a command, never for a program that uses Assay."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return  # whoever started this process wants it ignored
    process, last = os.getpid(), -math.inf

    def terminate(*_: object) -> None:
        nonlocal last
        if os.getpid() != process:  # a fork has nothing to clean up: the files are those of its parent
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)
        before, last = last, time.monotonic()
        # `timeout` sends it to the process and then to its group: the second must not stop the cleaning up.
        if last - before > _TWICE:
            raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def report_interrupt(error: KeyboardInterrupt, outcome: str = "nothing was written") -> int:
    """Print the one line of a command that was interrupted, and return its exit code."""
    terminated = isinstance(error, Terminated)
    print(f"assay: {'terminated' if terminated else 'interrupted'}; {one_line(outcome)}", file=sys.stderr)
    return 128 + (signal.SIGTERM if terminated else signal.SIGINT)
