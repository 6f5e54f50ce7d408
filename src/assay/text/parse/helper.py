"""Helper: a process that reads groups of blocks and writes their parses, for `workers`."""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

from .encoding import decode_lines, encode_blocks
from .engines import engine

_IDLE = 60.0  # seconds without work after which a helper ends
_HEAD = struct.Struct("<Q")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def send(connection: socket.socket, body: bytes) -> None:
    """Write one message."""
    connection.sendall(_HEAD.pack(len(body)) + body)


def receive(connection: socket.socket) -> bytes:
    """Read one message; ConnectionError if the other side is gone."""
    (size,) = _HEAD.unpack(_read(connection, _HEAD.size))
    return _read(connection, size)


def _read(connection: socket.socket, size: int) -> bytes:
    body = bytearray(size)
    view = memoryview(body)
    while view:
        count = connection.recv_into(view)
        if not count:
            raise ConnectionError("the other side is gone")
        view = view[count:]
    return bytes(body)


def serve(connection: socket.socket, model: str) -> None:
    """Parse what comes until the other side is gone, or silent for a minute."""
    parser = engine(model)
    connection.settimeout(_IDLE)
    with suppress(OSError):  # gone, or silent
        while True:
            lines = decode_lines(receive(connection))
            send(connection, encode_blocks(parser.parse(lines)))


def fork_helper(connection: socket.socket, model: str) -> int:
    """Start a helper that shares the model with this process, which must have no other threads; return its id.

    It does nothing but parse: nothing of this process is cleaned up, flushed or written there.
    """
    with warnings.catch_warnings():
        # Python 3.12 counts idle threads of BLAS, which prepares itself for a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        # A signal must not meet the helper with the caller's handlers: it would clean up the files of the caller.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            process = os.fork()
            if process:
                return process
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts the caller gets its one message
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        _keep_pages_shared()
        # Else it would keep open what the caller closes: another helper would not see that the caller is gone.
        os.closerange(3, connection.fileno())
        os.closerange(connection.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        serve(connection, model)
    finally:
        os._exit(0)  # without a traceback: the caller parses what it gets no answer for, and meets the error itself


def _keep_pages_shared() -> None:
    """Keep the garbage collector away from what both processes have: it writes into every object it looks at."""
    import gc

    gc.freeze()


def main(model: str, descriptors: Sequence[int]) -> None:
    """Load the model once and serve each connection in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no one waits for the others
    first, *others = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    with suppress(Exception):  # the caller gets no answer, parses itself, and meets the same error
        engine(model).parse(["Cats sleep."])
        for connection in others:
            fork_helper(connection, model)
            connection.close()
        serve(first, model)


if __name__ == "__main__":
    main(sys.argv[1], list(map(int, sys.argv[2:])))
