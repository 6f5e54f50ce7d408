"""Compare systems by few labels of people and many scores of a judge: `assay compare --assist JUDGE`."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from ..errors import InputError
from ._groups import Question, answer_all
from ._options import add
from ._show import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..data.evalset import EvalSet
    from ..data.result import Result


def add_assistance(parser: argparse.ArgumentParser) -> None:
    """Add the options of --assist."""
    parser.add_argument(
        "--assist",
        metavar="JUDGE",
        help="with --dimension: judge (an LLM or metric among the raters) that scored all items and assists the labels "
        "of people on some",
    )
    add(parser, "labelled", labelled={"detail": "for --assist", "shown": "as `assay judge draw` wrote, else tested"})
    parser.add_argument(
        "--calibrate",
        choices=("isotonic", "ordinal"),
        help="for --assist: bring the judge's scores onto people's scale first, with a check on held-out items",
    )


def run_assisted(args: argparse.Namespace, data: EvalSet | None) -> int:
    """Print the rankings from people, from the judge and from both."""
    if data is None or not args.dimension:
        raise InputError("--assist needs an evaluation set with judgments and --dimension")
    if args.baseline or args.test or args.notice is not None or args.fail_if or args.metric or args.scores:
        raise InputError(
            "--assist has a test of its own; leave --baseline, --test, --notice, --fail-if and metrics out"
        )
    questions: list[Question] = [partial(_compare, args, data, d) for d in dict.fromkeys(args.dimension)]
    show(answer_all(args, data, questions), as_json=args.json)
    return 0


def _compare(args: argparse.Namespace, data: EvalSet, dimension: str, items: Sequence[str] | None) -> Result:
    from ..comparison.assisted import compare_assisted

    return compare_assisted(
        data if items is None else data.select(items),
        dimension,
        args.assist,
        design=args.labelled,
        calibrate=args.calibrate,
        systems=args.only or None,
        alpha=args.alpha,
        resamples=args.resamples,
        seed=args.seed,
    )
