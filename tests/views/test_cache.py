"""What is printed of the cache."""

from __future__ import annotations

from assay.text.cache import CachedModel
from assay.text.cache_contents import CacheContents


def test_off_empty_deleted_and_full():
    models = (CachedModel("en", "1", 2, 1_500_000),)
    assert str(CacheContents(None, 0, 0, 0, ())) == "Nothing is stored: ASSAY_CACHE is off."
    assert str(CacheContents("c.sqlite", 0, 0, 0, ())) == "c.sqlite is empty."
    assert str(CacheContents("c.sqlite", 0, 0, 0, (), deleted=1)) == "Deleted 1 entry from c.sqlite."
    text = str(CacheContents("c.sqlite", 2_000_000, 10**9, 2, models))
    assert text.startswith("c.sqlite: 2 entries, 2.0 MB of at most 1,000 MB.")
    assert text.splitlines()[-1].split() == ["en", "1", "2", "1.5", "MB"]
