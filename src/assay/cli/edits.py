"""See how outputs were made from their sources (deleted, reordered, rephrased, merged), and which edits readers like.

assay edits set.jsonl
assay edits --outputs short=short.txt --source long.txt
assay edits set.jsonl -d meaning --per-output --json
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ._input import read_input
from ._options import add, add_dimension, add_input
from ._show import show

if TYPE_CHECKING:
    from ..data.result import Result

SUMMARY = "show how outputs were made from their sources, and which edits readers like"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add_dimension(parser)
    parser.add_argument("--per-output", action="store_true", help="print the edit of every output too")
    add(parser, "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..corpus import compare_joint, edit_effects, edits

    data = read_input(args)
    dimensions = list(dict.fromkeys(args.dimension)) or list(data.dimensions)
    for name in dimensions:
        data.check_dimension(name)
    classified = edits(data)
    results: list[Result] = [classified.summary()]
    if args.per_output:
        results.append(classified)
    if dimensions:
        results.append(edit_effects(classified, [data.human(name) for name in dimensions]))
        joint = compare_joint(data, dimensions)
        results += [joint] if any(row.paragraphs for row in joint.dimensions) else []
    show(results, as_json=args.json, rows=args.rows)
    return 0
