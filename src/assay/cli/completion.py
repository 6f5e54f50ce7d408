"""Print a script that completes commands and options on Tab, for bash, zsh, fish or tcsh.

eval "$(assay completion bash)"            # this shell; put the line into ~/.bashrc for all
assay completion zsh > ~/.zfunc/_assay     # a folder in zsh's fpath
"""

from __future__ import annotations

import argparse

SUMMARY = "a script for your shell that completes commands and options on Tab"
_SHELLS = ("bash", "zsh", "fish", "tcsh")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=_SHELLS, help="the shell")
    parser.add_argument("--json", action="store_true", help="the script as a JSON record")


def run(args: argparse.Namespace) -> int:
    from ..extras import import_extra
    from ._show import json_line
    from .main import commands, load

    shtab = import_extra("shtab", "completion", "completion")
    every = argparse.ArgumentParser(prog="assay")
    every.add_argument("--version", action="store_true", help="print the version")
    chosen = every.add_subparsers(dest="command")
    for name in commands():
        command = load(name)
        one = chosen.add_parser(name, help=command.SUMMARY)
        command.arguments(one)
        one.add_argument("--quiet", action="store_true", help="no progress bar and no notes")
        for action in one._actions:  # what is no choice is a file, or nothing worse than one
            if action.choices is None and action.nargs != 0:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    script = shtab.complete(every, args.shell)
    print(json_line({"shell": args.shell, "script": script}) if args.json else script, end="")
    return 0
