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
