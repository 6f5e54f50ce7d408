"""The notebooks run from top to bottom, by nbmake, and show what they showed; run as a script, it writes them again."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """A folder with all notebooks as a new run left them."""
    pytest.importorskip("nbmake")
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS:
        shutil.copy(path, folder / path.name)
    return run_all(folder)


def run_all(folder: Path) -> Path:
    """Run the notebooks of a folder in place."""
    command = [sys.executable, "-m", "pytest", "-q", "--nbmake", "--overwrite", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return folder


def outputs(path: Path) -> list[tuple[str, Any]]:
    """What the cells of a notebook show: a table, or the text where there is none."""
    shown: list[tuple[str, Any]] = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = data.get("text/html") or data.get("text/plain") or output.get("text")
            shown.append((cell["id"], "".join(text or ())))
    return shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_new_run_shows_the_same(path, runs):
    assert outputs(path)
    assert outputs(runs / path.name) == outputs(path)


def test_there_is_one_on_scoring_one_on_metrics_and_one_on_judges():
    assert [path.stem for path in NOTEBOOKS] == ["judges", "meta-evaluation", "scoring"]


if __name__ == "__main__":
    for path in run_all(ROOT / "docs" / "notebooks").glob("*.ipynb"):
        notebook = json.loads(path.read_text("utf-8"))
        for cell in notebook["cells"]:
            cell["metadata"].pop("execution", None)  # when it ran
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
