"""Plan a study: how many items, raters and ratings it takes to find a difference, or what a budget finds.

assay plan pilot.jsonl -d coherence --difference 0.3
assay plan pilot.jsonl -d coherence --budget 2000 --system-count 4 --price 0.12
assay plan --like summeval-expert -d coherence --difference 0.5    (without a pilot)
assay plan pilot.jsonl -d coherence --components                   (what makes ratings differ)
assay plan --like summeval-expert -d coherence --difference 0.5 --simulate --item-count 100 --rater-count 12
assay plan pilot.jsonl -d coherence --difference 0.3 --out plan.json   (for assay study new --plan)
assay plan pilot.jsonl -d coherence --validate 0.6                 (judgments that validate a metric)
assay plan judged.jsonl -d coherence -m rouge2                     (items and references that a metric needs)
assay plan check judged.jsonl --plan plan.json                     (after the study: did the assumptions hold?)
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._options import add, add_dimension
from ._plan_input import read_judged
from ._show import show

if TYPE_CHECKING:
    from ..data.result import Result
    from ..planning.components import RatingComponents
    from ..planning.plan import PowerPlan

SUMMARY = "plan a study: how many items, raters and ratings it takes"
SUBCOMMANDS = {"check": "_plan_check"}


def arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "file", "input_format", "columns", "cluster", "run", "judgments")
    add_dimension(parser)
    parser.add_argument("--like", metavar="STUDY", help="study of the library to take the components from")
    parser.add_argument("--components", action="store_true", help="print what makes ratings differ, and stop")
    add(parser, "difference")
    parser.add_argument("--budget", type=numbers.words, metavar="N", help="number of judgments that can be paid")
    parser.add_argument("--power", type=numbers.level, default=0.8, metavar="P", help="power to reach (default: 0.8)")
    parser.add_argument("--system-count", type=numbers.words, default=2, metavar="N", help="systems (default: 2)")
    parser.add_argument(
        "--design",
        choices=("complete", "random", "latin-square"),
        default="complete",
        help="who sees what (default: complete)",
    )
    parser.add_argument("--price", type=numbers.real_number(0), metavar="X", help="price of a judgment")
    parser.add_argument("--seconds", type=numbers.real_number(0), metavar="S", help="seconds that a judgment takes")
    parser.add_argument(
        "--seconds-from",
        metavar="FOLDER",
        help="study with a log that tells how long a judgment takes (default: --seconds)",
    )
    parser.add_argument("--simulate", action="store_true", help="try the study many times")
    parser.add_argument("--item-count", type=numbers.words, metavar="N", help="simulate: items")
    parser.add_argument("--rater-count", type=numbers.words, metavar="N", help="simulate, --out: raters in all")
    parser.add_argument("--ratings-per-output", type=numbers.words, metavar="N", help="simulate: ratings of an output")
    parser.add_argument("--simulations", type=numbers.words, default=1000, metavar="N", help="runs (default: 1000)")
    parser.add_argument("--as-ranking", action="store_true", help="simulate: raters rank the outputs of an item")
    parser.add_argument(
        "--validate",
        type=numbers.share,
        metavar="R",
        help="expected correlation of a metric with what raters agree on: how many judgments tell it",
    )
    parser.add_argument(
        "--width", type=numbers.level, default=0.1, metavar="W", help="half of its interval (default: 0.1)"
    )
    add(parser, "metric", "threads", metric={"detail": "how many items and references it needs"})
    parser.add_argument("--as-preference", action="store_true", help="simulate: raters say which of two is better")
    add(parser, "these_raters", "out", out={"detail": "the first design, or that with --rater-count, as a plan"})
    add(parser, "seed", "rows", "json")


def run(args: argparse.Namespace) -> int:
    results = [_assess_metrics(args)] if args.metric else [_answer(args, _read_components(args))]
    show(results, as_json=args.json, rows=args.rows)
    return 0


def _read_components(args: argparse.Namespace) -> RatingComponents:
    from ..planning.components import estimate_components, read_study

    if len(args.dimension) > 1:
        raise InputError("a plan is for one dimension: give -d once")
    dimension = args.dimension[0] if args.dimension else None
    if (args.file is None) == (args.like is None):
        raise InputError("give a pilot, or --like STUDY to plan without one")
    if args.like is not None:
        return read_study(args.like, dimension)
    return estimate_components(read_judged(args), dimension, seed=args.seed)


def _answer(args: argparse.Namespace, components: RatingComponents) -> Result:
    if args.out and (args.components or args.simulate or args.validate is not None):
        raise InputError("--out writes a plan; leave --components, --simulate and --validate out")
    if args.components:
        return components
    if args.simulate:
        return _simulate(args, components)
    if args.validate is not None:
        from ..planning.validation import plan_validation

        return plan_validation(components, correlation=args.validate, width=args.width)
    from ..planning.plan import plan_study

    if args.design == "random":
        raise InputError("a random assignment can be simulated (--simulate); a plan is complete or latin-square")
    options: dict[str, Any] = {"power": args.power, "systems": args.system_count}
    options |= {"assignment": args.design, "price": args.price, "seconds": _read_seconds(args)}
    plan = plan_study(components, difference=args.difference, budget=args.budget, **options)
    if args.out:
        _write_plan(args, plan)
    return plan


def _read_seconds(args: argparse.Namespace) -> float | None:
    """Return the seconds of a judgment: as given, or the median of the raters of a study."""
    if args.seconds_from is None:
        return float(args.seconds) if args.seconds is not None else None
    if args.seconds is not None:
        raise InputError("give --seconds or --seconds-from, not both")
    from ..study.status import read_progress
    from ._study_folder import open_study

    with open_study(argparse.Namespace(folder=args.seconds_from, database=None)) as (content, database):
        seconds = read_progress(content, database).seconds
    if seconds is None:
        raise InputError(f"{args.seconds_from}: no one has answered yet, so it is not known how long a judgment takes")
    return seconds


def _assess_metrics(args: argparse.Namespace) -> Result:
    """Say how many items and references metrics need for the order of systems that people see."""
    from ..meta.stability import stabilities
    from ..scoring.references import reference_tables
    from ._scores import score_metrics

    if args.file is None or len(args.dimension) != 1:
        raise InputError("-m needs an evaluation set with references and judgments, and one dimension (-d)")
    data = read_judged(args, texts=True)
    scores = score_metrics(data, list(dict.fromkeys(args.metric)), args.threads)
    tables = {name: reference_tables(data, name, seed=args.seed) for name in scores}
    return stabilities(
        scores,
        data.human(args.dimension[0]),
        reference_tables={name: table for name, table in tables.items() if table},
        seed=args.seed,
    )


def _write_plan(args: argparse.Namespace, plan: PowerPlan) -> None:
    from ..files import write_whole
    from ..planning.plan_file import choose_design, encode_plan, make_plan_file

    design = choose_design(plan, new_raters=not args.these_raters, raters=args.rater_count)
    write_whole(args.out, encode_plan(make_plan_file(plan, design)))


def _simulate(args: argparse.Namespace, components: RatingComponents) -> Result:
    from ..planning.simulate import simulate_study
    from ._progress import make_follower

    if args.as_ranking and args.as_preference:
        raise InputError("raters rank outputs or compare two of them: give --as-ranking or --as-preference")
    if args.difference is None or not args.item_count or not args.rater_count:
        raise InputError("--simulate needs --difference, --item-count and --rater-count")
    return simulate_study(
        components,
        difference=args.difference,
        items=args.item_count,
        raters=args.rater_count,
        per_output=args.ratings_per_output,
        systems=args.system_count,
        assignment=args.design,
        judgment="preference" if args.as_preference else "ranking" if args.as_ranking else "rating",
        new_raters=not args.these_raters,
        simulations=args.simulations,
        seed=args.seed,
        follow=make_follower(args.quiet, "simulations"),
    )
