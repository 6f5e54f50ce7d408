"""CacheContents: what the cache holds, by model."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.result import Result
from .cache import Cache, CachedModel


@dataclass(frozen=True)
class CacheContents(Result, question="cache", kind="cache"):
    """The file, its size and limit in bytes, and the entries of each model; `path` is None where caching is off.

    `deleted` counts the entries that were just deleted.
    """

    path: str | None
    bytes: int
    limit: int
    entries: int
    models: tuple[CachedModel, ...]
    deleted: int | None = None


def list_contents(cache: Cache | None, *, deleted: int | None = None) -> CacheContents:
    """List what a cache holds; None is a cache that is off."""
    if cache is None:
        return CacheContents(None, 0, 0, 0, ())
    models = tuple(cache.models())
    return CacheContents(str(cache.path), cache.size(), cache.limit, sum(m.entries for m in models), models, deleted)
