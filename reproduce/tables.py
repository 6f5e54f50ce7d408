"""A reproduction whose words and tables depend on what it finds: computed first, then printed or written."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict

import common
from common import Figure

Found = tuple[list[str], list[Figure]]  # paragraphs and tables in Markdown, and single figures


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, padded so that it reads well as plain text too.

    >>> print(grid(["metric", "r"], [["LR-1", ".5"]]))
    | metric | r  |
    |--------|---:|
    | LR-1   | .5 |
    """
    wide = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    wide = [wide[0], *(max(2, w) for w in wide[1:])]
    cells = [
        "| "
        + " | ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, wide, strict=True)))
        + " |"
        for row in (heads, *rows)
    ]
    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(wide)) + "|"
    return "\n".join([cells[0], rule, *cells[1:]])


def main(name: str, title: str, find: Callable[[], Found]) -> None:
    """Prints what is found; --json the figures as records, --write into reproduce/results too."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")
    parser.add_argument("--write", action="store_true", help="write the tables into reproduce/results too")
    args = parser.parse_args()
    notes, figures = find()
    if args.json:
        for figure in figures:
            print(json.dumps({**asdict(figure), "difference": figure.difference, "reached": figure.reached}))
    else:
        rows = [figure.cells() for figure in figures]
        print(title, *notes, grid(common.HEADS, rows) if rows else "", sep="\n\n")
    if args.write:
        common.write(name, title, notes, figures)
    sys.exit(0 if all(figure.reached for figure in figures) else 1)
