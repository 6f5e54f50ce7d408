"""Threads: order, bounded window, errors."""

from __future__ import annotations

import threading
import time

import pytest

from assay.engines import ordered_map


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_order_is_kept(threads):
    def slow_first(x: int) -> int:
        time.sleep(0.002 if x % 3 == 0 else 0)
        return x

    assert list(ordered_map(slow_first, range(50), threads=threads)) == list(range(50))


def test_inputs_are_taken_as_needed():
    taken: list[int] = []

    def inputs():
        for i in range(100):
            taken.append(i)
            yield i

    results = ordered_map(lambda x: x, inputs(), threads=2)
    next(results)
    assert len(taken) <= 8
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_out(threads):
    def fail(x: int) -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(ordered_map(fail, range(10), threads=threads))


def test_one_input_is_worked_on_by_the_caller():
    own = threading.get_ident()
    assert list(ordered_map(lambda x: threading.get_ident(), [1], threads=4)) == [own]
    assert own not in ordered_map(lambda x: threading.get_ident(), [1, 2], threads=4)
