"""Print a script that completes commands and options on Tab, for bash, zsh, fish or tcsh.

eval "$(assay completion bash)"            # this shell; put the line into ~/.bashrc for all
assay completion zsh > ~/.zfunc/_assay     # a folder in zsh's fpath
"""

from __future__ import annotations

import argparse
from typing import Literal, TypedDict

from ._options import add

SUMMARY = "print a script that completes commands and options on Tab"
_SHELLS = ("bash", "zsh", "fish", "tcsh")


class CompletionRecord(TypedDict):
    """The script for a shell."""

    kind: Literal["completion"]
    shell: str
    script: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=_SHELLS, help="shell to print the script for")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    import shtab

    from ._show import json_line
    from .main import commands, load

    assay = argparse.ArgumentParser(prog="assay")
    assay.add_argument("--version", action="store_true", help="print the version")
    subparsers = assay.add_subparsers(dest="command")
    for name in commands():
        command = load(name)
        parser = subparsers.add_parser(name, help=command.SUMMARY)
        command.arguments(parser)
        add(parser, "quiet")
        for action in parser._actions:  # a value that is not one of some choices is a file, or nothing worse than one
            if action.choices is None and action.nargs != 0:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    script = shtab.complete(assay, args.shell)
    record: CompletionRecord = {"kind": "completion", "shell": args.shell, "script": script}
    print(json_line(record) if args.json else script, end="")
    return 0
