"""Compare LLM judges with people: can a judge replace a human rater?

assay judge table set.jsonl -d coherence
assay judge table set.jsonl --judgments llm.jsonl --raters "expert*" -d coherence
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_dimension, add_input
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.result import Result

SUMMARY = "compare LLM judges and metrics with people"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add_dimension(parser)
    add(parser, "raters")
    parser.add_argument(
        "--epsilon",
        type=numbers.share,
        default=0.2,
        metavar="E",
        help="advantage given to a judge in the alt-test: 0.2 against experts, 0.15 trained raters, 0.1 crowd "
        "workers (default: 0.2)",
    )
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    data = read_input(args)
    names = [name.strip() for name in (args.raters or "").split(",") if name.strip()]
    data = data.keep_raters(names) if names else data
    show(list(_results(args, data)), as_json=args.json)
    return 0


def _results(args: argparse.Namespace, data: EvalSet) -> Iterator[Result]:
    from ..raters import alt_test

    judges = [name for name, kind in data.assessors if kind == "llm"]
    if not judges:
        raise InputError('no rater is an LLM: say which with --llm "gpt*", or with "kind": "llm" in the file')
    for dimension in dict.fromkeys(args.dimension or data.dimensions):
        for judge in judges:
            yield alt_test(data, dimension, judge=judge, epsilon=args.epsilon, unit="items")
