"""Make a study from an evaluation set.

assay study new set.jsonl --protocol rate --dimensions meaning,grammar --scale 1-3 --out study/
assay study new set.jsonl --protocol "rate(reveal=true)" --assignment latin-square --places 60 --out study/
assay study new set.jsonl --protocol rank --out study/
assay study new set.jsonl --protocol "shorten(at_most=0.75)" --invite ann,bob --out editing/
assay study new topics.jsonl --protocol pyramid --invite ann,bob --out units/
assay study new set.jsonl --like clarke-lapata-2006 --out study/
assay study new set.jsonl --plan plan.json --out study/           (plan.json is written by assay plan --out)

Protocols: rate, rank, compare, absolute, shorten, cut, factoids, spans, pyramid; parameters are written as a call.
A scale is written as 1-5, followed by what differs from the default: "1-5; best=low; 1=perfect; 5=unusable" or
"0-100; slider"; for one dimension, NAME=1-5.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FormatError, InputError
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._plan_input import read_plan
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..planning.plan_file import StudyPlanFile
    from ..study.protocols import Protocol
    from ..study.ready import ReadyStudy
    from ..study.settings import RatingScale

SUMMARY = "make a study"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder to make")
    parser.add_argument(
        "--like",
        metavar="PAPER",
        help="take protocol, scales, design and instructions from a study of a paper: toutanova-2016, "
        "clarke-lapata-2006, daume-marcu-2004 or peyrard-2017; other options change them",
    )
    parser.add_argument("--plan", metavar="FILE", help="take items, raters and assignment from a plan of assay plan")
    parser.add_argument("--protocol", default="rate", metavar="PROTOCOL", help="what raters are asked (default: rate)")
    parser.add_argument("--dimensions", metavar="NAME,NAME", help="dimensions to judge (default: the protocol's own)")
    parser.add_argument(
        "--scale", action="append", default=[], metavar="SCALE", help="scale of all dimensions, or NAME=SCALE of one"
    )
    _add_design(parser)
    _add_people(parser)
    add(parser, "seed", "json")


def _add_design(parser: argparse.ArgumentParser) -> None:
    from ..study.settings import ASSIGNMENTS

    parser.add_argument(
        "--assignment",
        choices=ASSIGNMENTS,
        default="complete",
        help="who sees what: everybody everything, random outputs, or a Latin square in which no one sees two outputs "
        "of one source (default: complete)",
    )
    count: dict[str, Any] = {"type": numbers.words, "metavar": "N"}
    parser.add_argument("--places", **count, help="number of raters (default: as many as come)")
    parser.add_argument("--per-output", default=3, **count, help="raters per output, for random (default: 3)")
    parser.add_argument("--per-rater", **count, help="most outputs per rater, for random (default: by --places, or 50)")
    parser.add_argument(
        "--overlap",
        type=numbers.share,
        default=0.0,
        metavar="S",
        help="share of outputs that get one rater more, for random (default: 0)",
    )
    parser.add_argument(
        "--one-per-source", action="store_true", help="show no one two outputs of one source, for random"
    )
    parser.add_argument(
        "--whole-items", action="store_true", help="show a rater all outputs of an item or none, for random"
    )
    parser.add_argument(
        "--repeat",
        type=numbers.share,
        default=0.0,
        metavar="S",
        help="share of tasks that come a second time, for self-consistency (default: 0)",
    )
    parser.add_argument("--distance", default=10, **count, help="least number of tasks between the two (default: 10)")
    parser.add_argument("--merge-identical", action="store_true", help="judge identical outputs of an item once")
    parser.add_argument(
        "--sentences",
        choices=("only", "too"),
        help="shorten each sentence of a source as an item of its own: only these, or the whole source too",
    )
    parser.add_argument("--with-references", action="store_true", help="judge the first reference as well, as a system")
    parser.add_argument(
        "--abandoned-after",
        type=numbers.real_number(0, above=True),
        default=120.0,
        metavar="MINUTES",
        help="time after which the place of a rater who left is free again (default: 120)",
    )


def _add_people(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--invite", metavar="NAME,NAME", help="raters who get links of their own")
    parser.add_argument("--qualification", metavar="FILE", help="set with known answers that raters must pass first")
    parser.add_argument(
        "--pass", dest="pass_mark", type=numbers.share, default=0.8, metavar="S", help="pass mark (default: 0.8)"
    )
    parser.add_argument("--checks", metavar="FILE", help="set with known answers, for attention checks")
    parser.add_argument("--loud-checks", action="store_true", help="tell raters of checks, and when they fail one")
    parser.add_argument("--checks-per-rater", type=numbers.words, metavar="N", help="attention checks (default: 3)")
    parser.add_argument("--instructions", metavar="FILE", help="what raters read first, in Markdown")
    parser.add_argument("--consent", metavar="FILE", help="consent form, in Markdown (default: none)")
    parser.add_argument("--title", default="", metavar="TEXT", help="title that raters see (default: Study)")
    parser.add_argument("--language", default="en", metavar="CODE", help="language of the interface (default: en)")
    parser.add_argument("--text-language", default="", metavar="CODE", help="language of the texts (default: unstated)")
    parser.add_argument("--allow-skip", action="store_true", help="let raters skip a task and say why")
    parser.add_argument("--no-auto-advance", action="store_true", help="wait for Enter after the last rating of a task")
    parser.add_argument("--completion-code", metavar="CODE", help="code of a crowd platform; its people may then rate")
    parser.add_argument(
        "--failed-code", default="", metavar="CODE", help="code after a failed practice (default: none)"
    )
    parser.add_argument(
        "--screened-code",
        default="",
        metavar="CODE",
        help="code where no place is left, or it was lost (default: none)",
    )
    parser.add_argument(
        "--signed-links", action="store_true", help="take people of the platform by links that assay study links signs"
    )
    parser.add_argument("--completion-url", default="", metavar="URL", help="where they go back to; {code} is the code")
    parser.add_argument(
        "--id-parameter",
        default="PROLIFIC_PID",
        metavar="NAME",
        help="parameter by which the platform names people (default: PROLIFIC_PID)",
    )
    parser.add_argument("--database", metavar="URL", help="PostgreSQL to keep it in (default: SQLite in the folder)")


def run(args: argparse.Namespace) -> int:
    from ..study.creation import create_study
    from ..study.protocols import PROTOCOLS
    from ..study.settings import Crowd, StudyDesign
    from ..study.status import describe_design

    ready = _apply_ready(args)
    plan = _apply_plan(args)
    protocol = PROTOCOLS.build(args.protocol)
    data = read_input(args)
    if ready is not None:
        data = ready.select_items(data, _count_sentences)
    if args.sentences:
        data = _split_sources(data, protocol, keep=args.sentences == "too")
    if plan is not None:
        data = _select_planned(data, plan, args.seed)
    checks = _read_known(args.checks)
    design = StudyDesign(
        assignment=args.assignment,
        raters=args.places,
        per_output=args.per_output,
        per_rater=args.per_rater,
        overlap=args.overlap,
        one_per_source=args.one_per_source,
        whole_items=args.whole_items,
        repeats=args.repeat,
        distance=args.distance,
        merge_identical=args.merge_identical,
        checks=0 if checks is None else args.checks_per_rater or 3,
        abandoned_after=args.abandoned_after,
        seed=args.seed,
    )
    crowd = None
    if args.completion_code is not None:
        crowd = Crowd(
            id_parameter=args.id_parameter,
            completion_code=args.completion_code,
            completion_url=args.completion_url,
            signed=args.signed_links,
            failed_code=args.failed_code,
            screened_code=args.screened_code,
        )
    folder = create_study(
        Path(args.out),
        data,
        protocol,
        design=design,
        dimensions=_read_dimensions(args, protocol) or (ready.dimensions if ready else ()),
        qualification=_read_known(args.qualification),
        checks=checks,
        include_references=args.with_references,
        instructions=_read_document(args.instructions) or (ready.instructions if ready else ""),
        consent=_read_document(args.consent),
        title=args.title,
        language=args.language,
        text_language=args.text_language,
        crowd=crowd,
        invitations=[name.strip() for name in (args.invite or "").split(",") if name.strip()],
        allow_skip=args.allow_skip,
        loud_checks=args.loud_checks,
        auto_advance=not args.no_auto_advance,
        pass_mark=args.pass_mark,
        database=args.database,
        like=ready.name if ready else "",
    )
    show([describe_design(folder)], as_json=args.json)
    return 0


def _apply_plan(args: argparse.Namespace) -> StudyPlanFile | None:
    """Set the design that `assay plan --out` wrote; what the command line says otherwise is refused."""
    if args.plan is None:
        return None
    plan = read_plan(args.plan)
    defaults = argparse.ArgumentParser()
    arguments(defaults)
    together = plan.per_output < plan.raters and plan.assignment != "latin-square"
    planned = {
        "assignment": "random" if together else plan.assignment,
        "places": plan.raters,
        "per_output": plan.per_output if together else defaults.get_default("per_output"),
        "whole_items": together,
    }
    for name, value in planned.items():
        if getattr(args, name) not in (value, defaults.get_default(name)):
            raise InputError(
                f"{args.plan} plans --{name.replace('_', '-')} {value}; leave the option out, or make another plan"
            )
        setattr(args, name, value)
    args.dimensions = args.dimensions or plan.dimension
    return plan


def _select_planned(data: EvalSet, plan: StudyPlanFile, seed: int) -> EvalSet:
    """Return as many items as were planned, drawn at random; the systems must be as many as planned."""
    from random import Random

    if len(data.systems) != plan.systems:
        raise InputError(f"the plan is for {plan.systems} systems; the set has {len(data.systems)}")
    if len(data) < plan.items:
        raise InputError(f"the plan is for {plan.items} items; the set has {len(data)}")
    places = sorted(Random(f"plan:{seed}").sample(range(len(data)), plan.items))
    ids = [item.id for item in data]
    return data.select(ids[place] for place in places)


def _apply_ready(args: argparse.Namespace) -> ReadyStudy | None:
    """Set what a paper's study has, where the command line says nothing else."""
    from ..study.ready import find_ready

    if args.like is None:
        return None
    ready = find_ready(args.like)
    defaults = argparse.ArgumentParser()
    arguments(defaults)
    for name, value in {"protocol": ready.protocol, **ready.options}.items():
        if getattr(args, name) == defaults.get_default(name):
            setattr(args, name, value)
    return ready


