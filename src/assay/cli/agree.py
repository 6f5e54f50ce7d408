"""Can I trust the judges? Agreement, severity and self-consistency of raters: people and LLM judges alike.

assay agree judged.jsonl
assay agree ratings.csv                          (judgments alone: item, system, rater, score)
assay agree judged.jsonl --dimension meaning --experts ann,bob
assay agree judged.jsonl --leave-out 1 --leave-out-by consistency -m rouge2
assay agree judged.jsonl --judge gpt --epsilon 0.1
assay agree valid.tsv --leave-out-editors 0.1 --out cleaned.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._groups import answer_all
from ._input import add_unit_scores, judgment_options, say_recognized, state_scales
from ._options import add, add_dimension
from ._output import csv_options
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.result import Result
    from ..data.scores import Scores

SUMMARY = "measure agreement, severity and self-consistency of raters"
_MEASURES = ("interval", "ordinal", "nominal", "ratio")
_ORDERS = ("rest", "consistency", "severity", "mean")


def arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "file", "input_format", "columns", "cluster", "run", "judgments")
    add_dimension(parser)
    add(parser, "raters")
    parser.add_argument(
        "--measure",
        choices=_MEASURES,
        default="interval",
        help="level of measurement of the ratings, for Krippendorff's alpha (default: interval)",
    )
    parser.add_argument("--experts", metavar="NAME,NAME", help="compare these raters with all others")
    parser.add_argument("--judge", metavar="NAME", help="test whether this rater, an LLM, can replace a human rater")
    parser.add_argument(
        "--epsilon",
        type=numbers.share,
        default=0.2,
        metavar="E",
        help="advantage given to the judge, for --judge: 0.2 against experts, 0.15 trained raters, 0.1 crowd "
        "workers (default: 0.2)",
    )
    parser.add_argument(
        "--leave-out", type=numbers.words, metavar="N", help="see what changes without the N worst raters"
    )
    parser.add_argument(
        "--leave-out-share", type=numbers.level, metavar="S", help="see what changes without this share of the raters"
    )
    parser.add_argument(
        "--leave-out-editors",
        type=numbers.level,
        metavar="S",
        help="see what changes without this share of the editors (systems), those with the lowest-rated outputs",
    )
    add(parser, "out", "escape_formulas", out={"detail": "the set without these editors, for --leave-out-editors"})
    parser.add_argument(
        "--leave-out-by",
        choices=_ORDERS,
        default="rest",
        help="order of the raters, for --leave-out: correlation with the rest, self-consistency, distance from the "
        "others, or mean rating (default: rest)",
    )
    add(parser, "metric", metric={"detail": "with --leave-out, its correlation before and after"})
    add(parser, "difference", difference={"detail": "prints how many more items it takes"})
    add(parser, "by", "rows", "resamples", "seed", "json", resamples={"type": numbers.resamples_or_none})


def run(args: argparse.Namespace) -> int:
    leave_out = args.leave_out is not None or args.leave_out_share is not None
    if args.metric and not leave_out:
        raise InputError("-m needs --leave-out: it shows the metric's correlation with and without the worst raters")
    if args.out and args.leave_out_editors is None:
        raise InputError("--out needs --leave-out-editors: it writes the set without the worst editors")
    data = _read(args)
    data = _choose_raters(args, state_scales(args, add_unit_scores(args, data)))
    if not data.dimensions:
        raise InputError(f"{args.file or args.judgments} has no judgments{_explain_kinds(args, data)}")
    show(list(_results(args, data, leave_out)), as_json=args.json, rows=args.rows)
    return 0


def _read(args: argparse.Namespace) -> EvalSet:
    """Read the set, or a file that holds judgments alone."""
    from ..errors import NoOutputs
    from ..formats import read_judged, stream

    options = judgment_options(args)
    file = args.file or options.pop("judgments", None)
    if file is None:
        raise InputError("no input: give an evaluation set with judgments")
    try:
        # Texts are not looked at, so that markup in them is no matter for a warning.
        chunks = stream(file, format=args.format, allow_missing=True, strip_tags=True, **options)
        data = chunks.read()
    except NoOutputs:
        if "judgments" in options or args.metric:  # these need outputs
            raise
        data = read_judged(file, format=args.format, columns=options.get("columns"))
    say_recognized(args, data.reading.line(), len(data), len(data.systems))
    return data


def _choose_raters(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the raters of --raters only; the judge is not a person, whatever the file says."""
    if args.judge in data.raters:
        data = data.with_kinds({args.judge: "llm"})
    names = [name.strip() for name in (args.raters or "").split(",") if name.strip()]
    return data.keep_raters(names) if names else data


