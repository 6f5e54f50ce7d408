"""Compare everybody who judged: people, LLM judges, panels of them and metrics, under the same statistics.

assay judge table set.jsonl -d coherence
assay judge table set.jsonl --judgments llm.jsonl --raters "expert*" -d coherence -m rouge2
assay judge table set.jsonl -d coherence --llm "gpt*" --family "gpt*=openai" --family M22=openai
assay judge table set.jsonl -d coherence --epsilon 0.1 --order-share 0.95
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_dimension, add_input
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.result import Result
    from ..raters.judge_verdict import Limits

SUMMARY = "compare people, LLM judges and metrics as assessors"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add_dimension(parser)
    add(parser, "raters", "metric", "scores", "threads", metric={"detail": "as one more assessor"})
    parser.add_argument(
        "--family",
        action="append",
        default=[],
        metavar="NAME=FAMILY",
        help="family of a judge or a system, for self-preference; * matches any characters; repeat for more",
    )
    parser.add_argument(
        "--epsilon",
        type=numbers.share,
        default=0.2,
        metavar="E",
        help="advantage given to a judge in the alt-test: 0.2 against experts, 0.15 trained raters, 0.1 crowd "
        "workers (default: 0.2)",
    )
    parser.add_argument(
        "--alt-test",
        choices=("t", "wilcoxon"),
        default="t",
        help="test of the alt-test: t for 30 items or more, wilcoxon for 10 to 29 (default: t)",
    )
    parser.add_argument(
        "--order-share",
        type=numbers.level,
        default=0.9,
        metavar="S",
        help="share of the pairs that people separate, to be put in order by a judge that ranks systems (default: 0.9)",
    )
    parser.add_argument(
        "--order-bound",
        type=numbers.level,
        default=0.75,
        metavar="S",
        help="lower bound that this share must exceed (default: 0.75)",
    )
    parser.add_argument(
        "--order-pairs",
        type=numbers.words,
        default=6,
        metavar="N",
        help="fewest pairs that people must separate (default: 6)",
    )
    parser.add_argument(
        "--alpha", type=numbers.level, default=0.05, metavar="A", help="significance level of a pair (default: 0.05)"
    )
    add(parser, "rows", "resamples", "seed", "json")


def run(args: argparse.Namespace) -> int:
    from ..raters.judge_table import judge_table
    from ..raters.position import position_table
    from ._scores import collect_scores

    data = read_input(args)
    names = [name.strip() for name in (args.raters or "").split(",") if name.strip()]
    data = data.keep_raters(names) if names else data
    metrics = list(collect_scores(args, data).values())
    if not metrics and all(kind == "human" for _, kind in data.assessors):
        raise InputError('no rater is an LLM: say which with --llm "gpt*", or with "kind": "llm" in the file')
    families, limits = _read_families(args, data), _read_limits(args)
    options = {"resamples": args.resamples, "seed": args.seed}
    results: list[Result] = []
    for dimension in dict.fromkeys(args.dimension or [*data.dimensions, *_find_pairs(data)]):
        if dimension in data.scales and data.scales[dimension].kind == "pairs":
            results.append(position_table(data, dimension))
        else:
            results.append(judge_table(data, dimension, metrics=metrics, families=families, limits=limits, **options))
    show(results, as_json=args.json, rows=args.rows)
    return 0


def _find_pairs(data: EvalSet) -> list[str]:
    """Return the dimensions on which pairs were judged, perhaps by LLMs alone."""
    return [d for d in data.judged_dimensions if d in data.scales and data.scales[d].kind == "pairs"]


def _read_limits(args: argparse.Namespace) -> Limits:
    from ..raters.judge_verdict import Limits

    return Limits(args.epsilon, args.order_share, args.order_bound, args.order_pairs, args.alpha, args.alt_test)


def _read_families(args: argparse.Namespace, data: EvalSet) -> dict[str, str]:
    """Return the family of each judge and system that --family names."""
    from ..data.assessor import match_raters

    families: dict[str, str] = {}
    names = [*(name for name, _ in data.assessors), *data.systems]
    for text in args.family:
        pattern, equals, family = text.partition("=")
        if not equals or not pattern or not family:
            raise InputError(f"--family takes NAME=FAMILY; got {text!r}")
        families |= dict.fromkeys(match_raters([pattern], names), family)
    return families
