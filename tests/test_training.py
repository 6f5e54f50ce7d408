"""Every training script can be imported, so that it has not fallen behind the package; and its folder mirrors one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TRAINING = ROOT / "training"
SCRIPTS = sorted(TRAINING.rglob("*.py"))
OPTIONAL = {"torch", "sklearn", "spacy", "srsly", "thinc"}  # what training needs and running does not
IMPORT = """
import importlib, sys
try:
    importlib.import_module(sys.argv[1])
except ModuleNotFoundError as error:
    print(error.name)
"""


@pytest.mark.parametrize("script", SCRIPTS, ids=[str(path.relative_to(TRAINING)) for path in SCRIPTS])
def test_every_script_can_be_imported(script):
    command = [sys.executable, "-c", IMPORT, script.stem]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if missing := done.stdout.strip():
        assert missing.partition(".")[0] in OPTIONAL
        pytest.skip(f"needs {missing}")


def test_folders_mirror_the_package():
    folders = {path.parent.relative_to(TRAINING) for path in SCRIPTS}
    assert all((ROOT / "src" / "assay" / folder).is_dir() for folder in folders)
