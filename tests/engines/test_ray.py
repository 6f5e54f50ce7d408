"""Ray by the engine of docs/scale.md: the same bytes as one process writes, also when a worker is killed."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

import pytest

from assay.engines.run import ThreadsEngine, run_tasks
from assay.engines.storage import input_stamp
from assay.engines.task import PartTask, own_versions
from assay.errors import InputError

pytestmark = pytest.mark.slow
ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'assay-eval[ray]'")
PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
SETTINGS = {"metrics": ["rouge2", "bleu"], "per_item": True, "options": {}}


@pytest.fixture(scope="module")
def engine():
    """The class that the page prints."""
    [example] = re.findall(r"```py\n(import ray\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict = {}
    exec(example, names)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    own = names["RayEngine"]()
    yield own
    own.close()


def make_tasks(folder: Path, parts: int, items: int) -> list[PartTask]:
    tasks = []
    for part in range(parts):
        file = folder / f"p{part:03d}.jsonl"
        lines = [
            f'{{"id": "{part}-{i}", "references": ["the cat {part} on mat {i}"], "outputs": {{"A": "the cat {i}"}}}}'
            for i in range(items)
        ]
        file.write_text("\n".join(lines))
        tasks.append(PartTask("score", str(file), input_stamp(str(file)), SETTINGS, own_versions()))
    return tasks


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_workers_of_ray_write_what_one_process_writes(engine, tmp_path):
    tasks = make_tasks(tmp_path, 6, 5)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    run_tasks(tasks, str(tmp_path / "many"), engine)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_a_part_that_fails_is_named_and_stops_no_other(engine, tmp_path):
    tasks = make_tasks(tmp_path, 3, 5)
    Path(tasks[1].file).unlink()
    with pytest.raises(InputError, match=r"1 of 3 parts failed: .*p001\.jsonl: cannot be read here"):
        run_tasks(tasks, str(tmp_path / "out"), engine)
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 2


def test_a_worker_that_is_killed_loses_nothing(engine, tmp_path):
    tasks = make_tasks(tmp_path, 40, 200)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    kills: list[int] = []
    out = tmp_path / "many"
    run = threading.Thread(target=run_tasks, args=(tasks, str(out), engine))
    run.start()
    stop = time.monotonic() + 60
    while run.is_alive() and not kills and time.monotonic() < stop:
        if len(list(out.glob("*.json"))) > 3:
            kills += find_workers()[:1]
            for pid in kills:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    run.join(240)
    assert kills
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def find_workers() -> list[int]:
    """The processes of Ray below this one that do a task at the moment."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::run_task") and descends(int(path.parent.name)):
                pids.append(int(path.parent.name))
        except OSError:
            continue
    return pids


def descends(pid: int) -> bool:
    """Check if a process was started by this one, or by one that was."""
    while pid > 1 and pid != os.getpid():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid == os.getpid()
