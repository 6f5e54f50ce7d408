"""Check how a file is read: what each column is and why, what is not used, and which questions it can answer.

assay check outputs.csv
assay check outputs.csv --judgments ratings.xlsx
assay check outputs.csv --save reading.toml     (then, for the next file: --columns @reading.toml)
"""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from ..errors import InputError, NoOutputs
from ._input import judgment_options, open_input, state_scales
from ._options import add, add_input
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet

SUMMARY = "show how a file is read, and which questions it can answer"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(parser, "judgments", "llm")
    parser.add_argument("--save", metavar="FILE", help="write the roles of the columns, for --columns @FILE")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from ..formats import list_questions, save_reading

    data = _read(args)
    reading = replace(data.reading, questions=list_questions(data, _arguments(args)))
    if args.save:
        if not reading.columns:
            raise InputError(f"the format {reading.format} has columns of its own; there is nothing to save")
        save_reading(reading, args.save)
    show([reading], as_json=args.json)
    return 0


def _read(args: argparse.Namespace) -> EvalSet:
    """Read what the options name; a file of judgments alone too."""
    from ..formats import read_judged

    try:
        data = open_input(args).read()
    except NoOutputs:
        if args.judgments or args.more:
            raise
        data = read_judged(args.file, format=args.format, columns=judgment_options(args).get("columns"))
    return state_scales(args, data)


def _arguments(args: argparse.Namespace) -> str:
    """Return the files and options as they were typed, for the commands to ask next."""
    words = [args.file] if args.file else []
    words += args.more
    for flag, values in (("--input", args.input), ("--refs", args.refs)):
        words += [flag, *values] if values else []
    for name in args.outputs:
        words += ["--outputs", name]
    for option in ("source", "columns", "cluster", "run", "judgments"):
        if value := getattr(args, f"{option}_column" if option in ("cluster", "run") else option):
            words += [f"--{option}", value]
    words += ["--input-format", args.format] if args.format else []
    words += [word for name in args.llm for word in ("--llm", name)]
    return shlex.join(words)
