"""`assay`: find the command, run it, and turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import NoReturn

from .. import __version__
from ..errors import AssayError, AssayWarning, UnknownName
from ._options import REPLACED, add
from ._output import refuse_overwrite
from ._screen import ReaderGone, Screen, one_line, screens
from ._show import print_tables_as
from ._signals import raise_on_termination, report_interrupt

_VALUE = re.compile(r"^argument (?:-\w/)?(\S+): (must )")  # what _numbers says of a value

_QUESTIONS = (
    ("Which system is better?", ("score", "compare", "report", "metrics")),
    ("Can I trust the metric?", ("meta", "probe", "learn")),
    ("Can I trust the judges?", ("agree", "judge")),
    ("How do I get judgments, and how many?", ("study", "plan")),
    ("What is in the texts?", ("describe", "edits", "align", "pyramid", "paraphrase")),
    ("Shorten, fuse and split texts", ("compress", "fuse", "split", "lm")),
    ("Getting started and setup", ("check", "convert", "schema", "example", "demo", "cache", "completion")),
)


class Usage(AssayError):
    """A command line that cannot be understood."""


class Parser(argparse.ArgumentParser):
    """Parser with errors of one line, as all others are."""

    def error(self, message: str) -> NoReturn:
        message = _VALUE.sub(r"\1 \2", message)
        if message.startswith("unrecognized arguments: "):
            replaced = [word for word in message.split()[2:] if word in REPLACED]
            message = f"{replaced[0]} is now {REPLACED[replaced[0]]}" if replaced else message
        raise Usage(f"{message} (see {self.prog} --help)")


def main(arguments: list[str] | None = None) -> int:
    """Run a command, by default that of the command line.

    Exit code 0: success; 1: failed (--fail-if), or a bug in Assay; 2: bad input; 130: Ctrl-C; 143: SIGTERM.
    """
    if arguments is None:
        raise_on_termination()
    words = sys.argv[1:] if arguments is None else arguments
    # Set before NumPy is loaded. A pool of BLAS threads costs start-up time and a second core, and none of the work
    # here is large enough to gain from it; --threads spreads what is.
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    with screens():
        if sys.stdout is None:  # >&-
            print("assay: standard output is closed: give it a file, a pipe or /dev/null", file=sys.stderr)
            return 2
        try:
            return _run_and_flush(words)
        except ReaderGone:
            _abandon()
            return 0


def _run_and_flush(words: list[str]) -> int:
    """Return the exit code, after everything was printed."""
    try:
        code = _run_words(words)
        sys.stdout.flush()
        return code
    except SystemExit:  # --help
        sys.stdout.flush()
        raise
    except KeyboardInterrupt as error:
        return report_interrupt(error)
    except ReaderGone:
        raise
    except Exception as error:
        return _refuse(error)


def _run_words(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        print(f"assay {__version__}")
        return 0
    if words[:1] in ([], ["--help"], ["-h"]):
        print(overview())
        return 0 if words else 2
    if words[0] not in commands():
        raise UnknownName("command", words[0], commands(), hint="(assay --help lists them)")
    name, rest = words[0], words[1:]
    command = load(name)
    if rest and rest[0] in getattr(command, "SUBCOMMANDS", {}):
        name, command, rest = f"{name} {rest[0]}", load(command.SUBCOMMANDS[rest[0]]), rest[1:]
    return _run(command, make_parser(name, command).parse_args(rest))


def commands() -> list[str]:
    """List the commands: those of the overview, which a test compares with the files of this folder."""
    return sorted(name for _, names in _QUESTIONS for name in names)


def load(name: str) -> ModuleType:
    """Load the module of a command: `SUMMARY`, `arguments(parser)`, `run(args)`, and perhaps `SUBCOMMANDS`."""
    return importlib.import_module(f"{__package__}.{name}")


def make_parser(name: str, command: ModuleType) -> Parser:
    """Make the parser of one command."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog=f"assay {name}", description=command.__doc__, formatter_class=raw)
    command.arguments(parser)
    add(parser, "format", "quiet")
    return parser


def overview() -> str:
    """Return what `assay --help` prints: the commands by question."""
    lines = ["Assay measures generated text, and how far the measurement can be trusted.", ""]
    for question, names in _QUESTIONS:
        lines.append(question)
        lines += [f"  assay {name:<10} {load(name).SUMMARY}" for name in names]
        lines.append("")
    return "\n".join([*lines, "assay COMMAND --help explains a command; assay --version prints the version."])


def _run(command: ModuleType, args: argparse.Namespace) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if args.quiet else "always", AssayWarning)
        warnings.showwarning = _make_printer()
        refuse_overwrite(args)
        _expand_metrics(args)
        with print_tables_as(args.table_format):
            code: int = command.run(args)
        return code


def _expand_metrics(args: argparse.Namespace) -> None:
    """Put the metrics of a group (rouge, grid) in its place, in every option that takes metrics."""
    for option in ("metric", "features", "against"):
        if names := getattr(args, option, None):
            from ..metrics import expand_names, replace_stand_ins

            setattr(args, option, expand_names(replace_stand_ins(names)))


def _make_printer() -> Callable[..., None]:
    """Return what prints a warning as a note, once if it is the same again for another metric."""
    printed: set[str] = set()

    def print_warning(message: Warning | str, *_: object, **__: object) -> None:
        line = one_line(str(message))
        if line not in printed:
            printed.add(line)
            print(f"assay: note: {line}", file=sys.stderr)

    return print_warning


def _refuse(error: Exception) -> int:
    """Print one line for an error, and return its exit code."""
    message, code = _explain(error)
    try:
        sys.stdout.flush()  # what was printed comes first
    except (AssayError, ReaderGone):
        _abandon()
    if code == 1 and os.environ.get("ASSAY_DEBUG"):
        import traceback

        traceback.print_exception(error)
    print(f"assay: {one_line(message)}", file=sys.stderr)
    return code


def _explain(error: Exception) -> tuple[str, int]:
    """Return message and exit code: 2 for a fault of the input or the machine, 1 for one of Assay."""
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