def _explain_kinds(args: argparse.Namespace, data: EvalSet) -> str:
    """Say who did judge, where no one of the kind that was asked did."""
    if not data.assessors:
        return ""
    others = ", ".join(f"{name} ({kind})" for name, kind in data.assessors[:3])
    kind = data.assessors[0].kind
    return f" by assessors of kind {args.kind}, only by {others}: count them with --kind {kind}"


def _results(args: argparse.Namespace, data: EvalSet, leave_out: bool) -> Iterator[Result]:
    from ..raters import rater_panel

    options = {"measure": args.measure, "interval": args.resamples > 0}
    dimensions = list(dict.fromkeys(args.dimension)) or list(data.dimensions)
    for name in dimensions:
        data.check_dimension(name)
    rankings = [d for d in dimensions if (scale := data.scale(d)).kind != "rating" and scale.best is not None]
    ratings = [d for d in dimensions if d not in rankings]
    questions = [partial(_agree_on_order, args, data, dimension) for dimension in rankings]
    if ratings:
        questions.insert(0, partial(_agree, data, ratings, {**options, "seed": args.seed}))
    yield from answer_all(args, data, questions)
    scores = _score_metrics(args, data)
    for dimension in ratings:
        yield rater_panel(data, dimension, difference=args.difference, **options)
        yield from _tests(args, data, dimension, scores if leave_out else None)
    if args.leave_out_editors is not None:
        yield _leave_out_editors(args, data, ratings)


def _leave_out_editors(args: argparse.Namespace, data: EvalSet, dimensions: Sequence[str]) -> Result:
    from ..formats import write
    from ..raters import drop_editors, without_editors

    result = drop_editors(data, dimensions, share=args.leave_out_editors)
    if args.out:
        write(without_editors(data, result.editors), args.out, **csv_options(args))
    return result


def _agree(data: EvalSet, dimensions: list[str], options: dict[str, Any], items: Sequence[str] | None) -> Result:
    from ..errors import ignore_undefined
    from ..raters import agreement_table

    part = data if items is None else data.select(items)
    with ignore_undefined():  # the view says why
        return agreement_table(part, [d for d in dimensions if items is None or d in part.dimensions], **options)


def _agree_on_order(args: argparse.Namespace, data: EvalSet, dimension: str, items: Sequence[str] | None) -> Result:
    from ..raters import ranking_agreement

    rankings = data.rankings(dimension)
    part = rankings if items is None else rankings.of_items(items)
    return ranking_agreement(part, resamples=args.resamples, seed=args.seed)


def _tests(
    args: argparse.Namespace, data: EvalSet, dimension: str, scores: Sequence[Scores] | None
) -> Iterator[Result]:
    from ..raters import alt_test, drop_raters, experts

    if args.experts:
        names = [name.strip() for name in args.experts.split(",") if name.strip()]
        yield experts(data, dimension, experts=names, seed=args.seed)
    if scores is not None:
        systems = [s for s in data.systems if s not in set(data.people)]
        yield drop_raters(
            data,
            dimension,
            worst=args.leave_out,
            share=args.leave_out_share,
            by=args.leave_out_by,
            metrics=scores,
            systems=systems if len(systems) > 2 else None,
        )
    if args.judge:
        yield alt_test(data, dimension, judge=args.judge, epsilon=args.epsilon, unit="items", seed=args.seed)


def _score_metrics(args: argparse.Namespace, data: EvalSet) -> list[Scores]:
    from ._scores import score_metrics

    return list(score_metrics(data, list(dict.fromkeys(args.metric))).values()) if args.metric else []
