"""Show what is stored from earlier runs (parses and vectors of texts), or delete it.

assay cache
assay cache --clear

The folder is the one that the environment variable ASSAY_CACHE names, else `assay` in XDG_CACHE_HOME or ~/.cache.
ASSAY_CACHE=off stores nothing.
"""

from __future__ import annotations

import argparse

from ._options import add
from ._show import show

SUMMARY = "show or clear the cache of parsed texts"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="delete everything in the cache")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..text.cache import default_cache
    from ..text.cache_contents import list_contents

    cache = default_cache()
    deleted = cache.clear() if args.clear and cache is not None else None
    show([list_contents(cache, deleted=deleted)], as_json=args.json)
    return 0
