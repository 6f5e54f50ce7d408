"""The page on pipelines: its GitHub and GitLab files and its pytest fixture are run on a better and a worse system."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pipelines.md").read_text("utf-8")
GITHUB, GITLAB = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
(FIXTURE,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture(params=[("cedar", "birch", True), ("cedar", "elm", False)], ids=["better", "worse"])
def build(request, tmp_path):
    """A folder with new.jsonl, where `new` is better or worse than `old`, and whether the build passes."""
    old, new, passes = request.param
    with open(ROOT / "src" / "assay" / "examples" / "compressions.jsonl", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    with open(tmp_path / "new.jsonl", "w", encoding="utf-8") as file:
        for item in items:
            outputs = {"old": item["outputs"][old], "new": item["outputs"][new]}
            file.write(json.dumps({**item, "outputs": outputs, "judgments": []}) + "\n")
    script = tmp_path / "assay"
    code = "import sys; from assay.cli.main import main; sys.exit(main())"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
    script.chmod(0o755)
    return tmp_path, passes


def run(command: str, folder: Path) -> int:
    """Run a step as the services do: bash stops at the first failure, in a pipe too."""
    variables = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": "summary.md"}
    return subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=variables, check=False).returncode


def test_github(build):
    yaml = pytest.importorskip("yaml")
    folder, passes = build
    steps = [step for step in yaml.safe_load(GITHUB)["jobs"]["compare"]["steps"] if "run" in step]
    install, compare, summary = steps
    assert install["run"].startswith("pip install")
    assert compare["shell"] == "bash"  # GitHub then sets pipefail
    assert (run(compare["run"], folder) == 0) is passes
    assert run(summary["run"], folder) == 0
    assert ("Failed: new is significantly worse" in (folder / "summary.md").read_text()) is not passes


def test_gitlab(build):
    yaml = pytest.importorskip("yaml")
    folder, passes = build
    job = yaml.safe_load(GITLAB)["compare"]
    assert [run(command, folder) for command in job["script"]] == [0 if passes else 1]
    records = [json.loads(line) for line in (folder / job["artifacts"]["paths"][0]).read_text().splitlines()]
    assert {record["failed"] for record in records if record["kind"] == "gate"} >= {not passes}


def test_the_fixture_of_five_lines(build):
    folder, passes = build
    fixture = FIXTURE.split("\n\n")[1]
    assert len(fixture.strip().splitlines()) <= 5
    (folder / "test_quality.py").write_text(FIXTURE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_quality.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == (0 if passes else 1), done.stdout
    if not passes:
        sentence = re.search(r"E +AssertionError: (Failed: .*)\n", PAGE)
        assert sentence is not None
        assert sentence[1] in " ".join(re.sub(r"\nE? +", " ", done.stdout).split())
