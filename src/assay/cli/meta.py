"""May I believe the score? Metrics on trial against human judgments.

assay meta judged.jsonl -m rouge2 -m bleu --human adequacy
assay meta judged.jsonl -m rouge2 -m rouge1 --question agree --reference rouge1
assay meta judged.jsonl --scores scores.parquet --question all --json

Questions: correlate (with people, at a level), dominate (which metric is best on single items), agree (would people
have said the same of two systems, and from what difference on), stability (how many items and references it takes),
modern (pairwise and soft accuracy, ties, ranks, blind metrics), leak (outputs that are their own reference).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib import import_module

from ..errors import InputError, UnknownName
from ..views._format import shorten_names
from . import _numbers as numbers
from ._answer import Answer, show
from ._input import read_input
from ._options import add, add_input
from ._scores import collect_scores
from ._trial import Trial

SUMMARY = "put metrics on trial against human judgments"
QUESTIONS = ("correlate", "dominate", "agree", "stability", "modern", "leak")
_DEFAULT = ("rouge1", "rouge2", "rougeL", "bleu")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(parser, "metric", "scores", "threads")
    parser.add_argument("--human", action="append", default=[], metavar="D", help="a judged dimension (default: all)")
    parser.add_argument(
        "--question", action="append", choices=(*QUESTIONS, "all"), help="what to ask; repeat for more (correlate)"
    )
    parser.add_argument(
        "--level", choices=("system", "item", "summary", "per-system", "pooled"), help="of the correlation (system)"
    )
    parser.add_argument(
        "--method", choices=("pearson", "spearman", "kendall", "ndcg"), default="pearson", help="coefficient (pearson)"
    )
    parser.add_argument(
        "--people", choices=("exclude", "include"), default="exclude", help="people among the systems (exclude)"
    )
    parser.add_argument("--reference", metavar="M", help="for agree: the metric the others are held against")
    parser.add_argument(
        "--share", type=numbers.level, default=0.95, metavar="S", help="for agree: how often people agree (0.95)"
    )
    parser.add_argument(
        "--tolerance", type=numbers.real_number(0), default=0.01, metavar="T", help="for stability (0.01)"
    )
    parser.add_argument(
        "--resamples", type=numbers.resamples, default=1000, metavar="N", help="bootstrap samples and draws (1000)"
    )
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="of everything drawn at random (0)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    data = read_input(args)
    dimensions = args.human or list(data.dimensions)
    if not dimensions:
        raise InputError("the set has no human judgments, and a metric is tried against people")
    for dimension in dimensions:
        if dimension not in data.dimensions:
            raise UnknownName("dimension", dimension, data.dimensions, hint=f"(judged: {', '.join(data.dimensions)})")
    found = collect_scores(args, data, _DEFAULT)
    names = shorten_names(list(found))
    metrics = {name: replace(scores, name=name) for name, scores in zip(names, found.values(), strict=True)}
    typed = dict(zip(names, found, strict=True))
    if args.reference is not None:
        args.reference = _named(args.reference, typed)
    asked = list(QUESTIONS) if "all" in (args.question or ()) else args.question or ["correlate"]
    answers: list[Answer] = []
    for dimension in dimensions:
        trial = Trial(data, metrics, typed, data.human(dimension), args)
        answers += [_asked(question, trial) for question in dict.fromkeys(asked)]
    show(answers, as_json=args.json)
    return 0


def _asked(question: str, trial: Trial) -> Answer:
    answer: Answer = import_module(f"._meta_{question}", __package__).answer(trial)
    return answer


def _named(reference: str, typed: dict[str, str]) -> str:
    for name, full in typed.items():
        if reference in (name, full):
            return name
    raise UnknownName("reference metric", reference, typed, hint=f"(it must be one of those tried: {', '.join(typed)})")
