"""Roads: how many files of the package a command executes, and which it must not."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "roads.py"))
ROADS: dict[str, int] = TOOL["ROADS"]
# What a command has no use for: content units and raters where a set has neither, other formats for lines of text.
UNNEEDED = {
    "meta": ("pyramid/", "raters/", "learning/", "systems/"),
    "compress": ("formats/csv.py", "formats/jsonl.py", "systems/fuse/", "systems/compress/edit.py", "metrics/"),
    "score": ("stats/", "text/parse/", "views/charts.py", "systems/", "plugins.py"),
}


@pytest.mark.parametrize("command", ROADS)
def test_a_command_executes_no_more_files(command):
    files = TOOL["list_files"](command)
    assert len(files) <= ROADS[command], "a new import, or a needed file: then raise the number in tools/roads.py"
    assert "cli/main.py" in files
    unneeded = UNNEEDED.get(command.split()[0], ())
    assert [file for file in files if file.startswith(unneeded)] == []
