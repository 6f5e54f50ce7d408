"""Find paraphrases in the set itself: which words and phrases are equivalent, and what that changes in a score.

assay paraphrase set.jsonl
assay paraphrase set.jsonl --out expanded.jsonl
assay paraphrase set.jsonl --explain -m bleu -m "rouge2(refs=max)"
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._output import csv_options
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..systems.paraphrase import ParaphraseEffects, Paraphrases

SUMMARY = "find equivalent words in sources and references, and add references with them"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(
        parser,
        *("out", "escape_formulas", "metric"),
        out={"detail": "the set with paraphrased references"},
        metric={"detail": "for --explain"},
    )
    parser.add_argument(
        "--how",
        choices=("one", "lattice", "best"),
        default="one",
        help="new references: one replacement in each, all in one lattice, or the nearest to the output (default: one)",
    )
    parser.add_argument(
        "--for", dest="of", metavar="NAME", help="system to make references for, with --how best and --out"
    )
    parser.add_argument("--explain", action="store_true", help="show which replacements change a score (needs -m)")
    add(parser, "min_count", min_count={"default": 2, "detail": "of a pair"})
    parser.add_argument(
        "--threshold",
        type=numbers.share,
        default=0.05,
        metavar="P",
        help="least probability in both directions, p(e|f) and p(f|e) (default: 0.05)",
    )
    parser.add_argument(
        "--longest",
        type=numbers.whole_number(1, 100),
        default=4,
        metavar="N",
        help="most words in a phrase (default: 4)",
    )
    parser.add_argument(
        "--aligner",
        choices=("hmm", "model1", "eflomal"),
        default="hmm",
        help="word aligner; eflomal must be installed (default: hmm)",
    )
    parser.add_argument(
        "--most",
        type=numbers.whole_number(1, 1_000_000),
        default=100,
        metavar="N",
        help="most new references for each reference (default: 100)",
    )
    add(parser, "rows", "json")


def run(args: argparse.Namespace) -> int:
    from ..formats import write
    from ..systems.paraphrase import expand, paraphrases

    if args.explain != bool(args.metric):
        raise InputError("--explain shows what changes a metric's score: give both --explain and -m, as -m bleu")
    data = read_input(args)
    pairs = paraphrases(
        data, least=args.min_count, threshold=args.threshold, longest=args.longest, aligner=args.aligner
    )
    effects = [_explain(data, pairs, name, args) for name in dict.fromkeys(args.metric)]
    if args.out:
        write(expand(data, pairs, how=args.how, system=args.of, most=args.most), args.out, **csv_options(args))
    show([pairs, *effects], as_json=args.json, rows=args.rows)
    return 0


def _explain(data: EvalSet, pairs: Paraphrases, name: str, args: argparse.Namespace) -> ParaphraseEffects:
    from ..scoring.score import score
    from ..systems.paraphrase import explain_scores

    return explain_scores(data, pairs, lambda part: score(part, name), name, how=args.how, most=args.most)
