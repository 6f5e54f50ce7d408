"""Workers: parsing in several processes, each a Python of its own that reads blocks and writes parses."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from ...errors import AssayError, InputError
from .engines import Block, engine

# Not multiprocessing: a fork copies the locks of threads that do not live on in the child, and a spawned process runs
# the user's script again.


def parse_chunks(model: str, chunks: Iterable[list[str]], processes: int) -> Iterator[list[Block]]:
    """Return the parses of each chunk, in order; the processes live until the last is taken."""
    waiting = list(chunks)
    number = min(processes, len(waiting))
    if number <= 1:
        yield from map(engine(model).parse, waiting)
        return
    workers = [_start(model) for _ in range(number)]
    free: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
    for worker in workers:
        free.put(worker)

    def work(chunk: list[str]) -> list[Block]:
        worker = free.get()
        try:
            return _ask(worker, model, chunk)
        finally:
            free.put(worker)

    try:
        with ThreadPoolExecutor(number) as pool:
            futures: list[Future[list[Block]]] = [pool.submit(work, chunk) for chunk in waiting]
            try:
                for future in futures:
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def _start(model: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    # Neither "" nor the lack of -P: both look for modules in the current folder, where a msgspec.py may lie.
    paths = dict.fromkeys([p for p in sys.path if p] + [str(Path(__file__).parents[2])])
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-P", "-m", f"{__package__}.workers", model]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _ask(worker: subprocess.Popen[bytes], model: str, chunk: list[str]) -> list[Block]:
    from .encoding import decode_block

    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        _write(worker.stdin, chunk)
        error, answers = _read(worker.stdout)
    except (EOFError, BrokenPipeError):
        raise AssayError(f"a process that parsed with {model!r} ended early; is there enough memory?") from None
    if error:
        raise InputError(error)
    blocks = [decode_block(answer) for answer in answers]
    return [block for block in blocks if block is not None]


def _write(stream: IO[bytes], message: Any) -> None:
    import msgspec

    body = msgspec.msgpack.encode(message)
    stream.write(struct.pack("<Q", len(body)) + body)
    stream.flush()


def _read(stream: IO[bytes]) -> Any:
    import msgspec

    head = stream.read(8)
    body = stream.read(struct.unpack("<Q", head)[0]) if len(head) == 8 else b""
    if len(head) < 8 or len(body) < struct.unpack("<Q", head)[0]:
        raise EOFError
    return msgspec.msgpack.decode(body)


def _serve(model: str) -> None:
    """Answer until its standard input ends."""
    from .encoding import encode_block

    answers_to, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else may print between the answers
    while True:
        try:
            chunk = _read(sys.stdin.buffer)
        except EOFError:
            return
        try:
            _write(answers_to, ("", [encode_block(block) for block in engine(model).parse(chunk)]))
        except AssayError as error:
            _write(answers_to, (str(error), []))


if __name__ == "__main__":
    _serve(sys.argv[1])
