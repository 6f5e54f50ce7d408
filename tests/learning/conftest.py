"""A judged set, made by the helper of this folder."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from learning_made import made_set


@pytest.fixture
def make_set():
    return made_set
