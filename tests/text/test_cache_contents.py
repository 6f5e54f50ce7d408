"""What a cache holds, as a result."""

from __future__ import annotations

from assay.text.cache import Cache
from assay.text.cache_contents import list_contents


def test_contents(tmp_path):
    cache = Cache(tmp_path)
    cache.put("en", "1", [("a", b"x" * 100), ("b", b"y")])
    contents = list_contents(cache)
    assert (contents.entries, contents.limit, len(contents.models)) == (2, cache.limit, 1)
    own, model = contents.records()
    assert own["path"] == str(cache.path)
    assert (model["kind"], model["model"], model["entries"]) == ("model", "en", 2)


def test_a_cache_that_is_off():
    assert list_contents(None).path is None
