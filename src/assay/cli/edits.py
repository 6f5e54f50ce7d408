"""Show what was done to the sources (deleted, reordered, rephrased, merged), and which of it readers liked.

assay edits set.jsonl
assay edits --outputs short=short.txt --source long.txt
assay edits set.jsonl --dimension meaning --per-output --json
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import UnknownName
from ._input import read_input
from ._options import add, add_input
from ._show import show

if TYPE_CHECKING:
    from ..data.result import Result

SUMMARY = "show how outputs came from their sources, and which edits readers liked"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(parser, "dimension")
    parser.add_argument("--per-output", action="store_true", help="show the edit of every output")
    add(parser, "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..corpus import JointEffects, OutputEdits, edits, effects, joint_or_separate

    data = read_input(args)
    dimensions = list(dict.fromkeys(args.dimension)) or list(data.dimensions)
    for name in dimensions:
        if name not in data.dimensions:
            raise UnknownName("dimension", name, data.dimensions)
    classified = edits(data)
    results: list[Result] = [classified]
    if args.per_output:
        results.append(OutputEdits(classified.edits))
    if dimensions:
        results.append(effects(classified, [data.human(name) for name in dimensions]))
        joint = [row for row in joint_or_separate(data, dimensions).dimensions if row.paragraphs]
        results += [JointEffects(tuple(joint))] if joint else []
    show(results, as_json=args.json, rows=args.rows)
    return 0
