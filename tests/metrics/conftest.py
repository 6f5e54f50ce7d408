"""Texts whose parses are written by hand, so that the metrics need no parser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.text import Texts

sys.path.insert(0, str(Path(__file__).parent.parent / "units"))
import parses


@pytest.fixture
def by_hand(monkeypatch):
    """A text is the name of a parse in tests/units/parses.py."""

    def lookup(self, model="en", **_):
        return self.remember(("parses", model), lambda: [getattr(parses, text) for text in self.strings])

    monkeypatch.setattr(Texts, "parses", lookup)
    return parses
