"""Tasks: their key says all that matters, and they are refused where they would not give the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.engines.storage import input_stamp, open_folder
from assay.engines.task import PartTask, describe_error, entry_name, own_versions, read_entry, run_task
from assay.errors import FormatError, InputError

LINE = '{"id": "1", "references": ["a b c"], "outputs": {"A": "a b"}}\n'


@pytest.fixture
def task(tmp_path) -> PartTask:
    file = tmp_path / "set.jsonl"
    file.write_text(LINE)
    settings = {"metrics": ["rouge1"], "per_item": False, "options": {}}
    return PartTask("score", str(file), input_stamp(str(file)), settings, own_versions())


def test_the_key_says_all(task):
    others = [
        replace(task, file="x"),
        replace(task, stamp="x"),
        replace(task, row_groups=(1,)),
        replace(task, settings={**task.settings, "metrics": ["rouge2"]}),
        replace(task, versions={**task.versions, "assay": "9"}),
    ]
    assert len({task.key(), *(other.key() for other in others)}) == 6
    assert PartTask.from_record(task.to_record()).key() == task.key()


def test_a_task_is_done_once(task, tmp_path):
    entry = run_task(task.to_record(), str(tmp_path))
    assert entry["rows"] == 1
    changed = tmp_path / entry_name(task)
    changed.write_text(changed.read_text().replace('"rows": 1', '"rows": 77'))
    assert run_task(task.to_record(), str(tmp_path))["rows"] == 77


def test_an_entry_whose_part_is_missing_or_cut_does_not_count(task, tmp_path):
    task = replace(task, settings={**task.settings, "per_item": True})
    entry = run_task(task.to_record(), str(tmp_path))
    folder = open_folder(str(tmp_path))
    assert read_entry(folder, task) == entry
    part = tmp_path / entry["part"]
    part.write_bytes(part.read_bytes()[:-1])
    assert read_entry(folder, task) is None
    part.unlink()
    assert read_entry(folder, task) is None


def test_another_version_is_refused(task, tmp_path):
    other = replace(task, versions={**task.versions, "models": "0123"})
    with pytest.raises(InputError, match="the run was started with models 0123: install the same"):
        run_task(other.to_record(), str(tmp_path))


def test_a_file_that_changed_is_refused(task, tmp_path):
    (tmp_path / "set.jsonl").write_text(LINE + LINE.replace('"1"', '"2"'))
    with pytest.raises(FormatError, match="has changed since"):
        run_task(task.to_record(), str(tmp_path))


def test_work_that_nobody_knows_is_refused(task, tmp_path):
    with pytest.raises(InputError, match="no work is called 'rm'; there is score, apply, resample, judge"):
        run_task(replace(task, work="rm").to_record(), str(tmp_path))


def test_an_error_names_the_part_once(task):
    assert describe_error(FormatError("is bad", path=task.file), task) == f"{task.file}: is bad"
    cut = replace(task, row_groups=(3, 4, 5))
    assert describe_error(MemoryError(), cut) == f"{task.file}, row groups 3 to 5: MemoryError: MemoryError"
