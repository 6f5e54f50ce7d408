"""Make texts shorter by deleting words: one line out for each line in.

assay compress news.txt --ratio 0.43
assay compress news.txt --words 10 --keep "ACME|#[0-9]+"
assay compress set.jsonl --system "ilp(lambda=0)" --out with-ilp.jsonl
tail -f log | assay compress - --chars 80 --system lead
assay compress --list
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import FormatError, InputError
from ._answer import Answer, json_line, show
from ._lines import text_lines

if TYPE_CHECKING:
    from ..systems.compress import Budget, Compression, System

SUMMARY = "make texts shorter, to an exact length if asked"
_BATCH = 64
Write = Callable[[str], object]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", help="lines of text, or JSON Lines with a source each (.gz too); - for stdin"
    )
    parser.add_argument("--ratio", type=float, metavar="R", help="the share of each text's words to keep, as 0.43")
    parser.add_argument("--words", type=int, metavar="N", help="the most words of each text")
    parser.add_argument("--chars", type=int, metavar="N", help="the most characters of each text")
    parser.add_argument("--system", default="", metavar="S", help="a system and its parameters (--list shows them)")
    parser.add_argument("--keep", action="append", default=[], metavar="RE", help="what matches stays; repeat for more")
    parser.add_argument("--drop", action="append", default=[], metavar="RE", help="what matches goes; repeat for more")
    parser.add_argument(
        "--model", metavar="FILE", help="the system's tagger or language model, if not the one in Assay"
    )
    parser.add_argument("--name", metavar="NAME", help="the system's name in JSON Lines (as in --list)")
    parser.add_argument("--out", metavar="FILE", help="write there instead of to standard output (.gz too)")
    parser.add_argument("--list", action="store_true", help="list the systems")
    parser.add_argument("--json", action="store_true", help="JSON Lines: text, kept spans, rates and notes of each")


def run(args: argparse.Namespace) -> int:
    from ..systems.compress import DEFAULT, Budget, check_patterns, system

    if args.list:
        show([_listed()], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to compress: give a file, or - for standard input")
    chosen = _with_model(system(args.system or DEFAULT), args.model)
    budget = Budget(args.ratio, args.words, args.chars)
    check_patterns(chosen, [*args.keep, *args.drop])
    notes = Notes()
    with output(args.out) as write:
        batch = 1 if args.file == "-" and sys.stdin.isatty() else _BATCH
        for some in _batches(_entries(args.file, quiet=args.quiet), batch):
            made = _compress(chosen, budget, some, args)
            for entry, one in zip(some, made, strict=True):
                write(_spelled(entry, one, args, chosen))
                notes.add(one.notes)
    if not args.quiet:
        notes.say()
    return 0


class Entry(NamedTuple):
    """One text, and the JSON object it came in, if it did."""

    number: int
    text: str
    context: tuple[str, ...] = ()
    record: dict[str, Any] | None = None


def _entries(path: str, *, quiet: bool = False) -> Iterator[Entry]:
    """The texts of a file: JSON Lines if its name says so or its first line is an object."""
    named = path.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    as_json = named
    for number, line in enumerate(text_lines(path, quiet=quiet), 1):
        if number == 1 and not named:
            as_json = _is_object(line)
        if not as_json:
            yield Entry(number, line)
        elif line.strip():
            yield _entry(line, path, number)


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _entry(line: str, path: str, number: int) -> Entry:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FormatError(f"this line is no JSON ({error})", path=path, line=number) from None
    source = record.get("source", record.get("text")) if isinstance(record, dict) else None
    if isinstance(source, list) and len(source) == 1:
        source = source[0]
    if not isinstance(source, str):
        raise FormatError('an item needs a "source" (or "text") that is one text', path=path, line=number)
    context = record.get("context", ())
    if not isinstance(context, (list, tuple)) or not all(isinstance(c, str) for c in context):
        raise FormatError('"context" must be a list of sentences', path=path, line=number)
    return Entry(number, source, tuple(context), record)


def _batches(entries: Iterator[Entry], size: int) -> Iterator[list[Entry]]:
    while some := list(islice(entries, size)):
        yield some


def _compress(chosen: System, budget: Budget, entries: Sequence[Entry], args: argparse.Namespace) -> list[Compression]:
    from ..systems.compress import Source

    keep, drop = tuple(args.keep), tuple(args.drop)
    return chosen.compress([Source(entry.text, budget, entry.context, keep, drop) for entry in entries])


def _spelled(entry: Entry, made: Compression, args: argparse.Namespace, chosen: System) -> str:
    """One line: the text; with --json a record; an item of JSON Lines with the output added to it."""
    if entry.record is None and not args.json:
        return made.text.replace("\n", " ") + "\n"
    details = {
        "kept": [list(span) for span in made.spans],
        "words": made.words,
        "word_rate": made.word_rate,
        "token_rate": made.token_rate,
        "char_rate": made.char_rate,
        "notes": list(made.notes),
    }
    if entry.record is None or args.json:
        known = {} if entry.record is None or "id" not in entry.record else {"id": entry.record["id"]}
        return json_line({**known, "system": chosen.signature(), "source": made.source, "text": made.text, **details})
    name = args.name or chosen.name
    record = dict(entry.record)
    record["outputs"] = {**(record.get("outputs") or {}), name: made.text}
    said = {key: details[key] for key in ("kept", "notes")}
    record["compressions"] = {**(record.get("compressions") or {}), name: said}
    return json.dumps(record, ensure_ascii=False) + "\n"


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
    yield sys.stdout.write
    sys.stdout.flush()


@contextmanager
def _file(path: str) -> Iterator[Write]:
    from ..formats.atomic import whole_file

    with whole_file(path) as file:
        yield lambda text: file.write(text.encode("utf-8", "surrogatepass"))


def _with_model(chosen: System, model: str | None) -> System:
    if not model:
        return chosen
    known = {f.name for f in fields(chosen)}
    for name in ("tagger", "model"):
        if name in known:
            return replace(chosen, **{name: model})
    raise InputError(f"{chosen.name} has no model to choose")


def _listed() -> Answer:
    from ..report import Column
    from ..systems.compress import DEFAULT, families

    rows = [(cls, cls()) for cls in families()]
    names = [f"{cls.name} (the default)" if cls.name == DEFAULT else cls.name for cls, _ in rows]
    columns = [
        Column("system", names, right=False),
        Column("what it does", [shortened(cls.summary()) for cls, _ in rows], right=False),
    ]
    notes = ["In full, with every parameter:", *(made.signature() for _, made in rows)]
    records: Iterable[dict[str, Any]] = (
        {"system": cls.name, "signature": made.signature(), "summary": cls.summary(), "patterns": cls.honours_patterns,
         "english_only": cls.english_only}
        for cls, made in rows
    )  # fmt: skip
    return Answer(["Systems that shorten a text by deleting words:"], columns, notes, list(records))


def shortened(text: str, most: int = 72) -> str:
    """A line for a list, cut at a word."""
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"
