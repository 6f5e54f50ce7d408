"""Compare systems: ranking with confidence intervals, significance tests, and bands that do not differ.

assay compare set.jsonl -m rouge2
assay compare set.jsonl -m rouge2 --baseline A --test permutation
assay compare --scores scores.parquet          (written by assay score --per-item --out scores.parquet)
assay compare judged.jsonl --dimension adequacy --by group
assay compare judged.jsonl --ranking rank
assay compare judged.jsonl --dimension adequacy --assist gpt-4o     (few labels of people, many of a judge)
assay compare new.jsonl -m bleu --baseline old --fail-if worse --margin 0.5     (exit code 1 if it is)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..errors import InputError
from ..views import shorten_names
from . import _numbers as numbers
from ._compare_assisted import add_assistance, run_assisted
from ._groups import Question, answer_all
from ._input import read_input
from ._options import add, add_dimension, add_input
from ._resamples import add_resampling_engine, spread_resamples
from ._scores import collect_scores
from ._show import show

if TYPE_CHECKING:
    from ..comparison.compare import Comparison
    from ..comparison.gate import Gate
    from ..data.evalset import EvalSet
    from ..data.rankings import Rankings
    from ..data.result import Result
    from ..data.scores import Scores

SUMMARY = "rank systems, with confidence intervals and significance tests"
_DEFAULT = ("rouge2",)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add(
        parser,
        *("metric", "scores", "threads"),
        metric={"shown": _DEFAULT},
    )
    add_dimension(parser, detail="compare by its human judgments", shown="")
    add(parser, "baseline", baseline={"detail": "a system", "shown": "the best system"})
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="compare only these systems (default: all)"
    )
    parser.add_argument(
        "--test",
        choices=("bootstrap", "randomization", "wilcoxon", "t", "permutation", "satterthwaite"),
        help="test differences by this test, without intervals for them (default: the test that fits the design, with "
        "simultaneous intervals; satterthwaite for ratings by three raters or more)",
    )
    add(parser, "these_raters")
    parser.add_argument(
        "--alpha", type=numbers.level, default=0.05, metavar="A", help="significance level (default: 0.05)"
    )
    parser.add_argument(
        "--notice",
        type=numbers.real_number(0),
        metavar="X",
        help="difference that people notice, from `assay meta --question noticeable`; smaller ones are marked",
    )
    parser.add_argument(
        "--fail-if",
        choices=("worse", "not-better"),
        help="exit with code 1 if a system is significantly worse than the baseline, or not significantly better",
    )
    add(parser, "margin", margin={"detail": "with --fail-if: worse (better) means by more than this", "shown": 0})
    add_assistance(parser)
    add(parser, "by", "people", "resamples", "seed", "json", people={"default": "include"})
    add_resampling_engine(parser)


def run(args: argparse.Namespace) -> int:
    margin = _read_margin(args)
    data = read_input(args) if args.file or args.outputs or not args.scores else None
    if data is not None:
        data = data.skip_repeats()
    if args.assist:
        return run_assisted(args, data)
    scores = collect_scores(args, data, () if args.dimension or args.ranking else _DEFAULT)
    to_compare = [
        replace(own, name=name) for name, own in zip(shorten_names(list(scores)), scores.values(), strict=True)
    ]
    questions: list[Question] = [partial(_compare, args, data, own) for own in to_compare]
    for dimension in dict.fromkeys([*args.dimension, *args.ranking]):
        if data is None:
            raise InputError("--dimension needs an evaluation set with judgments; give a file")
        ranking = data.scale(dimension)
        if ranking.kind != "rating" and ranking.best is not None:
            questions.append(partial(_compare_rankings, args, data, data.rankings(dimension)))
        else:
            to_compare.append(data.human(dimension))
            questions.append(partial(_compare, args, data, to_compare[-1]))
    with spread_resamples(args):
        results = answer_all(args, data, questions)
        gates = [] if margin is None else _check_gates(args, data, results, to_compare, margin)
    show([*results, *gates], as_json=args.json)
    return int(any(gate.failed for gate in gates))


def _read_margin(args: argparse.Namespace) -> float | None:
    """Return what a system may differ by before --fail-if counts it, or None if nothing is to fail."""
    if args.fail_if is None:
        if args.margin is not None:
            raise InputError("--margin goes with --fail-if; for a difference that people notice there is --notice")
        return None
    if args.baseline is None:
        raise InputError("--fail-if needs --baseline: the system that the others are held to")
    if args.by == "group" or args.ranking:
        raise InputError("--fail-if answers by scores over all items; leave --by group and --ranking out")
    return float(args.margin or 0)


def _check_gates(
    args: argparse.Namespace,
    data: EvalSet | None,
    results: Sequence[Result],
    to_compare: Sequence[Scores],
    margin: float,
) -> list[Gate]:
    """Decide by each metric and dimension; a system gets the margin for free where being worse fails it."""
    from ..comparison.compare import Comparison
    from ..comparison.gate import add_margin, check_gate

    gates = []
    for result, scores in zip(results, to_compare, strict=True):
        if not isinstance(result, Comparison):
            raise InputError("--fail-if needs scores, and the dimension is a ranking")
        bonus = margin if args.fail_if == "worse" else -margin
        shifted = _compare(args, data, add_margin(scores, args.baseline, bonus), None) if margin else None
        gates.append(check_gate(result, args.fail_if, margin=margin, shifted=shifted))
    return gates


def _compare(args: argparse.Namespace, data: EvalSet | None, scores: Scores, items: Sequence[str] | None) -> Comparison:
    from ..comparison.compare import compare

    return compare(
        scores if items is None else scores.select(items=[i for i in items if i in set(scores.items)]),
        args.baseline,
        test=args.test,
        alpha=args.alpha,
        resamples=args.resamples,
        seed=args.seed,
        notice=args.notice,
        systems=args.only or None,
        without=_people(args, data),
        raters="these" if args.these_raters and scores.ratings is not None else "new",
    )


def _compare_rankings(
    args: argparse.Namespace, data: EvalSet, rankings: Rankings, items: Sequence[str] | None
) -> Result:
    from ..comparison.rankings import compare_rankings

    if args.test is not None:
        raise InputError(f"{rankings.dimension} is a ranking, which has a test of its own; leave --test out")
    return compare_rankings(
        rankings if items is None else rankings.of_items(items),
        args.baseline,
        alpha=args.alpha,
        resamples=args.resamples,
        seed=args.seed,
        systems=args.only or None,
        without=_people(args, data),
    )


def _people(args: argparse.Namespace, data: EvalSet | None) -> tuple[str, ...]:
    return data.people if data is not None and args.people == "exclude" else ()
