"""Probe a metric outside the range of real systems: search for extracts that it scores high.

assay probe summeval.jsonl -m rouge1
assay probe summeval.jsonl -m rouge2 --against ./scorer --against bleu --words 60
assay probe judged.jsonl -m ./scorer --pool outputs --out extracts.jsonl

A genetic search (Peyrard et al. 2017, section 4.4) makes extracts of the source's sentences with the metric as its
fitness. The table shows whether other metrics agree with it on extracts that score as systems do and on those that
score higher; the example shows what a system would write that does nothing but please the metric. --out writes ten
extracts of each item, evenly spaced by the metric, for people to judge.
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._output import csv_options
from ._progress import make_follower
from ._show import show

SUMMARY = "search for texts that please a metric but no one else"
_OTHERS = ("rouge1", "rouge2", "rougeL", "js1")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(parser, "metric", metric={"required": True, "once": True, "detail": "the one to probe"})
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="METRIC",
        help=f"other metric to compare with; repeat for more (default: {', '.join(_OTHERS)})",
    )
    parser.add_argument(
        "--items", type=numbers.words, default=10, metavar="N", help="items to probe, evenly spaced (default: 10)"
    )
    add(parser, "words", words={"shown": "the median of the item's outputs"})
    parser.add_argument(
        "--pool",
        choices=("sources", "outputs"),
        default="sources",
        help="texts from which the extracts take sentences (default: sources)",
    )
    parser.add_argument(
        "--population",
        type=numbers.whole_number(4, 100_000),
        default=100,
        metavar="N",
        help="extracts in a generation (default: 100)",
    )
    parser.add_argument(
        "--generations",
        type=numbers.whole_number(1, 100_000),
        default=50,
        metavar="N",
        help="most generations of the search (default: 50)",
    )
    parser.add_argument(
        "--extracts",
        type=numbers.words,
        default=10,
        metavar="N",
        help="extracts of each item that --out writes (default: 10)",
    )
    add(parser, "out", "escape_formulas", "seed", "json", out={"detail": "an evaluation set of extracts to be judged"})


def run(args: argparse.Namespace) -> int:
    from ..meta.probe import extracts_to_judge, probe

    if len(args.metric) > 1:
        raise InputError(f"one metric is probed at a time; got {', '.join(args.metric)} (--against takes others)")
    (metric,) = args.metric
    others = list(dict.fromkeys(args.against)) or [m for m in _OTHERS if m != metric.strip()]
    if metric in others:
        raise InputError(f"{metric} is the metric to probe; --against takes other metrics")
    data = read_input(args)
    result = probe(
        data,
        metric,
        others,
        items=args.items,
        words=args.words,
        pool=args.pool,
        population=args.population,
        generations=args.generations,
        extracts=args.extracts,
        seed=args.seed,
        follow=make_follower(args.quiet, "items"),
    )
    if args.out:
        from ..formats import write

        write(extracts_to_judge(result, data), args.out, **csv_options(args))
    show([result], as_json=args.json)
    return 0
