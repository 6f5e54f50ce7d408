"""The options that say what to read, the same for every command that takes an evaluation set."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..formats import Stream


def input_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds FILE, --system, --refs, --source, --references, --format and --allow-missing."""
    parser.add_argument(
        "file", nargs="?", help="an evaluation set: .jsonl, .csv, .tsv, .parquet (.gz too), a folder, or -"
    )
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME=FILE", help="a system's outputs, a line each"
    )
    parser.add_argument(
        "--refs", nargs="+", default=[], metavar="FILE", help="references, line by line with the outputs"
    )
    parser.add_argument("--source", metavar="FILE", help="sources, line by line with the outputs")
    parser.add_argument("--references", metavar="FILE", help="a table of references, where FILE is a table of outputs")
    parser.add_argument("--format", metavar="F", help="the format of FILE, where its name does not tell")
    parser.add_argument("--allow-missing", action="store_true", help="leave scores of missing outputs empty")


def input_stream(args: argparse.Namespace, *, passes: int = 1) -> Stream:
    """What the options name, in chunks; `passes` above 1 keeps what comes out of a pipe, to go through it again."""
    from ..formats import stream
    from ..formats.lines import stream_lines

    if args.system or args.refs:
        if args.file:
            raise InputError(f"give either {args.file} or --system and --refs, not both")
        if not args.system:
            raise InputError("--refs needs outputs: --system NAME=FILE")
        systems = dict(_named_file(text) for text in args.system)
        if len(systems) < len(args.system):
            raise InputError("two --system options have the same name")
        return stream_lines(systems, args.refs, args.source)
    if not args.file:
        raise InputError("nothing to score: give a file, or --system NAME=FILE and --refs FILE")
    options = {"references": args.references} if args.references else {}
    return stream(args.file, format=args.format, allow_missing=args.allow_missing, passes=passes, **options)


def input_set(args: argparse.Namespace) -> EvalSet:
    """What the options name, whole."""
    return input_stream(args).read()


def _named_file(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or not name or not file:
        raise InputError(f"--system takes NAME=FILE; got {text!r}")
    return name, file
