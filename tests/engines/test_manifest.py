"""Manifests: every part in order, and only when all are there."""

from __future__ import annotations

import pytest

from assay.engines.manifest import find_done, read_manifest, write_manifest
from assay.engines.storage import open_folder
from assay.engines.task import PartTask, entry_name
from assay.errors import FormatError


def test_parts_in_order_with_rows_and_checksums(tmp_path):
    tasks = [PartTask("score", f"{n}.csv", "1 1", {"metrics": []}, {"assay": "1"}) for n in range(3)]
    entries = {t.key(): {"key": t.key(), "file": t.file, "rows": n, "sha256": "f"} for n, t in enumerate(tasks)}
    folder = open_folder(str(tmp_path))
    write_manifest(folder, tasks, dict(reversed(entries.items())))
    manifest = read_manifest(str(tmp_path))
    assert [(part["file"], part["rows"]) for part in manifest["parts"]] == [("0.csv", 0), ("1.csv", 1), ("2.csv", 2)]
    assert (manifest["rows"], manifest["versions"]) == (3, {"assay": "1"})


def test_only_whole_entries_count(tmp_path):
    folder = open_folder(str(tmp_path))
    tasks = [PartTask("score", f"{n}.csv", "1 1", {}, {}) for n in range(3)]
    folder.write(entry_name(tasks[0]), b'{"key": "%s"}' % tasks[0].key().encode())
    folder.write(entry_name(tasks[1]), b'{"key": "another"}')
    folder.write(entry_name(tasks[2]), b'{"key": ')
    assert list(find_done(folder, tasks)) == [tasks[0].key()]


def test_a_run_that_is_not_complete(tmp_path):
    with pytest.raises(FormatError, match="the run is not complete"):
        read_manifest(str(tmp_path))
