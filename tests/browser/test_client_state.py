"""The state machine of the rater's page, by the test runner of Node: no browser is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def test_the_state_machine_of_the_client():
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("needs node")
        pytest.skip("needs node")
    file = Path(__file__).parent / "client" / "state.test.mjs"
    result = subprocess.run([node, "--test", str(file)], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout
