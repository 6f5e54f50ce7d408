"""Compare systems: ranking with confidence intervals, significance tests, and groups that do not differ.

assay compare set.jsonl -m rouge2
assay compare set.jsonl -m rouge2 --baseline A --test permutation
assay compare --scores scores.parquet          (written by assay score --per-item --out scores.parquet)
assay compare judged.jsonl --dimension adequacy
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..errors import InputError
from ..views._format import shorten_names
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._scores import collect_scores
from ._show import show

SUMMARY = "rank systems, with confidence intervals and significance tests"
_DEFAULT = ("rouge2",)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(
        parser,
        *("metric", "scores", "threads", "dimension"),
        metric={"shown": _DEFAULT},
        dimension={"detail": "compare by its human judgments", "shown": ""},
    )
    add(parser, "baseline", baseline={"detail": "a system", "shown": "the best system"})
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="compare only these systems (default: all)"
    )
    parser.add_argument(
        "--test",
        choices=("bootstrap", "randomization", "wilcoxon", "t", "permutation"),
        help="significance test, paired by item (default: bootstrap for corpus scores, wilcoxon for means)",
    )
    parser.add_argument(
        "--alpha", type=numbers.level, default=0.05, metavar="A", help="significance level (default: 0.05)"
    )
    parser.add_argument(
        "--notice",
        type=numbers.real_number(0),
        metavar="X",
        help="difference that people notice, from `assay meta --question noticeable`; smaller ones are marked",
    )
    add(parser, "people", "resamples", "seed", "json", people={"default": "include"})


def run(args: argparse.Namespace) -> int:
    from ..comparison.compare import compare

    data = read_input(args) if args.file or args.outputs or not args.scores else None
    scores = collect_scores(args, data, () if args.dimension else _DEFAULT)
    for dimension in args.dimension:
        if data is None:
            raise InputError("--dimension needs an evaluation set with judgments; give a file")
        scores[dimension] = data.human(dimension)
    people = data.people if data is not None and args.people == "exclude" else ()
    results = [
        compare(
            replace(own, name=name),
            args.baseline,
            test=args.test,
            alpha=args.alpha,
            resamples=args.resamples,
            seed=args.seed,
            notice=args.notice,
            systems=args.only or None,
            without=people,
        )
        for name, own in zip(shorten_names(list(scores)), scores.values(), strict=True)
    ]
    show(results, as_json=args.json)
    return 0
