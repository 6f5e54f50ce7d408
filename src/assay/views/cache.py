"""Show what the cache holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_size

if TYPE_CHECKING:
    from ..text.cache_contents import CacheContents


def view_cache(result: CacheContents) -> View:
    """Show size and entries by model, or how many entries were deleted."""
    if result.path is None:
        return View(["Nothing is stored: ASSAY_CACHE is off."])
    if result.deleted is not None:
        return View([f"Deleted {format_count(result.deleted, 'entry')} from {result.path}."])
    if not result.models:
        return View([f"{result.path} is empty."])
    size, limit = format_size(result.bytes), f"{result.limit / 1e6:,.0f} MB"
    columns = [
        text_column("model", [m.model for m in result.models]),
        text_column("version", [m.version for m in result.models]),
        Column("entries", [f"{m.entries:,}" for m in result.models]),
        Column("size", [format_size(m.bytes) for m in result.models]),
    ]
    return View(
        [f"{result.path}: {format_count(result.entries, 'entry')}, {size} of at most {limit}."], [Table(columns)]
    )
