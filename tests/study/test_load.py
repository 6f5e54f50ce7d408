"""kill -9 under load: nothing acknowledged is lost, nothing counts twice. The long form is benchmarks/study.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parent.parent.parent / "benchmarks" / "study.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("study_benchmark", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["study_benchmark"] = module
    spec.loader.exec_module(module)
    return module


def check(benchmark, load, database):
    outcome = benchmark.measure(load, database=database)
    assert len(outcome.acknowledged) == outcome.offered == int(load.rate * load.seconds)
    assert (outcome.lost, outcome.doubled, outcome.unacknowledged) == (0, 0, 0)


def test_a_killed_server_lost_nothing(benchmark, database_url):
    check(benchmark, benchmark.Load(rate=60, seconds=2, raters=6, kills=1), database_url)


@pytest.mark.slow
def test_a_server_that_was_ended_in_order_under_load_lost_nothing(benchmark):
    from signal import SIGTERM

    check(benchmark, benchmark.Load(rate=100, seconds=6, raters=16, kills=2, signal=SIGTERM), None)


@pytest.mark.slow
def test_a_server_that_was_killed_five_times_lost_nothing(benchmark, database_url):
    check(benchmark, benchmark.Load(rate=200, seconds=20, raters=64, kills=5), database_url)
