"""Every benchmark can be imported, so that it has not fallen behind the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "benchmarks"
IMPORT = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"


def test_every_benchmark_can_be_imported():
    names = sorted(path.stem for path in FOLDER.glob("*.py"))
    run = subprocess.run([sys.executable, "-c", IMPORT, *names], cwd=FOLDER, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_every_benchmark_has_a_place_in_the_docs():
    command = [sys.executable, "-c", "import run; print(*run.benchmarks())"]
    names = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True).stdout.split()
    pages = "".join(page.read_text("utf-8") for page in (FOLDER.parent / "docs").glob("*.md"))
    assert {"scoring", "streaming", "scale"} <= set(names)
    assert [name for name in names if f"<!-- bench: {name} -->" not in pages] == []
