"""Make the servers of this folder importable from its tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def server():
    from fault_server import FaultServer

    with FaultServer() as running:
        yield running
