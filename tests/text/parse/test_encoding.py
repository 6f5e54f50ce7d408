"""Parses as bytes: damaged ones are recognized."""

from __future__ import annotations

import pytest

from assay.text.cache import Cache
from assay.text.parse.parser import _warned, parse


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


def test_a_damaged_entry_is_parsed_again(tmp_path):
    fresh = parse(["Birds sing."], cache=Cache(tmp_path))
    cache = Cache(tmp_path)
    [held] = cache.models()
    for value in (b"", b"nonsense"):
        cache.put("en", held.version, [("Birds sing.", value)])
        assert parse(["Birds sing."], cache=cache) == fresh
