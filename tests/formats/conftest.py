"""Where the shared data are, if they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of research data, which is not part of the project."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data in {folder}; set ASSAY_DATA to run this")
    return folder
