"""May I believe the judges? Agreement, severity and self-consistency of raters, people and LLM judges alike.

assay agree judged.jsonl
assay agree judged.jsonl --dimension meaning --experts ann,bob
assay agree judged.jsonl --drop 1 --by consistency -m rouge2
assay agree judged.jsonl --judge gpt --epsilon 0.1
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.scores import Scores

SUMMARY = "whether the raters agree, whom to leave out, how many are needed"
_MEASURES = ("interval", "ordinal", "nominal", "ratio")
_RANKED = ("rest", "consistency", "severity", "mean")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="an evaluation set with judgments: .jsonl, .csv, .tsv, .parquet, a folder, or -")
    parser.add_argument("--format", metavar="F", help="the format of FILE, where its name does not tell")
    parser.add_argument("--judgments", metavar="FILE", help="a table of judgments, where FILE is a table of outputs")
    parser.add_argument(
        "-d", "--dimension", action="append", default=[], metavar="D", help="what was judged; repeat for more (all)"
    )
    parser.add_argument("--measure", choices=_MEASURES, default="interval", help="alpha's level of measurement")
    parser.add_argument("--experts", metavar="R,R", help="compare these raters with all others")
    parser.add_argument("--judge", metavar="R", help="test whether this rater, an LLM, may stand in for a human")
    parser.add_argument(
        "--epsilon", type=numbers.share, default=0.2, metavar="E", help="for --judge: .2 experts, .1 crowd (.2)"
    )
    parser.add_argument("--drop", type=numbers.words, metavar="N", help="leave out the N worst raters and look again")
    parser.add_argument(
        "--drop-share", type=numbers.level, metavar="S", help="leave out this share of the raters (0.1)"
    )
    parser.add_argument(
        "--by", choices=_RANKED, default="rest", help="what makes a rater bad (rest: agreement with it)"
    )
    parser.add_argument(
        "-m", "--metric", action="append", default=[], metavar="M", help="its correlation before and after --drop"
    )
    parser.add_argument(
        "--difference",
        type=numbers.real_number(0, above=True),
        metavar="X",
        help="how many more items find such a difference",
    )
    parser.add_argument("--raters", type=numbers.rows, default=20, metavar="N", help="rows in the table of raters (20)")
    parser.add_argument(
        "--resamples", type=numbers.resamples_or_none, default=1000, metavar="N", help="bootstrap samples (1000)"
    )
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="of bootstrap and simulation (0)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..formats import read

    dropping = args.drop is not None or args.drop_share is not None
    if args.metric and not dropping:
        raise InputError("-m shows a metric's correlation before and after raters are left out: add --drop 1")
    options = {"judgments": args.judgments} if args.judgments else {}
    data = read(args.file, format=args.format, allow_missing=True, **options)
    if not data.dimensions:
        raise InputError(f"{args.file} holds no judgments, so there are no raters to ask about")
    show(list(_answers(args, data, dropping)), as_json=args.json)
    return 0


def _answers(args: argparse.Namespace, data: EvalSet, dropping: bool) -> Iterator[Answer]:
    from ..raters import agreement
    from ..raters._input import quietly
    from ._raters import dimensions_answer

    names = list(dict.fromkeys(args.dimension)) or list(data.dimensions)
    with quietly():  # the sentence says why
        found = [agreement(data, d, measure=args.measure, resamples=args.resamples, seed=args.seed) for d in names]
    yield dimensions_answer(found)
    scores = _scores(args, data)
    for result in found:
        yield _raters(args, data, result.dimension)
        yield from _asked(args, data, result.dimension, scores, dropping)


def _raters(args: argparse.Namespace, data: EvalSet, dimension: str) -> Answer:
    from ..raters import consistency, needed, positional, rater_pairs, severity
    from ..raters._input import quietly
    from ._raters import places_answer, raters_answer

    ratings = data.ratings(dimension)
    with quietly():  # a dash in the table
        design = needed(ratings)
        if positional(ratings):
            return places_answer(ratings, design, args.difference)
        twice = consistency(data, dimension, measure=args.measure, resamples=args.resamples, seed=args.seed)
        beside = severity(ratings)
    return raters_answer(beside, twice, design, rater_pairs(ratings), rows=args.raters, difference=args.difference)


def _asked(
    args: argparse.Namespace, data: EvalSet, dimension: str, scores: Sequence[Scores], dropping: bool
) -> Iterator[Answer]:
    from ..raters import alternative, drop, experts
    from ._raters import alternative_answer, drop_answer, experts_answer

    if args.experts:
        names = [name.strip() for name in args.experts.split(",") if name.strip()]
        yield experts_answer(experts(data, dimension, experts=names, seed=args.seed))
    if dropping:
        systems = [s for s in data.systems if s not in set(data.people)]
        yield drop_answer(
            drop(data, dimension, worst=args.drop, share=args.drop_share, by=args.by, metrics=scores,
                 systems=systems if len(systems) > 2 else None)
        )  # fmt: skip
    if args.judge:
        yield alternative_answer(alternative(data, dimension, judge=args.judge, epsilon=args.epsilon))


def _scores(args: argparse.Namespace, data: EvalSet) -> list[Scores]:
    from ._scores import score_metrics

    return list(score_metrics(data, list(dict.fromkeys(args.metric))).values()) if args.metric else []
