"""Ask language models to judge the outputs of a set; the judgments are written next to those of people.

assay judge run set.jsonl --config judge.toml --dry-run             (what would be sent, and what it may cost)
assay judge run set.jsonl --config judge.toml --out judged.jsonl    (then: assay judge table judged.jsonl)
assay judge run set.jsonl --config judge.toml -d coherence --sample 100 --out pilot.jsonl
assay judge run set.jsonl --config judge.toml --like study/ --out judged.jsonl    (what people saw, blind as they were)

judge.toml names models, endpoints and budget; the key comes from the environment. Next to judged.jsonl stand
judged.answers.jsonl, from which an interrupted run goes on without paying twice, and judged.card.json.
With --engine dask://host:port the workers ask; each takes the key from its own environment.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._output import csv_options
from ._progress import Progress
from ._show import show
from ._signals import report_interrupt

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..engines.run import Finished
    from ..llm.budget import JudgeBudget
    from ..llm.config import JudgeConfig
    from ..llm.journal import Journal
    from ..llm.runner import Outcome
    from ..llm.session import JudgeAssignment, JudgeSession

SUMMARY = "ask language models to judge the outputs"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    parser.add_argument(
        "--config", metavar="FILE", required=True, help="judges, rubrics, way to answer and budget, .toml"
    )
    add(parser, "dimension", dimension={"shown": "those of the configuration"})
    add(parser, "llm")
    parser.add_argument("--like", metavar="DIR", help="study in which raters saw what the judge is to see")
    parser.add_argument(
        "--sample", type=numbers.words, metavar="N", help="outputs or pairs to draw at random for each dimension"
    )
    parser.add_argument("--dry-run", action="store_true", help="send nothing: print what would be sent and may be paid")
    parser.add_argument(
        "--answers", metavar="FILE", help="file of everything that was sent and answered (default: next to --out)"
    )
    add(parser, "out", "escape_formulas", "seed", "json", out={"detail": "the set with the judgments"})
    add(parser, "engine", "threads", engine={"detail": "asking"}, threads={"detail": "workers of --engine dask"})


def run(args: argparse.Namespace) -> int:
    from ..llm.config import check_keys, read_config
    from ..llm.journal import Journal
    from ..llm.session import JudgeSession
    from ..llm.summary import describe_plan

    config = read_config(args.config)
    spread = args.engine not in (None, "threads")  # then the workers have the keys
    keys = {} if args.dry_run or spread else check_keys(config, os.environ)
    if args.out is None and not args.dry_run:
        raise InputError("give --out FILE for the judged set, or --dry-run to see what would be sent")
    data = read_input(args)
    session = JudgeSession(data, config, _assignment(args, config, data), Path(args.config).parent)
    if args.dry_run:
        answers = _beside(args, "answers.jsonl") if args.out or args.answers else None
        show([describe_plan(session, _known_answers(answers))], as_json=args.json)
        return 0
    _refuse_same(args)
    with Journal(_beside(args, "answers.jsonl")) as journal:
        try:
            _ask(args, session, journal, keys)
        except InputError as error:
            if not journal.answers:
                raise
            raise InputError(f"{error} (the answers so far are kept in {journal.path})") from error
        except KeyboardInterrupt as error:
            where = f"the answers so far are in {journal.path}, and the same command goes on from there"
            return report_interrupt(error, where)
    return 0


def _ask(args: argparse.Namespace, session: JudgeSession, journal: Journal, keys: dict[str, str]) -> None:
    from ..files import sha256_of
    from ..formats import write
    from ..llm.card import make_card, write_card
    from ..llm.judge import run_session

    card = _beside(args, "card.json")
    total = sum(1 for _ in session.all_questions())
    spent: list[JudgeBudget] = []

    def follow(outcomes: Iterable[Outcome]) -> Iterable[Outcome]:
        with Progress(
            outcomes, quiet=args.quiet, total=total, what="judging", detail=lambda: _say_spent(spent)
        ) as parts:
            yield from parts

    spread = args.engine not in (None, "threads")
    judged, result = run_session(
        session,
        journal,
        keys,
        follow=follow,
        on_budget=spent.append,
        out=args.out,
        card=card,
        timer=monotonic,
        ask=not spread,
        stopped=_ask_workers(args, session, journal) if spread else "",
    )
    sha256 = sha256_of(args.file) if args.file and os.path.isfile(args.file) else ""
    write(judged, args.out, **(csv_options(args) if args.out.lower().endswith(".csv") else {}))
    write_card(make_card(session, result, dataset=args.file or "", sha256=sha256, like=args.like), card)
    show([result], as_json=args.json)


def _ask_workers(args: argparse.Namespace, session: JudgeSession, journal: Journal) -> str:
    """Ask on the workers of an engine; return why some questions were not asked."""
    from ..engines.run import open_engine
    from ..llm.parts import ask_on_engine

    def follow(finished: Iterable[Finished], left: int, before: int) -> Iterable[Finished]:
        with Progress(finished, quiet=args.quiet, total=left, what="judging") as parts:
            yield from parts

    folder = Path(_beside(args, "parts")).absolute()
    return ask_on_engine(
        session, journal, folder, lambda: open_engine(args.engine, threads=args.threads), follow=follow
    )


def _say_spent(budgets: list[JudgeBudget]) -> str:
    if not budgets:
        return ""
    tokens, money = budgets[0].spent.tokens, budgets[0].spent.money
    return f"{tokens:,} tokens" + (f", cost {money:.4f}" if money else "")


def _assignment(args: argparse.Namespace, config: JudgeConfig, data: EvalSet) -> JudgeAssignment:
    from ..llm.config import DimensionSettings
    from ..llm.question import draw_sample, list_units
    from ..llm.rubric import builtin_names, load_rubrics
    from ..llm.session import JudgeAssignment

    if args.like:
        from ._judge_study import study_assignment

        assignment = study_assignment(args, config, data)
    else:
        names = args.dimension or list(config.dimensions)
        if not names:
            listed = ", ".join(builtin_names())
            raise InputError(
                f"no dimension to judge: add [dimensions.NAME] to {args.config}, or -d (built in: {listed})"
            )
        settings = {name: config.dimensions.get(name, DimensionSettings()) for name in dict.fromkeys(names)}
        rubrics = load_rubrics(settings, Path(args.config).parent)
        both = config.orders == "both"
        units = {d: list_units(data, r.kind, both_orders=both, seed=args.seed) for d, r in rubrics.items()}
        assignment = JudgeAssignment(rubrics, units)
    if args.sample is None:
        return assignment
    sample = draw_sample(assignment.units, args.sample, args.seed)
    return JudgeAssignment(assignment.rubrics, sample, assignment.instructions)


def _beside(args: argparse.Namespace, ending: str) -> str:
    """Return the name of a file that stands next to the output."""
    if ending.startswith("answers") and args.answers:
        return str(args.answers)
    base = str(args.out).removesuffix(".gz")
    return f"{os.path.splitext(base)[0]}.{ending}"


def _known_answers(path: str | None) -> frozenset[str]:
    """Return the keys of the answers that are there, without making a file."""
    from ..llm.journal import Journal

    if path is None or not os.path.exists(path):
        return frozenset()
    with Journal(path) as journal:
        return frozenset(journal.answers)


def _refuse_same(args: argparse.Namespace) -> None:
    """Raise where two of the files that are written, or one that is read, have the same name."""
    names = [args.out, _beside(args, "answers.jsonl"), _beside(args, "card.json")]
    read = [args.file, args.config, args.judgments]
    for name in names:
        same = [other for other in [*names, *read] if other and os.path.realpath(other) == os.path.realpath(name)]
        if len(same) > 1:
            raise InputError(f"{name} would be written over another file of this run; give another name")
