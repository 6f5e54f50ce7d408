"""What `assay compress` and `assay fuse` share: options, where lines go, notes, the list of systems."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from . import _numbers as numbers
from ._answer import Answer
from ._screen import write_data

if TYPE_CHECKING:
    from ..systems.folder import Named

Write = Callable[[str], object]


def shorter_arguments(parser: argparse.ArgumentParser, as_json: str) -> None:
    """Adds the length, the system, patterns, and where the texts go."""
    parser.add_argument("--words", type=numbers.words, metavar="N", help="the most words of each text")
    parser.add_argument("--chars", type=numbers.words, metavar="N", help="the most characters of each text")
    parser.add_argument("--system", default="", metavar="S", help="a system and its parameters (--list shows them)")
    parser.add_argument("--keep", action="append", default=[], metavar="RE", help="what matches stays; repeat for more")
    parser.add_argument("--drop", action="append", default=[], metavar="RE", help="what matches goes; repeat for more")
    parser.add_argument("--name", metavar="NAME", help="the system's name in JSON Lines (as in --list)")
    parser.add_argument("--out", metavar="FILE", help="write there instead of to standard output (.gz too)")
    parser.add_argument("--list", action="store_true", help="list the systems")
    parser.add_argument("--json", action="store_true", help=as_json)


class Notes:
    """What was said of single texts, counted for one line at the end."""

    def __init__(self) -> None:
        self.texts = self.noted = 0
        self.first = ""

    def add(self, said: Sequence[str]) -> None:
        """Counts one."""
        self.texts += 1
        if said:
            self.noted += 1
            self.first = self.first or f"line {self.texts}: {'; '.join(said)}"

    def say(self) -> None:
        """To standard error."""
        if self.noted:
            more = "" if self.noted == 1 else "; the first, "
            many = "1 text has a note, " if self.noted == 1 else f"{self.noted:,} of {self.texts:,} texts have notes"
            print(f"assay: note: {many}{more}{self.first} (--json shows all)", file=sys.stderr)


def output(path: str | None) -> AbstractContextManager[Write]:
    """Where lines go: a file that is whole or not there, or standard output."""
    return _standard() if path is None else _file(path)


@contextmanager
def _standard() -> Iterator[Write]:
    yield write_data
    sys.stdout.flush()


@contextmanager
def _file(path: str) -> Iterator[Write]:
    from ..files import whole_file

    with whole_file(path) as file:
        yield lambda text: file.write(text.encode("utf-8", "surrogatepass"))


def listed(kind: str, said: str, families: Sequence[type[Named]], default: str) -> Answer:
    """The systems of a folder, with every parameter."""
    from ..report import Column

    rows = [(cls, cls()) for cls in families]
    names = [f"{cls.name} (the default)" if cls.name == default else cls.name for cls, _ in rows]
    columns = [
        Column(kind, names, right=False),
        Column("what it does", [_short(made.summary()) for _, made in rows], right=False),
    ]
    notes = ["In full, with every parameter:", *(made.signature() for _, made in rows)]
    records = [
        {"system": cls.name, "signature": made.signature(), "summary": made.summary(), "patterns": cls.honours_patterns,
         "english_only": cls.english_only}
        for cls, made in rows
    ]  # fmt: skip
    return Answer([said], columns, notes, records)


def _short(text: str, most: int = 72) -> str:
    """A line for a list, cut at a word."""
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"
