"""Show what was kept of earlier runs (parses and vectors of texts), or clear it.

assay cache
assay cache --clear

The folder is the one that ASSAY_CACHE names, else assay in XDG_CACHE_HOME or ~/.cache; ASSAY_CACHE=off keeps nothing.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ._answer import Answer, show

if TYPE_CHECKING:
    from ..text.cache import Cache

SUMMARY = "show or clear what is kept of parsed texts"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="drop everything that is kept")
    parser.add_argument("--json", action="store_true", help="one JSON record: path, bytes, entries, models")


def run(args: argparse.Namespace) -> int:
    from ..text.cache import default_cache

    cache = default_cache()
    if cache is None:
        off: dict[str, Any] = {"path": None, "bytes": 0, "entries": 0, "models": []}
        show([Answer(["Nothing is kept: ASSAY_CACHE is off."], records=[off])], as_json=args.json)
        return 0
    show([_cleared(cache) if args.clear else _shown(cache)], as_json=args.json)
    return 0


def _cleared(cache: Cache) -> Answer:
    dropped = cache.clear()
    sentence = f"{dropped:,} {'entry was' if dropped == 1 else 'entries were'} dropped from {cache.path}."
    return Answer([sentence], records=[{**_record(cache), "dropped": dropped}])


def _shown(cache: Cache) -> Answer:
    from ..views._view import Column

    held = cache.held()
    if not held:
        return Answer([f"{cache.path} holds nothing yet."], records=[_record(cache)])
    columns = [
        Column("model", [h.model for h in held], right=False),
        Column("version", [h.version for h in held], right=False),
        Column("entries", [f"{h.entries:,}" for h in held]),
        Column("MB", [f"{h.bytes / 1e6:,.1f}" for h in held]),
    ]
    entries = sum(h.entries for h in held)
    sentence = f"{cache.path}: {cache.size() / 1e6:,.1f} MB of at most {cache.limit / 1e6:,.0f}, {entries:,} entries."
    return Answer([sentence], columns, records=[_record(cache)])


def _record(cache: Cache) -> dict[str, Any]:
    held = cache.held()
    return {
        "path": str(cache.path),
        "bytes": cache.size(),
        "entries": sum(h.entries for h in held),
        "models": [h._asdict() for h in held],
    }
