"""Batches of windows, and how many of them an encoder works on at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...cores import usable_cores

PIECES = 320  # in a batch, padding included: fewer make small matrices, more leave the processor's cache
PADDING = 1.125  # the longest window of a batch to its shortest


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield windows of about the same length together, for padding is work too; long ones first.

    >>> list(batches([3, 200, 3, 180, 4]))
    [[1], [3], [4], [0, 2]]
    """
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch:
            longest = lengths[batch[0]]
            if longest * (len(batch) + 1) > PIECES or longest > PADDING * lengths[i]:
                yield batch
                batch = []
        batch.append(i)
    if batch:
        yield batch


def run_at_once(
    function: Callable[[list[int]], None], parts: Iterable[list[int]], *, threads: int | None = None
) -> None:
    """Call a function that leaves the interpreter's lock with each part, `threads` at once (by default one a core).

    Calls from several threads share the cores.
    """

    def work(part: list[int]) -> None:
        with _free:
            function(part)

    parts = list(parts)
    threads = min(len(parts), threads or _cores)
    if threads <= 1:
        for part in parts:
            work(part)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to load, and not needed for one thread

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, part) for part in parts]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:  # after an error: do not finish what no one will read
                future.cancel()


_cores = usable_cores()
_free = threading.BoundedSemaphore(_cores)
