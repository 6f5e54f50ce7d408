"""Read the evaluation set that the options of a command name."""

from __future__ import annotations

import argparse
import os
import stat
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

    files = line_files(args)
    if files is not None:
        systems, references = files
        if args.format is None:
            _refuse_structured([*systems.values(), *references, *([args.source] if args.source else [])])
        if args.columns:
            raise InputError("--columns is for tables and JSON; these files are read as lines of text")
        chunks = stream_lines(systems, references, args.source, strip_tags=args.strip_tags)
        judgments = getattr(args, "judgments", None)
        return chunks if judgments is None else with_judgments(chunks, judgments)
    if not args.file:
        raise InputError("no input: give a file, or outputs and references: assay score hyp.txt --refs ref.txt")
    if args.more:
        raise InputError(
            f"{args.file} and {args.more[0]}: several files are outputs of several systems by line, and need --refs"
        )
    if len(args.refs) > 1:
        raise InputError(f"{args.file} takes one table of references; got {len(args.refs)} --refs files")
    options: dict[str, Any] = {"allow_missing": args.allow_missing, "strip_tags": args.strip_tags}
    options |= judgment_options(args)
    if args.refs:
        options["references"] = args.refs[0]
    return stream(args.file, format=args.format, passes=passes, **options)


def line_files(args: argparse.Namespace) -> tuple[dict[str, str], list[str]] | None:
    """Return the files of lines that are given, outputs by system and references; None for an evaluation set.

    They are given as `hyp.txt --refs ref.txt`, `ref.txt -i hyp.txt`, a pipe with --refs, or --outputs NAME=FILE.
    """
    from ..formats import name_systems

    files = [args.file, *args.more] if args.file else []
    if args.outputs:
        if files or args.input:
            raise InputError(f"give either {(files or args.input)[0]} or --outputs and --refs, not both")
        systems = dict(_split_name(text) for text in args.outputs)
        if len(systems) < len(args.outputs):
            raise InputError("two --outputs options have the same name")
        return systems, args.refs
    if args.input:
        if files and args.refs:
            raise InputError(f"the references are given twice: {files[0]} and --refs {args.refs[0]}; give one of them")
        return name_systems(args.input), files or args.refs
    forced = args.format == "lines"
    if not args.refs or (args.format and not forced) or (not forced and len(files) == 1 and _is_structured(files[0])):
        return None
    return (name_systems(files) if files else {"stdin": _piped_outputs()}), args.refs


def _refuse_structured(paths: list[str]) -> None:
    """Refuse files of lines that are tables or the like: the lines of a JSON file are not texts to score."""
    from ..formats import format_of

    for path in paths:
        if path != "-" and os.path.isfile(path) and _is_structured(path):  # whoever reads it refuses a folder
            raise InputError(
                f"{path} is a file of format {format_of(path)}, and would be read as lines of text here: give one file "
                "with outputs and references, or --input-format lines if each of its lines is a text"
            )


def _is_structured(path: str) -> bool:
    """Tell whether a file is a table or the like, and not lines of text; a folder is no file of lines."""
    from ..formats import format_of

    return os.path.isdir(path) or (os.path.exists(path) and format_of(path) not in (None, "lines"))


def _piped_outputs() -> str:
    """Return the name of standard input where something is piped or redirected into it."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        mode = 0
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)):
        raise InputError("--refs needs outputs: a file before it, a pipe, or --outputs NAME=FILE")
    return "-"


def judgment_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what --columns and --judgments say, as `formats.stream` takes it."""
    from ..formats import parse_columns

    options: dict[str, Any] = {}
    if getattr(args, "columns", None):
        options["columns"] = parse_columns(args.columns)
    if getattr(args, "judgments", None):
        options["judgments"] = args.judgments
    return options


def read_input(args: argparse.Namespace, *, units: bool = False) -> EvalSet:
    """Read all of what the options name; with `units`, scores of content units are judgments too."""
    stream = open_input(args)
    data = stream.read()
    say_recognized(args, stream.recognized, len(data), len(data.systems))
    return state_scales(args, add_unit_scores(args, data) if units else data)


def add_unit_scores(args: argparse.Namespace, data: EvalSet) -> EvalSet:
    """Return the set with the Pyramid scores of annotated outputs as judgments, unless it has such judgments."""
    from ..pyramid.annotated import DIMENSION, add_judgments, carries_units

    if DIMENSION in data.dimensions or not carries_units(data):
        return data
    judged = add_judgments(data)
    if not args.quiet:
        count = sum(judgment.dimension == DIMENSION for item in judged for judgment in item.judgments)
        words = f"{count:,} modified Pyramid scores of content units are judgments in the dimension {DIMENSION}"
        print(f"assay: {words}", file=sys.stderr)
    return judged


def say_recognized(args: argparse.Namespace, recognized: str, items: int, systems: int) -> None:
    """Print in a line on stderr which columns were taken for what, where that had to be found out."""
    if recognized and not args.quiet:
        counts = f"{items:,} item{'s' * (items != 1)}, {systems:,} system{'s' * (systems != 1)}"
        print(f"assay: read {counts}: {one_line(recognized)}", file=sys.stderr)


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
