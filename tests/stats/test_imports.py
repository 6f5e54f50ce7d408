"""The room is light to enter, and depends on nothing of Assay but its errors."""

import ast
import subprocess
import sys
from pathlib import Path

import assay.stats

FOLDER = Path(assay.stats.__file__).parent


def test_numpy_only():
    code = "import sys, assay.stats; print([m for m in ('scipy', 'pandas', 'sklearn') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_imports_nothing_of_assay_but_errors():
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert node.module in ("errors", "lazy"), file
            if isinstance(node, ast.Import):
                assert not any(a.name.startswith("assay") for a in node.names), file


def test_every_public_name_is_listed_and_documented():
    for name in assay.stats.__all__:
        assert getattr(assay.stats, name).__doc__, name
