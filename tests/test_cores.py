"""The number of cores is at least one, and no more than there are."""

from __future__ import annotations

import os

from assay.cores import usable_cores


def test_cores_that_may_be_used():
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


def test_a_process_that_was_given_one_core(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3})
    assert usable_cores() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    assert usable_cores() == os.cpu_count()
