"""Batches of windows, and how many of them an encoder works on at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

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


def count_processors() -> int:
    """Return how many processors this process may use: those that it was given, at most OMP_NUM_THREADS.

    Clusters set OMP_NUM_THREADS to 1 (Dask for its workers) where each processor has a process of its own.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(processors, int(limit))) if limit.isdecimal() else processors


def run_at_once(function: Callable[[list[int]], None], parts: Iterable[list[int]]) -> None:
    """Call a function that leaves the interpreter's lock with each part, as many at once as there are processors.

    Calls from several threads share the processors.
    """

    def work(part: list[int]) -> None:
        with _free:
            function(part)

    parts = list(parts)
    threads = min(len(parts), _processors)
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
            for future in futures:  # after an error: do not finish what nobody will read
                future.cancel()


_processors = count_processors()
_free = threading.BoundedSemaphore(_processors)
