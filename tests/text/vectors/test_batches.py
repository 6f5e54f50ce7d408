"""Batches of windows of about the same length, and calls that run at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.vectors import batches as module
from assay.text.vectors.batches import PADDING, PIECES, batches, run_at_once


@given(st.lists(st.integers(3, 256), max_size=300))
def test_every_window_is_in_one_batch(lengths):
    parts = list(batches(lengths))
    assert sorted(i for part in parts for i in part) == list(range(len(lengths)))
    for part in parts:
        longest, shortest = (pick(lengths[i] for i in part) for pick in (max, min))
        assert len(part) == 1 or longest * len(part) <= PIECES
        assert longest <= PADDING * shortest
    assert [max(lengths[i] for i in part) for part in parts] == sorted(
        (max(lengths[i] for i in part) for part in parts), reverse=True
    )


def test_short_windows_are_many():
    assert [len(part) for part in batches([4] * 100)] == [80, 20]
    assert list(batches([])) == []


@pytest.mark.parametrize("processors", [1, 3])
def test_no_more_at_once_than_processors(monkeypatch, processors):
    """Three callers share them."""
    monkeypatch.setattr(module, "_cores", processors)
    monkeypatch.setattr(module, "_free", threading.BoundedSemaphore(processors))
    lock, now, most, parts = threading.Lock(), [0], [0], []
    together = threading.Barrier(processors)  # fewer at once would wait for each other

    def work(part):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
            parts.append(part[0])
        together.wait(60)
        with lock:
            now[0] -= 1

    with ThreadPoolExecutor(3) as callers:
        list(callers.map(lambda k: run_at_once(work, [[10 * k + i] for i in range(4)]), range(3)))
    assert most[0] == processors
    assert sorted(parts) == [10 * k + i for k in range(3) for i in range(4)]


@pytest.mark.parametrize("processors", [1, 2])
def test_an_error_comes_out(monkeypatch, processors):
    monkeypatch.setattr(module, "_cores", processors)

    def work(part):
        if part == [1]:
            raise ValueError("one")

    with pytest.raises(ValueError, match="one"):
        run_at_once(work, [[0], [1], [2]])


def test_as_many_threads_as_were_asked_for():
    threads: set[int] = set()
    run_at_once(lambda part: threads.add(threading.get_ident()), [[k] for k in range(9)], threads=1)
    assert threads == {threading.get_ident()}
