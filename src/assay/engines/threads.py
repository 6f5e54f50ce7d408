"""An ordered map over threads with a bounded window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

A = TypeVar("A")
B = TypeVar("B")


def ordered_map(function: Callable[[A], B], inputs: Iterable[A], *, threads: int = 1) -> Iterator[B]:
    """Yield function(input) for each input, in order; at most two inputs per thread wait at a time.

    Inputs are taken by the caller's thread while others work. A single input is worked on by the caller.

    >>> list(ordered_map(lambda x: x + 10, [1, 2, 3], threads=2))
    [11, 12, 13]
    """
    inputs = iter(inputs)
    first = list(islice(inputs, 2 if threads > 1 else 0))
    inputs = chain(first, inputs)
    if threads <= 1 or len(first) < 2:
        yield from map(function, inputs)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to load, and not needed for one thread

    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[B]] = deque()
        try:
            for value in inputs:
                waiting.append(pool.submit(function, value))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:  # an error or a closed generator: do not finish what no one will read
                future.cancel()
