"""`assay`: finds the command, turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import warnings
from types import ModuleType
from typing import NoReturn

from .. import __version__
from ..errors import AssayError, AssayWarning
from ._output import refuse_overwrite

_QUESTIONS = (
    ("Which system is better?", ("score", "compare", "metrics", "report")),
    ("May I believe the score?", ("meta", "probe", "learn")),
    ("May I believe the judges?", ("agree", "factoids")),
    ("How else could a reference have said it?", ("paraphrase",)),
    ("What was changed, and did it help?", ("describe", "edits", "align", "pairs")),
    ("How do I say it shorter?", ("compress", "fuse", "lm")),
    ("Getting started", ("demo", "cache", "completion")),
)


class Parser(argparse.ArgumentParser):
    """One line for a usage error, as for every other."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. 0: done; 2: bad input; 130: interrupted."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["--version"]:
        print(f"assay {__version__}")
        return 0
    if given[:1] in ([], ["--help"], ["-h"]):
        print(overview())
        return 0 if given else 2
    if given[0] not in commands():
        from ..errors import UnknownName

        return _refuse(UnknownName("command", given[0], commands(), hint="(assay --help lists them)"))
    command = load(given[0])
    parser = make_parser(given[0], command)
    try:
        return _run(command, parser.parse_args(given[1:]))
    except AssayError as error:
        return _refuse(error)
    except MemoryError:
        return _refuse(AssayError("not enough memory: give fewer items or systems at a time"))
    except KeyboardInterrupt:
        print("assay: interrupted; nothing was written", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of a pipe has enough (head)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # what no command explains better
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(AssayError(f"{where}{error.strerror or error}"))


def commands() -> list[str]:
    """Every command: the files of this folder."""
    found = [module.name for module in pkgutil.iter_modules([os.path.dirname(__file__)])]
    return [name for name in found if name != "main" and not name.startswith("_")]


def load(name: str) -> ModuleType:
    """The module of a command: `SUMMARY`, `arguments(parser)`, `run(args)`."""
    return importlib.import_module(f"{__package__}.{name}")


def make_parser(name: str, command: ModuleType) -> Parser:
    """The parser of one command."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog=f"assay {name}", description=command.__doc__, formatter_class=raw)
    command.arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no notes")
    return parser


def overview() -> str:
    """What `assay --help` prints: the commands by question."""
    lines = ["Assay tells how good generated text is, and how far to believe the answer.", ""]
    for question, names in _QUESTIONS:
        lines.append(question)
        lines += [f"  assay {name:<10} {load(name).SUMMARY}" for name in names]
        lines.append("")
    return "\n".join([*lines, "assay COMMAND --help explains one; assay --version prints the version."])


def _run(command: ModuleType, args: argparse.Namespace) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if args.quiet else "always", AssayWarning)
        warnings.showwarning = _show
        refuse_overwrite(args)
        code: int = command.run(args)
        return code


def _show(message: Warning | str, *_: object, **__: object) -> None:
    print(f"assay: note: {message}", file=sys.stderr)


def _refuse(error: AssayError) -> int:
    print(f"assay: {' '.join(str(error).split())}", file=sys.stderr)
    return 2
