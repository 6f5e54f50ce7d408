"""After the study: did the assumptions of the plan hold?

assay plan check judged.jsonl --plan plan.json
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add, add_dimension
from ._plan_input import read_judged, read_plan
from ._show import show

SUMMARY = "compare a judged set with its plan"


def arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "file", "input_format", "columns", "cluster", "run", "judgments")
    add_dimension(parser, shown="that of the plan")
    parser.add_argument("--plan", required=True, metavar="FILE", help="plan that assay plan --out wrote")
    add(parser, "seed", "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..planning.check import check_plan

    if len(args.dimension) > 1:
        raise InputError("a plan is for one dimension: give -d once")
    if args.file is None:
        raise InputError("no input: give the set that was judged")
    plan = read_plan(args.plan)
    dimension = args.dimension[0] if args.dimension else None
    show([check_plan(read_judged(args), plan, dimension, seed=args.seed)], as_json=args.json, rows=args.rows)
    return 0
