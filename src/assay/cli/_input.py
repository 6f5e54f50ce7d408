"""Read the evaluation set that the options of a command name."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from ..errors import InputError, UnknownName
from ._screen import one_line

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..formats import Stream


# What each option states about the scale of a dimension.
SCALE_OPTIONS: dict[str, dict[str, Any]] = {
    "lower_is_better": {"best": "low"},
    "higher_is_better": {"best": "high"},
    "ranking": {"best": "low", "kind": "ranking"},
}


def open_input(args: argparse.Namespace, *, passes: int = 1) -> Stream:
    """Open what the options name, in chunks; `passes` above 1 keeps what comes from a pipe, to read it again."""
    from ..formats import stream, stream_lines, with_judgments

    if args.outputs or (args.refs and not args.file):
        if args.file:
            raise InputError(f"give either {args.file} or --outputs and --refs, not both")
        if not args.outputs:
            raise InputError("--refs needs outputs: --outputs NAME=FILE")
        systems = dict(_split_name(text) for text in args.outputs)
        if len(systems) < len(args.outputs):
            raise InputError("two --outputs options have the same name")
        chunks = stream_lines(systems, args.refs, args.source, strip_tags=args.strip_tags)
        judgments = getattr(args, "judgments", None)
        return chunks if judgments is None else with_judgments(chunks, judgments)
    if not args.file:
        raise InputError("no input: give a file, or --outputs NAME=FILE and --refs FILE")
    if len(args.refs) > 1:
        raise InputError(f"{args.file} takes one table of references; got {len(args.refs)} --refs files")
    options: dict[str, Any] = {"allow_missing": args.allow_missing, "strip_tags": args.strip_tags}
    options |= judgment_options(args)
    if args.refs:
        options["references"] = args.refs[0]
    return stream(args.file, format=args.format, passes=passes, **options)


def judgment_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what --columns and --judgments say, as `formats.stream` takes it."""
    from ..formats import parse_columns

    options: dict[str, Any] = {}
    if getattr(args, "columns", None):
        options["columns"] = parse_columns(args.columns)
    if getattr(args, "judgments", None):
        options["judgments"] = args.judgments
    return options


def read_input(args: argparse.Namespace) -> EvalSet:
    """Read all of what the options name."""
    stream = open_input(args)
    data = stream.read()
    say_recognized(args, stream, len(data), len(data.systems))
    return state_scales(args, data)


def say_recognized(args: argparse.Namespace, stream: Stream, items: int, systems: int) -> None:
    """Print in a line on stderr which columns were taken for what, where that had to be found out."""
    if stream.recognized and not args.quiet:
        counts = f"{items:,} item{'s' * (items != 1)}, {systems:,} system{'s' * (systems != 1)}"
        print(f"assay: read {counts}: {one_line(stream.recognized)}", file=sys.stderr)


def state_scales(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the scales and kinds of raters that the options state."""
    from dataclasses import replace

    from ..data.scale import Scale

    data = _state_kinds(args, data)
    scales: dict[str, Scale] = {}
    for option, changes in SCALE_OPTIONS.items():
        for name in getattr(args, option, ()):
            if name in scales:
                raise InputError(f"two options state the scale of {name!r}; give one")
            if name in data.dimensions:
                scales[name] = replace(data.scales.get(name, Scale()), **changes)
            elif not getattr(args, "scores", ()) or option == "ranking":
                flag = f"--{option.replace('_', '-')}"
                raise UnknownName("dimension", name, data.dimensions, hint=f"(given as {flag})")
    return data.with_scales(scales) if scales else data


def _state_kinds(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the raters of --llm stated to be LLMs, and the assessors of --kind to be asked."""
    names = [name.strip() for names in getattr(args, "llm", ()) for name in names.split(",")]
    if names:
        data = data.with_kinds({name: "llm" for name in names if name})
    kind = getattr(args, "kind", "human")
    return data if kind == "human" else data.use_assessors(kind)


def _split_name(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or not name or not file:
        raise InputError(f"--outputs takes NAME=FILE; got {text!r}")
    return name, file
