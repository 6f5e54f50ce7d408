"""Dask with real processes: the same bits, and nothing lost or twice when workers, scheduler or client are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay import stats
from assay.engines.blocks import BlockSpread
from assay.engines.manifest import read_manifest
from assay.engines.run import ThreadsEngine, open_engine, run_tasks
from assay.engines.storage import input_stamp
from assay.engines.task import PartTask, own_versions
from assay.errors import InputError
from assay.stats.blocks import spread_blocks

distributed = pytest.importorskip("distributed")
from assay.engines.dask import DaskEngine  # noqa: E402

SETTINGS = {"metrics": ["rouge2", "bleu"], "per_item": True, "options": {}}


def make_tasks(folder: Path, parts: int, items: int = 3) -> list[PartTask]:
    tasks = []
    for part in range(parts):
        file = folder / f"p{part:03d}.jsonl"
        lines = [
            f'{{"id": "{part}-{i}", "references": ["the cat {part} sat on mat {i}"], '
            f'"outputs": {{"A": "the cat sat {i}", "B": "a dog {part} on mat {i}"}}}}'
            for i in range(items)
        ]
        file.write_text("\n".join(lines))
        tasks.append(PartTask("score", str(file), input_stamp(str(file)), SETTINGS, own_versions()))
    return tasks


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir() if path.name != "seen-by-all.txt"}


@pytest.fixture(scope="module")
def engine():
    made = DaskEngine(workers=2)
    yield made
    made.close()


def test_workers_write_what_one_process_writes(engine, tmp_path):
    tasks = make_tasks(tmp_path, 6)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    run_tasks(tasks, str(tmp_path / "many"), engine)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert read_manifest(str(tmp_path / "many"))["rows"] == 36


def test_resamples_of_workers_are_those_of_one_process(engine, tmp_path):
    rng = np.random.default_rng(2)
    human = rng.normal(size=(10, 300))
    metrics = human + rng.normal(size=(3, 10, 300))
    rows = rng.integers(0, 9, size=(4, 9000, 2)).astype(float)

    def collect() -> list[bytes]:
        corpus = stats.corpus_test(rows, lambda sums: sums[:, 0] / sums[:, 1], resamples=900)
        tests = stats.permutation_matrix(human, metrics, level="item", resamples=300)
        intervals = stats.bootstrap_stack(human, metrics, level="item", method="spearman", resamples=300)
        return [array.tobytes() for array in (corpus.pvalue, corpus.low, tests.pvalues, intervals.samples)]

    with spread_blocks(BlockSpread(engine, str(tmp_path), most_tasks=8)):
        there = collect()
    assert there == collect()
    assert len(list(tmp_path.glob("round-*/manifest.json"))) == 3


def test_a_part_that_fails_is_named(engine, tmp_path):
    tasks = make_tasks(tmp_path, 3)
    Path(tasks[1].file).write_text('{"id": "1", "referen')
    broken = PartTask("score", tasks[1].file, input_stamp(tasks[1].file), SETTINGS, own_versions())
    with pytest.raises(InputError, match=r"1 of 3 parts failed: .*p001.jsonl"):
        run_tasks([tasks[0], broken, tasks[2]], str(tmp_path / "out"), engine)
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 2


def test_a_worker_that_does_not_see_the_folder_is_refused(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("assay.engines.dask.os.urandom", lambda n: b"\0" * n)
    monkeypatch.setattr("assay.engines.dask._probe", _see_nothing)
    with pytest.raises(InputError, match=r"worker tcp://.* does not see .*: all must see the same paths"):
        run_tasks(make_tasks(tmp_path, 1), str(tmp_path / "out"), engine)


def _see_nothing(out: str) -> tuple[dict[str, str], str]:
    return own_versions(), ""


@pytest.mark.slow
def test_workers_parse_as_one_process_does(engine, tmp_path):
    pytest.importorskip("spacy")
    tasks = [replace(task, settings={**SETTINGS, "metrics": ["depeval"]}) for task in make_tasks(tmp_path, 3)]
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    run_tasks(tasks, str(tmp_path / "many"), engine)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_names_of_engines():
    with pytest.raises(InputError, match=r"no engine is called 'spork'; there is threads, dask, dask://"):
        open_engine("spork")


def test_a_run_without_workers_ends(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("assay.engines.dask._LOCAL_PATIENCE", -1.0)
    monkeypatch.setattr(engine._client, "scheduler_info", lambda n_workers: {"workers": {}})
    with pytest.raises(InputError, match="no worker is left; start some, and the same command goes on"):
        run_tasks(make_tasks(tmp_path, 1), str(tmp_path / "out"), engine)


@pytest.mark.slow
def test_no_scheduler_answers():
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        open_engine("dask://127.0.0.1:9")


@pytest.mark.slow
def test_workers_killed_at_random(tmp_path):
    """200 parts, two workers, five kills: every part once, the same bytes as one process writes."""
    tasks = make_tasks(tmp_path, 200, items=40)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    draw, kills, over = random.Random(5), [], threading.Event()
    engine = DaskEngine(workers=2)

    def kill() -> None:
        while len(kills) < 5 and not over.wait(draw.uniform(0.3, 1.0)):
            workers = list(engine._cluster.workers.values())
            nanny = draw.choice(workers)
            # One that is only starting is not killed: Dask gives such a worker up.
            if len(engine._cluster.scheduler.workers) == 2 and nanny.process is not None and nanny.process.pid:
                os.kill(nanny.process.pid, signal.SIGKILL)
                kills.append(nanny.process.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        run_tasks(tasks, str(tmp_path / "many"), engine)
    finally:
        over.set()
        killer.join()
        engine.close()
    assert kills
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


@pytest.mark.slow
def test_a_scheduler_that_is_started_again(tmp_path):
    tasks = make_tasks(tmp_path, 60, items=60)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    port = 18786 + os.getpid() % 1000
    scheduler, worker = start_scheduler(port), start_worker(port)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            engine = DaskEngine(f"127.0.0.1:{port}")
            run_tasks(tasks, str(tmp_path / "many"), engine)
            engine.close()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        wait_for(lambda: len(list((tmp_path / "many").glob("*.json"))) > 3)
        for process in (scheduler, worker):
            process.kill()
            process.wait()
        scheduler, worker = start_scheduler(port), start_worker(port)
        thread.join(120)
    finally:
        for process in (scheduler, worker):
            process.kill()
    assert not failures
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def start_scheduler(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def start_worker(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--no-nanny"]
    return subprocess.Popen([*command, "--no-dashboard", "--nthreads", "1"], stderr=subprocess.DEVNULL)


def wait_for(happened, seconds: float = 60) -> None:
    stop = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < stop
        time.sleep(0.05)
