"""`assay`: finds the command, turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import re
import sys
import traceback
import warnings
from types import ModuleType
from typing import NoReturn

from .. import __version__
from ..errors import AssayError, AssayWarning, UnknownName
from ._options import REPLACED
from ._output import refuse_overwrite
from ._screen import ReaderGone, Screen, one_line, screens

_VALUE = re.compile(r"^argument (?:-\w/)?(\S+): (must )")  # what _numbers says of a value

_QUESTIONS = (
    ("Which system is better?", ("score", "compare", "metrics", "report")),
    ("May I believe the score?", ("meta", "probe", "learn")),
    ("May I believe the judges?", ("agree", "factoids")),
    ("How else could a reference have said it?", ("paraphrase",)),
    ("What was changed, and did it help?", ("describe", "edits", "align", "pairs")),
    ("How do I say it shorter?", ("compress", "fuse", "lm")),
    ("Getting started", ("demo", "cache", "completion")),
)


class Usage(AssayError):
    """A command line that cannot be understood."""


class Parser(argparse.ArgumentParser):
    """One line for a usage error, as for every other."""

    def error(self, message: str) -> NoReturn:
        message = _VALUE.sub(r"\1 \2", message)
        if message.startswith("unrecognized arguments: "):
            gone = [word for word in message.split()[2:] if word in REPLACED]
            message = f"{gone[0]} is now {REPLACED[gone[0]]}" if gone else message
        raise Usage(f"{message} (see {self.prog} --help)")


def main(arguments: list[str] | None = None) -> int:
    """Run a command. 0: done; 1: a fault of Assay's own; 2: bad input; 130: interrupted."""
    given = sys.argv[1:] if arguments is None else arguments
    with screens():
        if sys.stdout is None:  # >&-
            print("assay: standard output is closed: give it a file, a pipe or /dev/null", file=sys.stderr)
            return 2
        try:
            return _finish(given)
        except ReaderGone:
            _abandon()
            return 0


def _finish(given: list[str]) -> int:
    """The exit code, after all was printed."""
    try:
        code = _answer(given)
        sys.stdout.flush()
        return code
    except SystemExit:  # --help
        sys.stdout.flush()
        raise
    except KeyboardInterrupt:
        print("assay: interrupted; nothing was written", file=sys.stderr)
        return 130
    except ReaderGone:
        raise
    except Exception as error:
        return _refuse(error)


def _answer(given: list[str]) -> int:
    if given[:1] == ["--version"]:
        print(f"assay {__version__}")
        return 0
    if given[:1] in ([], ["--help"], ["-h"]):
        print(overview())
        return 0 if given else 2
    if given[0] not in commands():
        raise UnknownName("command", given[0], commands(), hint="(assay --help lists them)")
    command = load(given[0])
    return _run(command, make_parser(given[0], command).parse_args(given[1:]))


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
    print(f"assay: note: {one_line(str(message))}", file=sys.stderr)


def _refuse(error: Exception) -> int:
    """One line for an error, and its exit code."""
    message, code = _explain(error)
    try:
        sys.stdout.flush()  # what was printed comes first
    except (AssayError, ReaderGone):
        _abandon()
    if code == 1 and os.environ.get("ASSAY_DEBUG"):
        traceback.print_exception(error)
    print(f"assay: {one_line(message)}", file=sys.stderr)
    return code


def _explain(error: Exception) -> tuple[str, int]:
    """What to say of an error: 2 if the input or the machine is to blame, 1 if Assay is."""
    if isinstance(error, AssayError):
        return str(error), 2
    if isinstance(error, MemoryError):
        return "out of memory: give it fewer items, shorter texts or fewer --threads", 2
    if isinstance(error, RecursionError):
        return "something in the input is nested too deeply to be read", 2
    if isinstance(error, UnicodeEncodeError):
        half = error.object[error.start : error.end]
        return f"a text holds half a character ({half[:1]}, a lone surrogate): repair the file that it is in", 2
    if isinstance(error, OSError):
        name = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return f"{name}{error.strerror or str(error) or type(error).__name__}", 2
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("assay"):
        return f"the package {error.name} is not installed: pip install {error.name}", 2
    debug = "" if os.environ.get("ASSAY_DEBUG") else " (run with ASSAY_DEBUG=1 for the traceback)"
    return f"internal error: {type(error).__name__}: {error}{debug}", 1


def _abandon() -> None:
    if isinstance(sys.stdout, Screen):
        sys.stdout.abandon()