def _split_sources(data: EvalSet, protocol: Protocol, *, keep: bool) -> EvalSet:
    """Make an item of each sentence of a source: ID.1, ID.2, ...; `keep` the whole ones next to them."""
    from ..data.evalset import EvalSet, Item
    from ..text.sentences import split_sentences

    if not protocol.writes_texts:
        raise InputError(f"--sentences is for shortening; {protocol.title} judges outputs of whole sources")
    items = []
    for item in data:
        parts = split_sentences("\n".join(item.sources))
        items += [item] if keep or len(parts) < 2 else []
        if len(parts) > 1:
            items += [
                Item(f"{item.id}.{n}", sources=(part,), group=item.group, cluster=item.cluster or item.id, run=item.run)
                for n, part in enumerate(parts, 1)
            ]
    return EvalSet(items, allow_missing=True)


def _count_sentences(text: str) -> int:
    from ..text.sentences import split_sentences

    return len(split_sentences(text))


def _read_dimensions(args: argparse.Namespace, protocol: Protocol) -> list[RatingScale]:
    """Return the named dimensions with their scales; none where the protocol's own are used as they are."""
    from ..study.settings import read_scale

    names = [name.strip() for name in (args.dimensions or "").split(",") if name.strip()]
    names = names or ([d.name for d in protocol.dimensions] if args.scale else [])
    scales: dict[str, str] = {}
    common = "1-5"
    for text in args.scale:
        name, equals, rest = text.partition("=")
        if equals and name.strip() in names:
            scales[name.strip()] = rest
        else:
            common = text
    return [read_scale(name, scales.get(name, common)) for name in names]


def _read_known(path: str | None) -> EvalSet | None:
    from ..formats import read

    return None if path is None else read(path, allow_missing=True)


def _read_document(path: str | None) -> str:
    from ..formats import text_lines

    if path is None:
        return ""
    text = "\n".join(text_lines(path))
    if not text.strip():
        raise FormatError("is empty", path=path)
    if len(text) > 200_000:
        raise InputError(f"{path} has {len(text):,} characters; raters will not read more than 200,000")
    return text
