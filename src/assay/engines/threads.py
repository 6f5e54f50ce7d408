"""An ordered map over threads with a bounded window, each worker with a state of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")


def ordered_map(
    function: Callable[[A, S], B], inputs: Iterable[A], *, threads: int = 1, state: Callable[[], S]
) -> Iterator[B]:
    """Yield function(input, state) for each input, in order; at most two inputs per thread wait at a time.

    Inputs are taken by the caller's thread while others work. A single input is worked on by the caller.

    >>> list(ordered_map(lambda x, s: x + s, [1, 2, 3], threads=2, state=lambda: 10))
    [11, 12, 13]
    """
    inputs = iter(inputs)
    first = list(islice(inputs, 2 if threads > 1 else 0))
    inputs = chain(first, inputs)
    if threads <= 1 or len(first) < 2:
        own_state = state()
        for value in inputs:
            yield function(value, own_state)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to load, and not needed for one thread
    from queue import SimpleQueue

    states: SimpleQueue[S] = SimpleQueue()
    for _ in range(threads):
        states.put(state())

    def work(value: A) -> B:
        own_state = states.get()
        try:
            return function(value, own_state)
        finally:
            states.put(own_state)

    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[B]] = deque()
        try:
            for value in inputs:
                waiting.append(pool.submit(work, value))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:  # an error or a closed generator: do not finish what nobody will read
                future.cancel()
