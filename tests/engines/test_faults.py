"""What goes wrong in a long run: a full disk, a client that is killed, a worker of another version; nothing is lost.

Workers and schedulers that are killed are in test_dask, truncated parts and parts of another schema in
tests/scoring/test_parts.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay import files
from assay.engines.run import ThreadsEngine, run_tasks
from assay.engines.storage import input_stamp
from assay.engines.task import PartTask, checksum_models, own_versions
from assay.errors import InputError

SETTINGS = {"metrics": ["rouge2"], "per_item": True, "options": {}}
LINE = '{{"id": "{0}-{1}", "references": ["the cat {0} sat on mat {1}"], "outputs": {{"A": "the cat sat {1}"}}}}\n'


def make_tasks(folder: Path, parts: int, items: int = 3) -> list[PartTask]:
    tasks = []
    for part in range(parts):
        file = folder / f"p{part:03d}.jsonl"
        file.write_text("".join(LINE.format(part, i) for i in range(items)))
        tasks.append(PartTask("score", str(file), input_stamp(str(file)), SETTINGS, own_versions()))
    return tasks


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir() if path.name != "seen-by-all.txt"}


def test_a_full_disk_names_the_part_and_keeps_the_others(tmp_path, monkeypatch):
    tasks = make_tasks(tmp_path, 4)
    run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
    full = {tasks[1].key(), tasks[2].key()}

    class FullDisk(files._Part):
        """A file that cannot be written if it is of certain parts."""

        def __init__(self, path: Path) -> None:
            super().__init__(path)
            self.full = any(key in path.name for key in full)

        def write(self, data) -> int:
            if self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    monkeypatch.setattr(files, "_Part", FullDisk)
    with pytest.raises(InputError, match=r"2 of 4 parts failed, the first: .*p001\.jsonl: .*No space left on device"):
        run_tasks(tasks, str(tmp_path / "many"), ThreadsEngine())
    assert {path.stem for path in (tmp_path / "many").glob("*.json")} == {tasks[i].key() for i in (0, 3)}
    full.clear()
    run_tasks(tasks, str(tmp_path / "many"), ThreadsEngine())
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_every_model_is_in_the_checksum(tmp_path):
    (tmp_path / "de.lex").write_bytes(b"words")
    (tmp_path / "code.py").write_text("one = 1")
    before = checksum_models([tmp_path])
    (tmp_path / "code.py").write_text("one = 2")
    assert checksum_models([tmp_path]) == before
    (tmp_path / "de.lex").write_bytes(b"other")
    assert checksum_models([tmp_path]) != before


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and a function that starts workers; all are ended in the end."""
    pytest.importorskip("distributed")
    port = 19786 + os.getpid() % 1000
    processes = [start("-m", "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard")]

    def add_worker(*options: str) -> subprocess.Popen[bytes]:
        command = ["-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--no-nanny", "--no-dashboard"]
        processes.append(start(*command, "--nthreads", "1", *options))
        return processes[-1]

    yield f"127.0.0.1:{port}", add_worker
    for process in processes:
        process.kill()
        process.wait()


def wait_for(happened, seconds: float = 120) -> None:
    stop = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < stop
        time.sleep(0.05)


@pytest.mark.slow
def test_a_client_that_is_killed_goes_on_where_it_was(cluster, tmp_path):
    address, add_worker = cluster
    add_worker()
    make_tasks(tmp_path, 60, items=200)
    parts = sorted(map(str, tmp_path.glob("*.jsonl")))
    command = ["-m", "assay.cli.main", "score", *parts, "-m", "rouge2", "--per-item", "--quiet", "--out"]
    code = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", code, *command[2:], str(tmp_path / "one")], check=True, capture_output=True)
    out = tmp_path / "many"
    client = start("-c", code, *command[2:], str(out), "--engine", f"dask://{address}")
    wait_for(lambda: len(list(out.glob("*.json"))) > 5)
    os.kill(client.pid, signal.SIGKILL)
    client.wait()
    assert not (out / "manifest.json").exists()
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("*.json")}
    again = start("-c", code, *command[2:], str(out), "--engine", f"dask://{address}")
    assert again.wait(240) == 0
    assert contents(tmp_path / "one") == contents(out)
    assert all((out / name).stat().st_mtime_ns == before for name, before in times.items())


@pytest.mark.slow
def test_a_worker_with_other_models_is_refused(cluster, tmp_path):
    from assay.engines.dask import DaskEngine

    address, add_worker = cluster
    script = tmp_path / "other.py"
    script.write_text(
        "import assay.engines.task as task\n"
        "there = {**task.own_versions(), 'models': '0123456789abcdef'}\n"
        "task.own_versions = lambda: there\n"
        "import assay.engines.dask\n"
        "assay.engines.dask.own_versions = task.own_versions\n"
    )
    add_worker("--preload", str(script))
    engine = DaskEngine(address)
    own = re.escape(f"models 0123456789abcdef, and the run was started with models {own_versions()['models']}")
    try:
        with pytest.raises(InputError, match=rf"the worker tcp://127\.0\.0\.1:\d+ has {own}: install the same"):
            run_tasks(make_tasks(tmp_path, 2), str(tmp_path / "out"), engine)
    finally:
        engine.close()


@pytest.mark.slow
def test_a_disk_of_workers_that_is_really_full(cluster, tmp_path):
    from assay.engines.dask import DaskEngine

    out = tmp_path / "many"
    out.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(out)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can make a disk of a certain size")
    try:
        tasks = make_tasks(tmp_path, 30, items=60)
        run_tasks(tasks, str(tmp_path / "one"), ThreadsEngine())
        address, add_worker = cluster
        add_worker()
        engine = DaskEngine(address)
        with pytest.raises(InputError, match=r"\d+ of 30 parts failed.*p\d+\.jsonl: .*No space left on device"):
            run_tasks(tasks, str(out), engine)
        done = {path.name for path in out.glob("*.json")}
        assert 0 < len(done) < 30
        subprocess.run(["mount", "-o", "remount,size=20m", str(out)], check=True)
        run_tasks(tasks, str(out), engine)
        engine.close()
        assert contents(tmp_path / "one") == contents(out)
    finally:
        subprocess.run(["umount", str(out)], check=False)
