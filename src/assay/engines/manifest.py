"""The manifest of a run: every part in order, with its rows and checksum; the run is complete when it is there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import FormatError
from .storage import RunFolder, open_folder
from .task import PartTask, read_entry

NAME = "manifest.json"


def find_done(folder: RunFolder, tasks: Sequence[PartTask]) -> dict[str, dict[str, Any]]:
    """Return the entries of the tasks that are done, by key."""
    entries = {task.key(): read_entry(folder, task) for task in tasks}
    return {key: entry for key, entry in entries.items() if entry is not None}


def write_manifest(folder: RunFolder, tasks: Sequence[PartTask], entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write that all tasks are done, in their order."""
    parts = [{name: entries[task.key()].get(name) for name in _LISTED} for task in tasks]
    manifest = {
        "work": tasks[0].work,
        "versions": dict(tasks[0].versions),
        "settings": dict(tasks[0].settings),
        "rows": sum(entry["rows"] for entry in entries.values()),
        "parts": parts,
    }
    folder.write(NAME, json.dumps(manifest, indent=1).encode())


def read_manifest(url: str) -> dict[str, Any]:
    """Return the manifest of a run; raises where the run is not complete."""
    content = open_folder(url).read(NAME)
    if content is None:
        raise FormatError("holds no manifest.json: the run is not complete, start it again to go on", path=url)
    manifest: dict[str, Any] = json.loads(content)
    return manifest


_LISTED = ("key", "file", "row_groups", "rows", "part", "bytes", "sha256")
