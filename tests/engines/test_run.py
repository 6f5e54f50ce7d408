"""Runs: engines by name, what is done before is kept, and a run that failed says so and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.engines.run import Finished, ThreadsEngine, open_engine, run_tasks
from assay.engines.storage import input_stamp
from assay.engines.task import PartTask, own_versions
from assay.errors import InputError


@pytest.fixture
def tasks(tmp_path) -> list[PartTask]:
    parts = []
    for name in "abc":
        file = tmp_path / f"{name}.jsonl"
        file.write_text(f'{{"id": "{name}", "references": ["a b"], "outputs": {{"A": "a"}}}}\n')
        plan = {"metrics": ["rouge1"], "per_item": False, "options": {}}
        parts.append(PartTask("score", str(file), input_stamp(str(file)), plan, own_versions()))
    return parts


class Backwards(ThreadsEngine):
    """Finishes the last task first."""

    def run(self, tasks, out):
        return super().run(tasks[::-1], out)


def test_entries_come_in_the_order_of_the_tasks(tasks, tmp_path):
    entries = run_tasks(tasks, str(tmp_path / "out"), Backwards())
    assert [Path(entry["file"]).stem for entry in entries] == ["a", "b", "c"]


def test_one_failure_stops_no_other(tasks, tmp_path):
    Path(tasks[1].file).unlink()
    out = tmp_path / "out"
    with pytest.raises(InputError, match=r"1 of 3 parts failed: .*b.jsonl: cannot be read here"):
        run_tasks(tasks, str(out), ThreadsEngine())
    assert sorted(p.name for p in out.iterdir()) == sorted(f"{tasks[i].key()}.json" for i in (0, 2))


def test_what_a_killed_worker_left_is_swept(tasks, tmp_path):
    out = tmp_path / "out"
    (out / ".part-x").mkdir(parents=True)
    (out / ".abc.json.1234.part").write_text("half")
    (out / "notes.txt").write_text("mine")
    run_tasks(tasks, str(out), ThreadsEngine())
    assert {p.name for p in out.iterdir()} == {"manifest.json", "notes.txt", *(f"{task.key()}.json" for task in tasks)}


def test_follow_sees_what_is_finished(tasks, tmp_path):
    log: list[Finished] = []

    def follow(finished, left, before):
        assert (left, before) == (3, 0)
        for each in finished:
            log.append(each)
            yield each

    run_tasks(tasks, str(tmp_path / "out"), open_engine("threads"), follow=follow)
    assert [each.task for each in log] == tasks
